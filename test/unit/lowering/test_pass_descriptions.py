"""Every pass of cogir describes itself and its options; the descriptions are what its source says."""

from dataclasses import dataclass

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from cogir.lowering.pass_descriptions import PassOption, describe_pass, first_sentence, sections_of
from cogir.tools.cog_opt import all_passes


@pytest.mark.parametrize("pass_type", all_passes().values(), ids=lambda each: each.name)
def test_every_pass_is_described(pass_type: type[ModulePass]) -> None:
    described = describe_pass(pass_type)
    assert described.summary.endswith("."), "the docstring of the class begins with a sentence"
    assert described.summary[0].isupper(), "the sentence begins with a verb"
    assert described.summary.split()[0].endswith("s"), "the sentence says what the pass does"
    assert not [option.name for option in described.options if not option.description], "fields without a docstring"
    assert described.text.count("Before") or pass_type.name.startswith("verify-"), "the docstring of the module says what is accepted"


@dataclass(frozen=True)
class PassWithOptions(ModulePass):
    """Does something, e.g. nothing. And more."""

    name = "with-options"

    needed: int
    is_on: bool = True
    """
    True if it is
    on.
    """
    names: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        pass


@dataclass(frozen=True)
class PassWithoutWords(ModulePass):
    name = "without-words"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        pass


def test_options_come_from_the_fields() -> None:
    described = describe_pass(PassWithOptions)
    assert described.summary == "Does something, e.g. nothing."
    assert described.options == (
        PassOption("needed", "int", None, ""),
        PassOption("is-on", "bool", "true", "True if it is on"),
        PassOption("names", "tuple[str, ...]", "empty", ""),
    )


def test_a_docstring_that_dataclass_makes_up_is_none() -> None:
    assert describe_pass(PassWithoutWords).summary == ""


def test_sections() -> None:
    text = "A pass.\n\nBefore: one\n        thing.\nAfter:  another.\n\nMore."
    assert sections_of(text) == {"Before": "one thing.", "After": "another."}
    assert sections_of("Before and after: any module.") == {"Before": "any module.", "After": "any module."}


def test_a_sentence_ends_before_the_next_one() -> None:
    assert first_sentence("Reads `a.b` of x.y. Then more.\n\nAnd more.") == "Reads `a.b` of x.y."
    assert first_sentence("No full stop") == "No full stop"
