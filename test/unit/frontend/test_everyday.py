"""What a user meets every day: models as containers of nodes, `check`, IR that prints as text, and remedies for misspelt names."""

# pyright: basic
import pytest

import cogir
from cogir import library


def chain() -> cogir.Model:
    """Two nodes and an instance of a model with one."""
    inner = cogir.Model("inner")
    inner.node("deep")
    m = cogir.Model("chain", seed=1)
    first = m.node("first", input=2)
    second = m.node("second", library.linear, input=2)
    m.project(first, second)
    m.instance("inside", inner)
    return m


def test_models_iterate_over_the_names_of_their_nodes() -> None:
    m = chain()
    assert list(m) == ["first", "second", "inside"]
    assert len(m) == 3
    assert "first" in m
    assert "third" not in m
    assert m["second"] in m
    assert chain()["second"] not in m
    assert 3 not in m
    assert bool(cogir.Model("empty"))
    assert [m[name].name for name in m] == list(m)


def test_a_model_prints_as_its_text() -> None:
    m = chain()
    assert repr(m.ir()) == str(m.ir()) == f"{m.ir()}" == format(m.ir()) == "{}".format(m.ir())  # noqa: UP032
    assert f"{m.ir():>2000}" == str(m.ir()).rjust(2000)
    assert f"{m.ir().clone()}" == str(m.ir())
    assert "cog.node @second" in repr(m.ir())
    parsed = cogir.Model.from_ir(str(m.ir()))
    assert repr(parsed.ir()) == str(m.ir())
    inputs = {"first": [[1.0, 2.0]], "inside": [[3.0]]}
    assert cogir.compile(m.ir()).run(inputs)["second"].tolist() == [[1.0, 2.0]]
    copied = m.ir().clone()
    assert repr(copied) == str(copied)


def test_check_verifies_without_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    def lowers(*_: object, **__: object) -> None:
        raise AssertionError("check must not compile")

    monkeypatch.setattr("cogir.frontend.compilable.compile_source", lowers)
    m = chain()
    assert m.check() is None
    assert cogir.Model.from_ir(str(m.ir())).check() is None


def test_check_names_the_place_of_what_is_wrong() -> None:
    m = cogir.Model("late")
    m.node("first")
    m.node("second", library.linear)
    m.schedule.when("second", cogir.Threshold("first", "vlaue", 1.0, ">="))
    with pytest.raises(cogir.ModelError) as by_compiling:
        m.compile(cache=False)
    with pytest.raises(cogir.ModelError) as by_checking:
        m.check()
    assert "test_everyday.py:" in str(by_checking.value)
    assert 'no output, state or parameter "vlaue"; did you mean "value"?' in str(by_checking.value)
    assert str(by_checking.value) == str(by_compiling.value)


@pytest.mark.parametrize(("owner", "name", "remedy"), [
    (library, "tahn", 'cogir.library has no "tahn"; did you mean "tanh"?'),
    (cogir, "Modle", 'cogir has no "Modle"; did you mean "Model"?'),
    (library, "qqqq", 'cogir.library has no "qqqq"'),
    (chain(), "run", 'Model has no "run"; compile the model first: model.compile().run(...)'),
    (chain(), "params", 'Model has no "params"; compile the model first: model.compile().params'),
    (chain(), "porject", 'Model has no "porject"; did you mean "project"?'),
    (cogir.Model.from_ir(str(chain().ir())), "run", 'ParsedModel has no "run"; compile the model first: model.compile().run(...)'),
], ids=["tahn", "Modle", "qqqq", "run", "params", "porject", "run of text"])  # fmt: skip
def test_unknown_attributes_name_a_remedy(owner: object, name: str, remedy: str) -> None:
    with pytest.raises(AttributeError) as error:
        getattr(owner, name)
    assert str(error.value) == remedy


def test_misspelt_keywords_of_a_node_may_mean_its_options() -> None:
    m = cogir.Model()
    with pytest.raises(cogir.ModelError, match=r'has no parameter "inptu"; did you mean "input"\?'):
        m.node("a", library.linear, inptu=3)
    with pytest.raises(cogir.ModelError, match=r'has no parameter "slop"; did you mean "slope"\?'):
        m.node("a", library.linear, slop=3)
    with pytest.raises(cogir.ModelError, match=r'found inptu, but it has no function; did you mean "input"\?'):
        m.node("a", inptu=3)
    with pytest.raises(cogir.ModelError, match="found slope, but it has no function; give a function that takes them"):
        m.node("a", slope=3)
