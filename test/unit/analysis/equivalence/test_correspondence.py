"""What correspondences show, and planted faults in them, each of which makes a false answer that a test here notices."""

from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.analysis.equivalence import compare, correspondence
from cogir.analysis.equivalence.correspondence import Correspondence
from cogir.analyze import equivalent
from cogir.library.signature import NonNegative, Random, State, Step, Value, node_function


@node_function(outputs=("value",))
def noisy(variable: Value, *, c: NonNegative = 1.0, previous: State = 0.0, random: Random) -> Step:
    value = previous + variable + c * random.normal(variable.shape)
    return Step(outputs=(value,), states=(value,))


@node_function(outputs=("value",))
def counting(variable: Value, *, factor: Value = 1.0, x: State = 0.0, y: State = 0.0) -> Step:
    """Two states that go different ways from the second trial on."""
    return Step(outputs=(factor * y + variable,), states=(x + 1.0, x * x))


def several(seeds: tuple[int, ...]) -> cogir.Model:
    model = cogir.Model("several")
    for at, seed in enumerate(seeds):
        model.node(f"node{at}", noisy, input=1, seed=seed, prng="mt19937")
    return model


def one(function: Any, **given: Any) -> cogir.Model:
    model = cogir.Model("one")
    model.node("node", function, **{"input": 1, **given})
    return model


def until(threshold: float) -> cogir.Model:
    """The threshold is in nothing but the condition under which the accumulator goes on."""
    return one(
        library.leaky_competing_accumulator,
        noise=1.0,
        threshold=threshold,
        time_step_size=0.01,
        execute_until_finished=True,
        reset_each_trial=True,
        max_executions_before_finished=2**62,
    )


def check_states() -> None:
    assert equivalent(one(counting), one(counting, y=0.5)).answer == "not shown"
    assert equivalent(one(counting), one(counting, x=1.0)).answer == "not shown"


def check_loops() -> None:
    assert equivalent(until(0.7), until(0.7)).answer == "bit-equal"
    assert equivalent(until(0.7), until(0.8)).answer == "not shown"


def check_streams() -> None:
    assert equivalent(several((1, 2)), several((3, 4))).answer == "equal in distribution"
    assert equivalent(several((1, 2)), several((3, 3))).answer == "not shown"
    assert equivalent(one(noisy, input=2, seed=1, prng="mt19937"), several((3, 3))).answer == "not shown"


def check_initial_values() -> None:
    assert equivalent(one(noisy, previous=1.0), one(noisy)).answer == "not shown"


CHECKS = (check_states, check_loops, check_streams, check_initial_values)


@pytest.mark.parametrize("check", CHECKS)
def test_what_is_shown(check: Any) -> None:
    check()


def ignores_conditions(patch: pytest.MonkeyPatch) -> None:
    """Loops correspond whatever their conditions are."""
    right = Correspondence._split_loops

    def wrong(self: Correspondence, key: Any) -> None:
        right(self, {**key, **{loop.condition.number: 0 for loop in self.loops if loop.condition}})

    patch.setattr(Correspondence, "_split_loops", wrong)


def stops_early(patch: pytest.MonkeyPatch) -> None:
    """Only one round: what counts as equal at the beginning stays so."""
    patch.setattr(Correspondence, "_refine", lambda self: self._choose_leaders())


def ignores_initial_values(patch: pytest.MonkeyPatch) -> None:
    """All cells count as equal at the beginning."""
    right = Correspondence.__init__

    def wrong(self: Correspondence, terms: Any, programs: Any, roots: Any, keys: Any, coupling: Any = None) -> None:
        def key(term: Any) -> Any:
            return 0 if term.is_constant and term.type == "f64" and term.number in starts else keys(term)

        starts = {cell.initial.number for program in programs for cell in program.cells}
        right(self, terms, programs, roots, key, coupling)

    patch.setattr(Correspondence, "__init__", wrong)


def believes_in_independence(patch: pytest.MonkeyPatch) -> None:
    """Generators that begin alike count as independent."""
    patch.setattr(compare, "is_independent", lambda module, program: True)


def renames_streams_freely(patch: pytest.MonkeyPatch) -> None:
    """All streams of the second model may become one of the first."""

    def wrong(comparison: Any) -> Any:
        own, other = compare.streams_in(comparison, 0), compare.streams_in(comparison, 1)
        yield {theirs: own[at % len(own)] for at, theirs in enumerate(other)}
        yield dict.fromkeys(other, own[0])

    patch.setattr(compare, "renamings", wrong)
    patch.setattr(compare, "with_streams", with_all_streams)


def with_all_streams(comparison: Any, side: int, renamed: Any) -> Any:
    """The program with the streams of the first one, and its own begun alike."""
    from dataclasses import replace

    program = comparison.programs[side]
    leaf = comparison.terms.leaf("stream", "rng", "alike")
    if side == 1:
        comparison.programs = tuple(
            replace(each, cells=[replace(cell, initial=leaf) if cell.now.type == "rng" else cell for cell in each.cells])
            for each in comparison.programs
        )
    return replace(program, cells=[replace(cell, initial=leaf) if cell.now.type == "rng" else cell for cell in program.cells])


@pytest.mark.parametrize(
    "plant", [ignores_conditions, stops_early, ignores_initial_values, believes_in_independence, renames_streams_freely]
)
def test_planted_faults_are_found(plant: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the runs that check each answer, which would hide them."""
    from cogir.analyze.side_by_side import SideBySide

    monkeypatch.setattr(SideBySide, "case", lambda self, level: None)
    plant(monkeypatch)
    failed = 0
    for check in CHECKS:
        try:
            check()
        except AssertionError:
            failed += 1
    assert failed, f"{plant.__name__} is not noticed"


def test_cells_keep_constants_over_runs() -> None:
    """A counter that is cleared where a run begins keeps 0 only."""
    held = correspondence.SAMPLE
    for after, value, keeps in ((held, 3, True), (0, 0, True), (0, 3, False), (held + 1, 0, False)):
        terms_cell = type("Cell", (), {"at_runs": (after, held)})
        constant = type("Constant", (), {"data": value})
        assert correspondence.keeps(terms_cell, constant) == keeps  # type: ignore[arg-type]


def test_sequential_and_shaped_draws_are_the_same_numbers() -> None:
    """The comparison takes a vector of draws for draws one after another."""
    from cogir.library.random.generators import Stream, seeded_words

    for kind in ("mt19937", "philox4x64", "xoshiro256"):
        for method in ("normal", "uniform"):
            whole, single = Stream(kind, seeded_words(kind, 3)), Stream(kind, seeded_words(kind, 3))
            at_once = np.asarray(getattr(whole, method)((5,)))
            apart = np.array([getattr(single, method)(()) for _ in range(5)])
            assert (at_once == apart).all()
            assert (whole.words == single.words).all()
