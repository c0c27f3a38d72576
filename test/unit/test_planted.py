"""
Planted wrong compilations: each breaks the compiler in one realistic way, and random models must find it.

The interpreter is not touched, and says what is right. A plant is caught when the machine code of a model behaves differently; the
clean compiler must pass the very same models. They are drawn from a fixed seed, and at most `BOUND` of them are tried.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from xdsl.dialects import arith, llvm, scf
from xdsl.dialects.builtin import IntegerAttr, i64

from cogir.analysis import in_place
from cogir.analysis.layout import Layout
from cogir.analysis.static_schedule import StaticProgram
from cogir.backend import jit, llvm_text
from cogir.backend.llvm import host
from cogir.dialects.cog import Modulation
from cogir.library import rng as library_rng
from cogir.library.intrinsics import (
    bits_of,
    divide,
    float_of,
    from_bits,
    libm_log,
    mul_hi_unsigned,
    shift_right_logical,
    sqrt,
    wrapping_add,
    wrapping_mul,
)
from cogir.library.math_exp import exp
from cogir.library.rng import (
    MT_GAUSS,
    MT_HAS_GAUSS,
    PHILOX_BUFFER,
    PHILOX_KEY,
    PHILOX_MULTIPLIER_0,
    PHILOX_MULTIPLIER_1,
    PHILOX_POSITION,
    PHILOX_WEYL_0,
    PHILOX_WEYL_1,
    mt19937_uniform,
    philox4x64_next,
)
from cogir.lowering import expand_math, expand_rng
from cogir.lowering.machine import bodies, conditions, nodes, passes, search, state, tensors, trial
from cogir.lowering.to_llvm import arith as arith_to_llvm
from cogir.lowering.to_llvm.converter import RULES
from cogir.transforms import cse, dce, eliminate_scheduler, licm

sys.path[:0] = [str(Path(__file__).parents[1] / "support"), str(Path(__file__).parent)]

from random_models import Drawn, random_model  # noqa: E402
from test_random_models import behaviour  # noqa: E402

BOUND = 400
"""So many models are tried before a plant counts as missed."""
SEED = 20

Patch = pytest.MonkeyPatch
Plant = Callable[[Patch], None]


@dataclass(frozen=True)
class Planted:
    """A plant, and what a model must have for it to show at all (a tag of `random_models`; models without it are passed over)."""

    plant: Plant
    needs: str | None
    level: int
    """How much LLVM optimises; 0 is much quicker, and enough for all that is not left to LLVM."""
    library: bool
    """Whether it changes compiled functions of the library, which are kept for the next model otherwise."""


PLANTED: dict[str, Planted] = {}


def planted(needs: str | None = None, *, level: int = 0, library: bool = False) -> Callable[[Plant], Plant]:
    """Adds a plant under the name of its function."""

    def add(plant: Plant) -> Plant:
        PLANTED[plant.__name__] = Planted(plant, needs, level, library)
        return plant

    return add


# ---------------------------------------------------------------------------------------------------- to the llvm dialect


@planted()
def operands_of_subtraction_swapped(patch: Patch) -> None:
    convert = RULES[arith.SubfOp]

    def swapped(to: Any, op: Any) -> None:
        op.operands = list(reversed(op.operands))
        convert(to, op)

    patch.setitem(RULES, arith.SubfOp, swapped)


@planted()
def less_becomes_at_most(patch: Patch) -> None:
    """cmpf olt  ->  fcmp ole"""
    convert, less, at_most = RULES[arith.CmpfOp], 4, 5

    def loose(to: Any, op: Any) -> None:
        if op.predicate.value.data == less:
            op.properties["predicate"] = IntegerAttr(at_most, i64)
        convert(to, op)

    patch.setitem(RULES, arith.CmpfOp, loose)


@planted()
def shifts_right_keep_the_sign(patch: Patch) -> None:
    patch.setitem(arith_to_llvm._INTEGER_OPERATIONS, arith.ShRUIOp, llvm.AShrOp)


@planted()
def integers_compare_unsigned(patch: Patch) -> None:
    """cmpi slt, sle, sgt, sge  ->  icmp ult, ule, ugt, uge"""
    convert = RULES[arith.CmpiOp]

    def unsigned(to: Any, op: Any) -> None:
        predicate = op.predicate.value.data
        if 2 <= predicate <= 5:
            op.properties["predicate"] = IntegerAttr(predicate + 4, i64)
        convert(to, op)

    patch.setitem(RULES, arith.CmpiOp, unsigned)


@planted(level=1)
def multiplications_and_additions_contract(patch: Patch) -> None:
    patch.setattr(arith_to_llvm, "fast_math", lambda flags: llvm.FastMathAttr("fast"))


@planted()
def constants_with_six_digits(patch: Patch) -> None:
    exact = llvm_text.float_text
    patch.setattr(llvm_text, "float_text", lambda value, type: exact(float(f"{value:.6g}"), type))


# ------------------------------------------------------------------------------------------------------- transformations


@planted()
def cse_ignores_attributes(patch: Patch) -> None:
    """Two comparisons of the same operands become one, whatever they ask."""
    exact = cse.key_of

    def careless(op: Any, numbers: Any) -> Any:
        key = exact(op, numbers)
        return (key[0], key[1], *key[3:]) if isinstance(op, arith.CmpfOp | arith.CmpiOp) else key

    patch.setattr(cse, "key_of", careless)


@planted()
def licm_takes_carried_values_for_invariant(patch: Patch) -> None:
    """What a loop carries is read as what it started with."""
    hoist = licm.Hoister.hoist_from

    def careless(self: Any, loop: Any) -> None:
        if isinstance(loop, scf.ForOp):
            for argument, initial in zip(loop.body.block.args[1:], loop.iter_args, strict=True):
                argument.replace_all_uses_with(initial)
        hoist(self, loop)

    patch.setattr(licm.Hoister, "hoist_from", careless)


@planted()
def dce_shifts_results(patch: Patch) -> None:
    """When results are dropped, those that are kept change places with others of their type."""
    sound = dce.Sweeper.replace

    def shifted(self: Any, op: Any, new: Any, kept: Any) -> Any:
        places = list(range(len(kept)))
        for type_ in dict.fromkeys(result.type for result in new.results):
            alike = [n for n in places if new.results[n].type == type_]
            for n, m in zip(alike, [*alike[1:], *alike[:1]], strict=True):
                places[n] = m
        return sound(self, op, new, [kept[n] for n in places])

    patch.setattr(dce.Sweeper, "replace", shifted)


@planted()
def draws_leave_their_generator_behind(patch: Patch) -> None:
    """The state after a draw is lost: the next draw starts from the one before."""
    emit = state.State.write

    def forgetful(self: Any, path: str, value: Any) -> None:
        if self.layout[path].bank != "rng" or "/random:ties" in path:
            emit(self, path, value)

    patch.setattr(state.State, "write", forgetful)


@planted()
def static_program_one_step_short(patch: Patch) -> None:
    _programs(patch, lambda steps: steps[:-1])


@planted()
def static_program_one_step_long(patch: Patch) -> None:
    _programs(patch, lambda steps: (*steps, *steps[:1]))


def _programs(patch: Patch, change: Callable[[Any], Any]) -> None:
    find = eliminate_scheduler.static_program

    def wrong(*arguments: Any, **options: Any) -> Any:
        found = find(*arguments, **options)
        return StaticProgram(change(found.steps)) if isinstance(found, StaticProgram) else found

    patch.setattr(eliminate_scheduler, "static_program", wrong)


@planted(library=True)
def old_versions_are_overwritten(patch: Patch) -> None:
    """bufferize never keeps a copy of what is read later."""
    patch.setattr(in_place.Planner, "conflicts", lambda *_: False)


# ------------------------------------------------------------------------------------------------------------- schedules


@planted()
def values_not_frozen_within_a_step(patch: Patch) -> None:
    patch.setattr(trial.TrialEmitter, "frozen", staticmethod(lambda *_: {}))


@planted("EveryNCalls")
def used_calls_not_zeroed(patch: Patch) -> None:
    """EveryNCalls finds the calls again that it has used."""
    count = passes.count_call

    class Lenient:
        def __init__(self, plan: Any):
            self.plan = plan
            self.used_by: dict[str, tuple[str, ...]] = {}

        def __getattr__(self, name: str) -> Any:
            return getattr(self.plan, name)

    patch.setattr(passes, "count_call", lambda state, plan, node, called: count(state, Lenient(plan), node, called))


@planted()
def pass_counters_not_cleared(patch: Patch) -> None:
    patch.setattr(passes, "begin", lambda *_: None)


@planted()
def trial_counters_not_cleared(patch: Patch) -> None:
    patch.setattr(trial, "begin", lambda *_: None)


@planted("NWhen")
def n_when_counts_when_not_asked(patch: Patch) -> None:
    holds = conditions.ConditionEmitter.holds
    patch.setattr(conditions.ConditionEmitter, "holds", lambda self, state, part, owner=None, asked=None: holds(self, state, part, owner))


@planted()
def trial_end_tested_once_per_pass(patch: Patch) -> None:
    one_pass = passes._Passes.one_pass

    def untested(self: Any, state: Any) -> None:
        self.trial_is_over = lambda state, asked: state.emitter.flag(False)
        one_pass(self, state)
        del self.trial_is_over

    patch.setattr(passes._Passes, "one_pass", untested)


@planted()
def layers_scanned_once(patch: Patch) -> None:
    patch.setattr(passes._Passes, "_needs_another_scan", lambda *_: False)


@planted("JustRan")
def last_set_forgotten(patch: Patch) -> None:
    patch.setattr(passes._Passes, "_remember_set", lambda *_: None)


@planted("reset")
def resets_forgotten(patch: Patch) -> None:
    patch.setattr(trial, "reset_nodes", lambda *_: None)


@planted()
def thresholds_of_counters_off_by_one(patch: Patch) -> None:
    patch.setitem(conditions.INTEGER_RELATIONS, ">=", "sgt")


# ----------------------------------------------------------------------------------------------------------------- nodes


@planted()
def modulation_adds_instead_of_multiplying(patch: Patch) -> None:
    modulated = nodes.modulated

    def added(emitter: Any, default: Any, effects: Any, hint: str) -> Any:
        modes = {Modulation.MULTIPLY: Modulation.ADD}
        return modulated(emitter, default, [(modes.get(mode, mode), value) for mode, value in effects], hint)

    patch.setattr(nodes, "modulated", added)


@planted()
def products_combined_as_sums(patch: Patch) -> None:
    combine = nodes.combine
    patch.setattr(nodes, "combine", lambda state, port, terms: combine(state, replace(port, combine="sum"), terms))


@planted("until_finished")
def one_execution_too_many(patch: Patch) -> None:
    add = Layout.add_parameter

    def late(self: Layout, path: str, type: Any, default: Any) -> Any:
        return add(self, path, type, default + 1 if path.endswith("/limit:executions") else default)

    patch.setattr(Layout, "add_parameter", late)


@planted("recurrent")
def recurrent_projections_evaluated_once(patch: Patch) -> None:
    start = nodes._Execution.__init__

    def once(self: Any, *arguments: Any) -> None:
        start(self, *arguments)
        known = self.executable
        self.executable = SimpleNamespace(name=known.name, inputs=known.inputs, modulations=known.modulations, projections=[], op=known.op)

    patch.setattr(nodes._Execution, "__init__", once)


@planted()
def matrices_transposed(patch: Patch) -> None:
    """A square matrix is read by columns."""
    times = tensors.vector_times_matrix

    def transposed(emitter: Any, vector: Any, matrix: Any) -> Any:
        result = times(emitter, vector, matrix)
        rows, columns = matrix.type.get_shape()
        if rows == columns:
            op = result.owner
            maps = list(op.indexing_maps.data)
            maps[1] = type(maps[1])(type(maps[1].data)(2, 0, tuple(reversed(maps[1].data.results))))
            op.properties["indexing_maps"] = type(op.indexing_maps)(maps)
        return result

    patch.setattr(bodies, "vector_times_matrix", transposed)


@planted("instance")
def modulation_does_not_reach_inside(patch: Patch) -> None:
    patch.setattr(nodes, "effects_inside", lambda *_: {})
    patch.setattr(search, "effects_inside", lambda *_: {})


@planted()
def values_survive_branches(patch: Patch) -> None:
    """What was known of a port before an `scf.if` is taken to hold after it."""

    def stale(self: Any, carried: Any) -> None:
        for bank, value in zip(state.STATE_BANKS, carried, strict=False):
            self.banks[bank] = value
        for path, value in zip(self.generators, carried[2:], strict=True):
            self.generators[path] = value

    patch.setattr(state.State, "resume", stale)


# ---------------------------------------------------------------------------------------------------------------- search


@planted("grid_search")
def last_signal_is_the_slowest(patch: Patch) -> None:
    start = search._Search.__init__

    def reversed_axes(self: Any, *arguments: Any) -> None:
        start(self, *arguments)
        self.signals, self.counts = tuple(reversed(self.signals)), list(reversed(self.counts))
        self.signal_paths = list(reversed(self.signal_paths))

    patch.setattr(search._Search, "__init__", reversed_axes)


@planted("grid_search")
def ties_win(patch: Patch) -> None:
    """value < best  ->  value <= best"""
    loose = {"olt": "ole", "ogt": "oge"}

    class Loose:
        def __getattr__(self, name: str) -> Any:
            return getattr(arith, name)

        @staticmethod
        def CmpfOp(left: Any, right: Any, relation: str) -> Any:
            return arith.CmpfOp(left, right, loose.get(relation, relation))

    patch.setattr(search, "arith", Loose())


@planted("grid_search")
def costs_forgotten(patch: Patch) -> None:
    patch.setattr(search._Search, "_cost", lambda self, emitter, *_: emitter.number(0.0))


@planted("grid_search")
def simulations_not_seeded(patch: Patch) -> None:
    patch.setattr(search, "generators_of", lambda plan: [])


@planted("feature")
def features_ignored(patch: Patch) -> None:
    inputs = search._Search._inputs

    def plain(self: Any) -> Any:
        op, self.op = self.op, SimpleNamespace(features={})
        try:
            return inputs(self)
        finally:
            self.op = op

    patch.setattr(search._Search, "_inputs", plain)


# --------------------------------------------------------------------------------------------------- bodies of the library


def polar_the_other_way(words: Any) -> Any:
    """The pair of normals in the wrong order."""
    words = words.copy()
    if words[MT_HAS_GAUSS] != 0:
        kept = from_bits(words[MT_GAUSS])
        words[MT_HAS_GAUSS] = 0
        words[MT_GAUSS] = 0
        return kept, words
    x, y, square = 0.0, 0.0, 2.0
    while square >= 1.0 or square == 0.0:
        u, words = mt19937_uniform(words)
        v, words = mt19937_uniform(words)
        x = 2.0 * u - 1.0
        y = 2.0 * v - 1.0
        square = x * x + y * y
    factor = sqrt(divide(-2.0 * libm_log(square), square))
    words = words.copy()
    words[MT_HAS_GAUSS] = 1
    words[MT_GAUSS] = bits_of(factor * y)
    return factor * x, words


@planted("draws", library=True)
def normals_in_the_wrong_order(patch: Patch) -> None:
    patch.setitem(library_rng.BODIES, ("mt19937", "normal"), polar_the_other_way)


def refill_without_carry(words: Any) -> Any:
    """The counter grows in its second word."""
    words = words.copy()
    words[1] = wrapping_add(words[1], 1)
    c0, c1, c2, c3 = words[0], words[1], words[2], words[3]
    key0, key1 = words[PHILOX_KEY], words[PHILOX_KEY + 1]
    for _ in range(10):
        high0, low0 = mul_hi_unsigned(PHILOX_MULTIPLIER_0, c0), wrapping_mul(PHILOX_MULTIPLIER_0, c0)
        high1, low1 = mul_hi_unsigned(PHILOX_MULTIPLIER_1, c2), wrapping_mul(PHILOX_MULTIPLIER_1, c2)
        c0, c1, c2, c3 = high1 ^ c1 ^ key0, low1, high0 ^ c3 ^ key1, low0
        key0, key1 = wrapping_add(key0, PHILOX_WEYL_0), wrapping_add(key1, PHILOX_WEYL_1)
    words[PHILOX_BUFFER] = c0
    words[PHILOX_BUFFER + 1] = c1
    words[PHILOX_BUFFER + 2] = c2
    words[PHILOX_BUFFER + 3] = c3
    words[PHILOX_POSITION] = 0
    return words


@planted("draws", library=True)
def philox_counter_in_the_wrong_word(patch: Patch) -> None:
    patch.setattr(library_rng, "philox4x64_refill", refill_without_carry)


def coarse_uniform(words: Any) -> Any:
    """52 bits instead of 53."""
    bits, words = philox4x64_next(words)
    return float_of(shift_right_logical(bits, 12)) * 2.220446049250313e-16, words


@planted("draws", library=True)
def uniforms_with_a_bit_less(patch: Patch) -> None:
    patch.setattr(library_rng, "philox4x64_uniform", coarse_uniform)


def careless_tanh(x: float) -> float:
    """The definition as it stands in books, which rounds more often."""
    return 1.0 - 2.0 / (exp(2.0 * x) + 1.0)


@planted("tanh", library=True)
def tanh_by_another_formula(patch: Patch) -> None:
    patch.setitem(expand_math.SOURCES, "tanh", careless_tanh)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------------------- the tests


@dataclass
class Case:
    """A random model and what is right for it."""

    drawn: Drawn

    @cached_property
    def right(self) -> tuple[Any, ...]:
        """What the interpreter says; the clean compiler must say the same."""
        with np.errstate(all="ignore"):
            interpreted = behaviour(self.drawn, "python")
            with optimised(0):
                assert behaviour(self.drawn, "run") == interpreted, f"the clean compiler is wrong\n{self.drawn.model.ir()}"
        return interpreted

    def compiled(self) -> tuple[Any, ...]:
        """What the compiler as it is now says. (A plant must compile: that it is refused shows nothing.)"""
        with np.errstate(all="ignore"):
            return behaviour(self.drawn, "run")


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    found: list[Case] = []

    @seed(SEED)
    @settings(max_examples=BOUND, deadline=None, database=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
    @given(st.data())
    def collect(data: Any) -> None:
        found.append(Case(random_model(data.draw)))

    collect()
    return found


@contextmanager
def optimised(level: int) -> Iterator[None]:
    """Machine code is made with as much optimisation as this."""
    sound = jit.compile_to_object
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jit, "compile_to_object", lambda ir, **options: sound(ir, **{"target": host(level), **options}))
        yield


def find(plan: Planted, cases: list[Case]) -> tuple[int, int] | None:
    """The number of the first model that shows the plant, and how many were compiled until then."""
    compiled = 0
    body, functions = expand_rng.body, expand_math.library
    if plan.library:
        body, functions = cache(body.__wrapped__), cache(functions.__wrapped__)
    for number, case in enumerate(cases, 1):
        if plan.needs is not None and not case.drawn.tags[plan.needs]:
            continue
        compiled += 1
        right = case.right
        with optimised(plan.level), pytest.MonkeyPatch.context() as patch:
            patch.setattr(expand_rng, "body", body)
            patch.setattr(expand_math, "library", functions)
            plan.plant(patch)
            wrong = case.compiled()
        if wrong != right:
            return number, compiled
    return None


@pytest.mark.full
@pytest.mark.parametrize("name", PLANTED)
def test_is_caught(name: str, cases: list[Case], capsys: pytest.CaptureFixture[str]) -> None:
    found = find(PLANTED[name], cases)
    assert found is not None, f"{name}: no difference in {len(cases)} models"
    number, compiled = found
    with capsys.disabled():
        print(f"\n  {name:50s} at model {number} ({compiled} compiled)", end="")


@pytest.mark.full
@pytest.mark.parametrize("library", [False, True])
@pytest.mark.parametrize("level", [0, 1])
def test_nothing_planted_is_nothing_found(level: int, library: bool, cases: list[Case]) -> None:
    """The control: what catches a plant is the plant."""
    assert find(Planted(lambda _: None, None, level, library), cases[:40]) is None


def test_there_are_twenty() -> None:
    assert len(PLANTED) >= 20
