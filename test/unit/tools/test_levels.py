"""The levels of a text for the playground: lowering, lines, passes and options."""

from pathlib import Path

from cogir.tools.cog_play import texts
from cogir.tools.levels import LEVELS, LevelRequest, answer


def test_lines_know_where_they_come_from() -> None:
    text = texts(None)["decide"]
    found = answer(LevelRequest(text, "machine"))
    pairs = {(line.split()[2] if " = " in line else "", number) for line, number in zip(found.text.splitlines(), found.lines, strict=True)}
    assert ("math.absf", 1 + text[: text.index("math.absf")].count("\n")) in pairs


def test_a_lowering_can_stop_after_a_pass_and_take_options() -> None:
    text = texts(None)["decide"]
    stopped = answer(LevelRequest(text, "machine", until="convert-cog-to-machine"))
    whole = answer(LevelRequest(text, "machine"))
    assert stopped.text != whole.text
    assert stopped.passes == whole.passes
    assert "@lanes_iterate" in answer(LevelRequest(text, "machine", replicates=True)).text
    special = answer(LevelRequest(text, "machine", specialise=True))
    assert "fold-parameters" in special.passes
    assert "arith.constant 3.000000e-01 : f64" in special.text


def test_functions_without_a_model_begin_at_stage_machine() -> None:
    text = texts(None)["loop"]
    assert answer(LevelRequest(text, "scheduled")).text == answer(LevelRequest(text, "text")).text
    machine = answer(LevelRequest(text, "machine"))
    assert {"did not hoist arith.divsi out of scf.for: it can fail, and the loop may have no iterations"} <= {
        remark["text"] for remark in machine.remarks
    }
    assert "llvm.func @sum" in answer(LevelRequest(text, "llvm")).text


def test_lines_of_other_files_are_not_shown(tmp_path: Path) -> None:
    """A text may say that an operation comes from any file."""
    (tmp_path / "secret").write_text("nobody may read this\n")
    text = f'builtin.module {{\n  %c = "no.op"() : () -> i64 loc("{tmp_path}/secret":1:1)\n}}\n'
    errors = answer(LevelRequest(text, "llvm")).errors
    assert errors
    assert not any("nobody" in error["shown"] for error in errors)


def test_ir_that_says_it_comes_from_elsewhere_has_the_lines_of_the_text() -> None:
    text = 'func.func @f() {\n  func.return loc("other.mlir":99:1)\n}\n'
    found = answer(LevelRequest(text, "text"))
    assert [(line.strip(), number) for line, number in zip(found.text.splitlines(), found.lines, strict=True)][2] == ("func.return", 2)


def test_a_pass_that_does_not_lead_to_the_level() -> None:
    text = texts(None)["decide"]
    (error,) = answer(LevelRequest(text, "machine", "cog-lcm")).errors
    assert error["message"] == 'until: pass "cog-lcm" does not lead to level machine; did you mean "cog-licm"?'
    (error,) = answer(LevelRequest(text, "cog", "bufferize")).errors
    assert error["message"].startswith('until: pass "bufferize" does not lead to level cog; there is "remove-undefined-behaviour"')


def test_levels_are_those_of_stages() -> None:
    assert LEVELS == ("text", "cog", "scheduled", "machine", "loops", "cf", "llvm", "llvm-ir", "asm")
