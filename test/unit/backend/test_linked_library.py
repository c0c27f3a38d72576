"""The library as it is shipped is that of its sources, and models are linked with it."""

import re

import numpy as np
import pytest
from support.native import parse
from xdsl.context import Context

import cogir
from cogir.backend import linked_library as shipped
from cogir.backend.emit_llvm_ir import emit_llvm_ir
from cogir.backend.jit import compile_to_object
from cogir.backend.linked_library import FILE, LinkedLibrary, linked_library, written
from cogir.backend.llvm import host, machine_for
from cogir.backend.write_library import made
from cogir.library import Random
from cogir.lowering.convert_to_llvm import ConvertToLlvm
from cogir.runtime import build


def test_the_file_is_up_to_date():
    assert FILE.read_text() == written(made()), "run python -m cogir.backend.write_library"


def test_a_file_of_other_sources_is_not_used(monkeypatch, tmp_path):
    other = tmp_path / "library.ll"
    other.write_text(FILE.read_text().replace("; sources ", "; sources 0"))
    for file in (other, tmp_path / "missing"):
        monkeypatch.setattr(shipped, "FILE", file)
        assert not linked_library.__wrapped__().sizes


def log(x):
    return 2.0 * x


def noisy(x, *, random: Random):
    """Elementary functions, a draw that needs the C library's `log`, and a function of its own by that name."""
    return np.tanh(log(x[0])) + np.exp(-random.normal())


@pytest.mark.parametrize("kind", ["mt19937", "philox4x64", "philox4x32", "xoshiro256"])
def test_a_model_is_linked_and_its_numbers_are_the_same(monkeypatch, kind: str):
    texts: list[str] = []

    def keep(ir: str) -> bytes:
        texts.append(ir)
        return compile_to_object(ir)

    monkeypatch.setattr(build, "compile_to_object", keep)
    inputs, results = {"n": [[0.25], [-3.0]]}, []
    for library in (linked_library(), LinkedLibrary({}, {})):
        monkeypatch.setattr(build, "linked_library", lambda library=library: library)
        model = cogir.Model("m")
        model.node("n", noisy, input=1, seed=3, prng=kind)
        results.append(model.compile(mode="run", cache=False).run(inputs, 50)["n"])
    assert np.array_equal(*results)
    symbols = [sorted(re.findall(r"define [^@]*@(cogir_(?:math|rng)\w+)", text)) for text in texts]
    assert symbols[0] == symbols[1]
    assert {"cogir_math_tanh_f64", "cogir_math_exp_f64", f"cogir_rng_{kind}_normal"} <= set(symbols[0])


@pytest.mark.parametrize(("operations", "choice"), [(10, " alwaysinline"), (9000, "")])
def test_whether_copies_are_too_many_is_decided_for_each_model(operations: int, choice: str):
    calls = "\n".join(f"%y{n} = func.call @cogir_math_exp_f64(%x) : (f64) -> f64" for n in range(2))
    module = parse(f"""
      func.func @f(%x: f64) -> f64 {{
        {calls}
        func.return %y1 : f64
      }}
      func.func private @cogir_math_exp_f64(f64) -> f64 attributes {{cog.inline = "always", cog.size = array<i64: {operations}, 0>}}
    """)
    ConvertToLlvm().apply(Context(), module)
    text = linked_library().link(emit_llvm_ir(module))
    assert re.findall(r"define internal double @cogir_math_exp_f64.*nounwind(.*) {", text) == [choice]
    machine_for(host()).parse(text)
