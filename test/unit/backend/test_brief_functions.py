"""Functions that are optimised once over: the parts of a module, and the code that comes out of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.backend.brief_functions import split
from cogir.backend.jit import compile_to_object, optimised
from cogir.errors import BackendError

MODULE = """
define i64 @f(i64 %x) {
b0:
  %y = call i64 @twice(i64 %x)
  %z = call i64 @plain(i64 %y)
  ret i64 %z
}
define internal i64 @twice(i64 noundef %x.1) nounwind noinline "cog.brief" {
b0:
  %v2 = call i64 @least(i64 %x.1)
  %v3 = add i64 %v2, %v2
  ret i64 %v3
}
define internal i64 @plain(i64 noundef %x.1) nounwind noinline {
b0:
  ret i64 %x.1
}
define internal i64 @least(i64 noundef %x.1) nounwind noinline "cog.brief" {
b0:
  %v2 = call i64 @llvm.smin.i64(i64 %x.1, i64 21)
  ret i64 %v2
}
declare i64 @llvm.smin.i64(i64, i64)
"""


def test_the_parts_of_a_module() -> None:
    parts = split(MODULE)
    assert parts.names == {"twice", "least"}
    assert "declare i64 @twice(i64 noundef %x.1) nounwind noinline" in parts.rest
    assert "add i64" not in parts.rest
    assert "define internal i64 @plain" in parts.rest
    assert "@plain" not in parts.brief
    assert parts.brief.count("define i64") == 2
    assert parts.brief.count("declare i64 @llvm.smin.i64") == 1


def test_a_module_without_them_stays_as_it_is() -> None:
    text = MODULE.replace(' "cog.brief"', "")
    parts = split(text)
    assert parts.rest == text
    assert parts.brief == ""
    assert not parts.names


def test_they_are_linked_and_called_from_inside_alone() -> None:
    _, module = optimised(MODULE)
    linkages = {each.name: each.linkage.name for each in module.handle.functions if not each.is_declaration}
    assert linkages["f"] == "external"
    assert linkages["twice"] == linkages["least"] == "internal"
    assert compile_to_object(MODULE)


def test_what_has_no_body_is_refused_all_the_same() -> None:
    with pytest.raises(BackendError, match="refers to @elsewhere, which has no body"):
        optimised(MODULE.replace("call i64 @plain", "call i64 @elsewhere") + "declare i64 @elsewhere(i64)\n")


def test_the_functions_of_products_are_among_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen: list[frozenset[str]] = []

    def noted(ir: str) -> object:
        parts = split(ir)
        seen.append(parts.names)
        return parts

    monkeypatch.setattr("cogir.backend.jit.split", noted)
    monkeypatch.setenv("COGIR_CACHE_DIR", str(tmp_path))
    model = cogir.Model("layers")
    first, second = model.node("first", input=70), model.node("second", library.logistic, input=70)
    matrix = np.random.default_rng(0).normal(size=(70, 70))
    model.project(first, second, matrix=matrix)
    rows = np.random.default_rng(1).normal(size=(100, 70))
    found = model.compile().run({"first": rows})["second"]
    np.testing.assert_allclose(found, 1.0 / (1.0 + np.exp(-(rows @ matrix))), rtol=1e-12)
    names = set().union(*seen)
    assert "cogir_blocks" in names
    assert names & {"cogir_pack_squares", "cogir_pack_transposed"}  # blocks whose rows are whole vectors, or others
    assert names & {"cogir_pack_vectors", "cogir_pack_across", "cogir_pack_columns"}  # blocks of one vector, or of several


def test_a_marked_function_that_calls_another_one_is_refused() -> None:
    text = MODULE.replace("call i64 @least(i64 %x.1)", "call i64 @plain(i64 %x.1)")
    with pytest.raises(BackendError, match=r"@twice is marked cog\.brief and calls @plain, which is not; mark both or neither"):
        optimised(text)
