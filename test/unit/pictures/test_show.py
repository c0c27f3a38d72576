"""`show`, `save`, and what notebooks display: of models, compiled models and contexts."""

import pickle
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from support.pictured import ZOO, controlled, large

import cogir
from cogir.errors import InputError, ModelError
from cogir.frontend.builder.model import Model


def accumulator() -> cogir.Model:
    m = cogir.Model("accumulator")
    s = m.node("stimulus", input=20)
    a = m.node("a", cogir.library.drift_diffusion_integrator, input=20, noise=0.1)
    m.project(s, a)
    return m


def test_terminals_show_a_line() -> None:
    picture = controlled().show()
    assert str(picture) == repr(picture)
    assert repr(picture).startswith('<picture of "controlled": 4 nodes, 5 projections')
    assert "\n" not in repr(picture)
    assert '.save("controlled.svg")' in repr(picture)


def test_notebooks_show_the_picture() -> None:
    model = controlled()
    picture = model.show()
    assert picture._repr_svg_() == picture.svg
    assert picture.svg in picture._repr_html_()
    assert model._repr_html_() == picture._repr_html_()
    assert model.show() == picture
    assert hash(model.show()) == hash(picture)
    assert model.show(direction="right") != picture
    text = Model.from_ir(str(model.ir()))
    assert "<svg" in text._repr_html_()


def test_notebooks_show_what_is_wrong_with_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    m = cogir.Model("m")
    monkeypatch.setattr(m, "ir", lambda: (_ for _ in ()).throw(ModelError("m: <wrong>")))
    assert "m: &lt;wrong&gt;" in m._repr_html_()
    assert "&lt;model &quot;m&quot;" in m._repr_html_()


def test_empty_models() -> None:
    picture = cogir.Model("empty").show()
    ElementTree.fromstring(picture.svg)
    assert picture.diagram.facts == ""


@pytest.mark.parametrize("name", ["m.svg", "m.html", "m.HTM", "m.dot", "m.gv", "m.mmd", "m.mermaid"])
def test_files(name: str, tmp_path: Path) -> None:
    picture = controlled().show()
    assert picture.save(tmp_path / name) == tmp_path / name
    assert picture.save(str(tmp_path / name)) == tmp_path / name
    text = (tmp_path / name).read_text(encoding="utf-8")
    kind = name.lower().rpartition(".")[2]
    assert text == {"dot": picture.dot, "gv": picture.dot, "svg": picture.svg}.get(
        kind, picture.mermaid if kind[0] == "m" else picture.html
    )


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("m.png", r'the name "m.png" ends in .png; give one that ends in .svg, .html, .dot or .mmd \(browsers, .* from m.svg\)'),
        ("m", "ends in no suffix; give one"),
        ("nowhere/m.svg", r'"nowhere/m.svg" cannot be written: .*; give the name of a file in a folder that exists'),
        (3, r'found 3; give a path, such as "controlled.svg"'),
    ],
)
def test_files_that_cannot_be(path: object, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=f"^save: .*{message}"):
        controlled().show().save(path)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_misuse() -> None:
    m = controlled()
    with pytest.raises(InputError, match=r'^show: direction is \'up\'; give "down" or "right"'):
        m.show(direction="up")
    with pytest.raises(InputError, match=r'^show: detail is \'all\'; give "full" or "names"'):
        m.show(detail="all")
    with pytest.raises(InputError, match=r"^show: direction is \[\]"):
        m.show(direction=[])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r'Model.show has no option "directon"; did you mean "direction"'):
        m.show(directon="right")  # type: ignore[call-arg]


def test_showing_changes_nothing() -> None:
    one, two = controlled(), controlled()
    one.show()
    inputs = {"stimulus": [[1.0]]}
    assert str(one.ir()) == str(two.ir())
    np.testing.assert_array_equal(one.compile().run(inputs, 3)["value"], two.compile().run(inputs, 3)["value"])


@pytest.mark.parametrize("mode", ["run", "python"])
def test_compiled_models(mode: str) -> None:
    m = accumulator()
    c = m.compile(mode=mode)
    assert c.show() == m.show()
    assert c.show(direction="right") == m.show(direction="right")
    assert f"mode {mode}" in c._repr_html_()
    assert m.show().svg in c._repr_html_()
    m.node("late", input=1)
    with pytest.raises(InputError, match=r'^show: model "accumulator", or what its functions read, was changed after it was compiled;'):
        c.show()
    table = c._repr_html_()
    assert "<svg" not in table
    assert "stimulus" in table
    assert "noise = 0.1" in table
    assert "late" not in table


def test_versions_of_compiled_models() -> None:
    c = accumulator().compile()
    c.specialise()
    assert "specialised version" in c._repr_html_()


def test_large_compiled_models_are_tables() -> None:
    table = large(101).compile(mode="python")._repr_html_()
    assert "<svg" not in table
    assert "<td" in table
    assert "and 1 more" in table


@pytest.mark.parametrize("mode", ["run", "python"])
def test_contexts(mode: str) -> None:
    c = accumulator().compile(mode=mode)
    where = c.context("first <one>")
    before = where._repr_html_()
    assert "context &quot;first &lt;one&gt;&quot;" in before
    assert "no trial has been run" in before
    assert "a/noise" in before
    c.run({"stimulus": [np.arange(20.0)]}, 2, context=where)
    after = where._repr_html_()
    assert "a/previous_value" in after
    assert "20 numbers from " in after
    assert "mean" in after
    assert "no trial" not in after
    assert "mt19937" in after or "xoshiro256" in after
    state = {path: np.array(where.state[path]) for path in where.state}
    where._repr_html_()
    assert all(np.array_equal(state[path], where.state[path]) for path in where.state)
    if mode == "run":
        assert pickle.loads(pickle.dumps(where))._repr_html_() == after


def test_pictures_need_no_other_programs_and_load_late() -> None:
    """Neither `import cogir` nor a run of cached code loads the pictures."""
    code = "import sys, cogir; assert not [m for m in sys.modules if m.startswith('cogir.pictures')]"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_contexts_of_nested_and_controlled_models() -> None:
    for name, size in (("nested", 2), ("controlled", 1)):
        c = ZOO[name]().compile(mode="python")
        c.run({"stimulus": [np.ones(size)]}, 1)
        assert "<table" in c.context()._repr_html_()
