"""Lists of passes on the command line: what options take, and what is said about values of other types, without a value, and twice."""

from dataclasses import dataclass

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from cogir.tools.diagnostics import ToolError
from cogir.tools.pass_lists import parse_passes


@dataclass(frozen=True)
class WithOptions(ModulePass):
    """Does nothing."""

    name = "with-options"

    most: int | None = None
    is_on: bool = False
    limit: float | None = 2.0
    math: str = "portable"
    keep: tuple[str, ...] = ()
    sizes: tuple[int, ...] = (8,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        pass


@dataclass(frozen=True)
class NeedsAnOption(ModulePass):
    """Does nothing, with an option."""

    name = "needs-an-option"

    width: int

    def __post_init__(self) -> None:
        if self.width < 1:
            raise ValueError(f"width is {self.width}, but at least 1 is required")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        pass


def parsed(options: str) -> ModulePass:
    """The pass with options, from its text."""
    known = {each.name: each for each in (WithOptions, NeedsAnOption)}
    (found,) = parse_passes(options, known.__getitem__)
    return found


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", WithOptions()),
        ("{most=3 is-on=true}", WithOptions(most=3, is_on=True)),
        ("{is-on}", WithOptions(is_on=True)),
        ("{is_on=false}", WithOptions()),
        ("{limit=4}", WithOptions(limit=4.0)),
        ('{math="a b" keep=most,most sizes=1,2}', WithOptions(math="a b", keep=("most", "most"), sizes=(1, 2))),
    ],
)
def test_values(options: str, expected: WithOptions) -> None:
    assert parsed(f"with-options{options}") == expected


@pytest.mark.parametrize("each", [WithOptions(limit=None), WithOptions(sizes=()), WithOptions(most=3, keep=("a",), math="b c")])
def test_passes_are_read_as_they_are_printed(each: WithOptions) -> None:
    assert parsed(str(each)) == each


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("{most=three}", "option 'most' of pass 'with-options' takes an integer, not 'three'"),
        ("{most=1.5}", "option 'most' of pass 'with-options' takes an integer, not 1.5"),
        ("{most=true}", "option 'most' of pass 'with-options' takes an integer, not true"),
        ("{most=1,2}", "option 'most' of pass 'with-options' takes an integer, not 1,2"),
        ("{sizes=true,2}", "option 'sizes' of pass 'with-options' takes integers, separated by commas, not true,2"),
        ("{is-on=1}", "option 'is-on' of pass 'with-options' takes true or false, not 1"),
        ("{limit=high}", "option 'limit' of pass 'with-options' takes a number, not 'high'"),
        ("{math=3}", "option 'math' of pass 'with-options' takes a name or a quoted text, not 3"),
        ("{most}", "option 'most' of pass 'with-options' has no value; give one, such as most=3"),
        ("{keep is-on}", "option 'keep' of pass 'with-options' has no value; give one, such as keep=a,b"),
        ("{math}", "option 'math' of pass 'with-options' has no value; give one, such as math=name"),
        ("{most=1 most=2}", "option 'most' of pass 'with-options' is given twice; give it once"),
        ("{is_on=true most=2 is-on=true}", "option 'is-on' of pass 'with-options' is given twice; give it once"),
        ("{most=1 most=2}, with-options{", "the list of passes 'with-options{most=1 most=2}, with-options{' has a syntax error"),
    ],
)
def test_wrong_values(options: str, message: str) -> None:
    with pytest.raises(ToolError) as caught:
        parsed(f"with-options{options}")
    assert caught.value.message.startswith(message)


def test_an_option_may_be_given_to_each_pass() -> None:
    known = {WithOptions.name: WithOptions}
    assert len(parse_passes("with-options{most=1 keep=most},with-options{most=2}", known.__getitem__)) == 2


def test_what_a_pass_needs_and_refuses() -> None:
    with pytest.raises(ToolError, match=r"pass 'needs-an-option' needs the option 'width', such as needs-an-option\{width=3\}"):
        parsed("needs-an-option")
    with pytest.raises(ToolError, match="options of pass 'needs-an-option': width is 0, but at least 1 is required"):
        parsed("needs-an-option{width=0}")
