"""Code with the values of parameters folded in: the same bits as the generic code, whatever the numbers are."""

import math
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.compare_models import behaviour, bits, first_difference
from support.long import long
from support.random.models import random_model
from support.random.nodes import fitting
from support.specialised import specialised_runs
from xdsl.context import Context
from xdsl.dialects import arith, func, tensor
from xdsl.dialects.builtin import DictionaryAttr, ModuleOp

import cogir
from cogir.errors import LoweringError
from cogir.frontend.text import parse
from cogir.interpreters.levels import run_function
from cogir.irutils import dense_of_array
from cogir.lowering.pipeline import SPECIALISATION, lower_to
from cogir.transforms.constant_arguments import COPIES
from cogir.transforms.dce import DeadCode
from cogir.transforms.fold_constants import FoldConstants
from cogir.transforms.fold_parameters import FOLDED, LARGE, MANY

pytestmark = pytest.mark.sampled(3)

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "examples"))

from catalogue import EXAMPLES  # noqa: E402

QUICK = ("chain_conditions", "ddm_integrator", "evc_ddm", "lca", "multitasking", "predator_prey_s")
AWKWARD = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 5e-324, 1e-310, 1e308, -1e-160, math.inf, -math.inf, math.nan]
OPERATIONS = ("arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.maximumf", "arith.minimumf")
RELATIONS = ("oeq", "ogt", "oge", "olt", "ole", "one", "ueq", "ugt", "ult", "une", "ord", "uno")


def written(number: float) -> str:
    """A number as MLIR has it."""
    return f"0x{int(np.float64(number).view(np.uint64)):016X}"


MAP = '{{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}}'
STATEMENTS = {
    "operation": "%v{n} = {op} {a}, {b} : f64",
    "choice": "%c{n} = arith.cmpf {relation}, {a}, {b} : f64 %v{n} = arith.select %c{n}, {b}, {c} : f64",
    "branch": "%c{n} = arith.cmpf {relation}, {a}, {b} : f64 %v{n} = scf.if %c{n} -> (f64) {{ scf.yield {a} : f64 }} else {{ "
    "%i{n} = {op} {a}, {c} : f64 scf.yield %i{n} : f64 }}",
    "array": "%t{n} = tensor.from_elements {a}, {b} : tensor<2xf64> %e{n} = tensor.empty() : tensor<2xf64> %g{n} = linalg.generic "
    + MAP
    + " ins(%t{n}, {c} : tensor<2xf64>, f64) outs(%e{n} : tensor<2xf64>) {{ ^bb0(%a{n}: f64, %b{n}: f64, %o{n}: f64): "
    "%s{n} = {op} %a{n}, %b{n} : f64 linalg.yield %s{n} : f64 }} -> tensor<2xf64> "
    "%k{n} = arith.constant 1 : index %v{n} = tensor.extract %g{n}[%k{n}] : tensor<2xf64>",
    "constant": "%v{n} = arith.constant {number} : f64",
}
"""What a random function consists of."""


def random_function(source: Random) -> str:
    """A function that calls another one, once with its arguments and twice with a constant; returned is all that is computed there."""
    lines: list[str] = []
    names = ["%x", "%y"]
    for number in range(source.randint(2, 14)):
        statement = STATEMENTS[source.choice(["constant", "constant", "operation", "operation", *STATEMENTS])]
        a, b, c = source.choices(names, k=3)
        op, relation, constant = source.choice(OPERATIONS), source.choice(RELATIONS), written(source.choice(AWKWARD))
        lines.append(statement.format(n=number, a=a, b=b, c=c, op=op, relation=relation, number=constant))
        names.append(f"%v{number}")
    count = len(lines)
    types = ", ".join(["f64"] * count)
    calls = [f"%r{n}:{count} = func.call @inner(%x, {other}) : (f64, f64) -> ({types})" for n, other in enumerate(("%y", "%p", "%q"))]
    constants = [f"%{name} = arith.constant {written(source.choice(AWKWARD))} : f64" for name in "pq"]
    results = ", ".join(f"%r{call}#{n}" for call in range(3) for n in range(count))
    inner = [f"func.func private @inner(%x: f64, %y: f64) -> ({types}) {{", *lines, f"func.return {', '.join(names[2:])} : {types}", "}"]
    outer = [f"func.func @f(%x: f64, %y: f64) -> ({', '.join([types] * 3)}) {{", *constants, *calls]
    return "\n".join([*inner, *outer, f"func.return {results} : {', '.join([types] * 3)}", "}"])


@settings(max_examples=150, deadline=None)
@given(st.randoms(use_true_random=True), st.sampled_from(AWKWARD), st.sampled_from(AWKWARD))
def test_folding_changes_no_bit(source: Random, x: float, y: float) -> None:
    text = random_function(source)
    expected = run_function(parse(text), "f", (x, y))
    folded = parse(text)
    FoldConstants().apply(Context(), folded)
    folded.verify()
    DeadCode().apply(Context(), folded)
    folded.verify()
    assert bits(run_function(folded, "f", (x, y))) == bits(expected), text


def test_arrays_without_elements_do_no_harm() -> None:
    text = """
    func.func @f(%x: f64) -> (tensor<0xf64>, tensor<f64>) {
      %none = arith.constant dense<> : tensor<0xf64>
      %zero = arith.constant dense<0.0> : tensor<f64>
      %same = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
          ins(%none : tensor<0xf64>) outs(%none : tensor<0xf64>) {
      ^bb0(%a: f64, %o: f64):
        %s = arith.addf %a, %x : f64
        linalg.yield %s : f64
      } -> tensor<0xf64>
      %sum = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
          ins(%none : tensor<0xf64>) outs(%zero : tensor<f64>) {
      ^bb0(%a: f64, %t: f64):
        %s = arith.addf %a, %t : f64
        linalg.yield %s : f64
      } -> tensor<f64>
      func.return %same, %sum : tensor<0xf64>, tensor<f64>
    }"""
    folded = parse(text)
    FoldConstants().apply(Context(), folded)
    folded.verify()
    same, total = run_function(folded, "f", (1.0,))
    assert (same.size, total.tolist()) == (0, 0.0)


def results_of(compiled: cogir.Compiled, name: str) -> bytes:
    """All that can be seen of a run of an example."""
    result = compiled.run(EXAMPLES[name].inputs, num_trials=EXAMPLES[name].trials if "predator" not in name else 2)
    state = [bits(compiled.state[path]) for path in sorted(compiled.state)]
    words = [compiled.generators.words(path).tobytes() for path in sorted(compiled.generators)]
    return b"".join([*(bits(value) for trial in result.results for value in trial), *state, *words])


@pytest.mark.parametrize("name", [*QUICK, *long(*(name for name in EXAMPLES if name not in (*QUICK, "predator_prey_xl")))])
def test_examples(name: str) -> None:
    """Every example, all of its parameters folded in, and with one of them read as before."""
    compiled = EXAMPLES[name].build().compile(mode="run", cache=False)
    expected = results_of(compiled, name)
    kept = next(path for path in compiled.params if "/param:" in path)
    for keep in ((), (kept,)):
        compiled.reset()
        version = compiled.specialise(keep=keep)
        assert results_of(compiled, name) == expected
        assert version.runs >= 1 or keep
        assert compiled.version() is not None


@pytest.mark.parametrize("numbers", [range(2), *long(range(2, 300))])
def test_random_models(numbers: range) -> None:
    """Also with parameters that change between runs, awkward ones among them."""
    for number in numbers:
        drawn = random_model(Random(number))
        compiled = drawn.model.compile(mode="python")
        for place, path in enumerate(drawn.changes):
            if number % 3 == 0:
                awkward = Random(number + place).choice([0.0, -0.0, 1.0, -1.0, math.nan, math.inf])
                drawn.changes[path] = fitting(compiled.plan.ranges.get(compiled.params.path(path)), awkward)
        with np.errstate(all="ignore"):
            expected = behaviour(drawn, "run")
            with specialised_runs() as taken:
                found = behaviour(drawn, "run")
        assert taken == [1, 1, 1]
        assert first_difference(expected, found) is None, number


@pytest.mark.parametrize("numbers", [(8,), *long((3, 21))])
@pytest.mark.parametrize("left_out", [*SPECIALISATION, SPECIALISATION])
def test_each_pass_can_be_left_out(left_out: str | tuple[str, ...], numbers: tuple[int, ...]) -> None:
    without = (left_out,) if isinstance(left_out, str) else left_out
    for number in numbers:
        drawn = random_model(Random(number))
        expected = behaviour(drawn, "run")
        with specialised_runs() as taken:
            assert first_difference(expected, behaviour(drawn, "run", without=without)) is None, number
        assert taken == [1, 1, 1]


# What is folded


def lowered(model: cogir.Model, **attributes: np.ndarray) -> ModuleOp:
    """The model at stage `machine`, its values, or those given, folded in."""
    module = model.ir()
    if attributes:
        module.attributes[FOLDED] = DictionaryAttr({buffer: dense_of_array(values) for buffer, values in attributes.items()})
    lower_to(module, "machine", specialise=True, verify=True)
    return module


def trial_of(module: ModuleOp) -> func.FuncOp:
    return next(op for op in module.ops if isinstance(op, func.FuncOp) and op.sym_name.data == "trial")


def reads(module: ModuleOp) -> int:
    """How many operations of `@trial` take a parameter buffer."""
    return sum(len(list(argument.uses)) for argument in trial_of(module).args[:2])


def weighted(matrix: np.ndarray) -> cogir.Model:
    model = cogir.Model("m")
    a, b = model.node("a", input=matrix.shape[0]), model.node("b", input=matrix.shape[1])
    model.project(a, b, matrix=matrix)
    return model


def test_nothing_is_read_any_more() -> None:
    model = cogir.Model("m")
    a = model.node("a", cogir.library.linear, input=2, slope=2.0)
    b = model.node("b", cogir.library.logistic, input=2, gain=3.0)
    model.project(a, b, matrix=np.eye(2))
    assert reads(lowered(model)) == 0


def test_large_arrays_are_read_unless_they_are_mostly_zeros() -> None:
    side = math.isqrt(LARGE) + 1
    dense = np.arange(1.0, side * side + 1).reshape(side, side)
    assert reads(lowered(weighted(dense))) == 1
    assert reads(lowered(weighted(np.diag(np.ones(side))))) == 0


def test_numbers_beside_a_large_array_are_folded() -> None:
    """Units of one kind are handed a part of the buffer that holds both: their function is opened, and reads the array alone."""
    side = math.isqrt(LARGE) + 1
    model = cogir.Model("m")
    last = model.node("first", input=side)
    for number in range(6):
        unit = model.node(f"n{number}", cogir.library.logistic, input=side, gain=1.0 + number, bias=-0.0)
        model.project(last, unit, matrix=np.arange(1.0, side * side + 1).reshape(side, side) / side)
        last = unit
    module = lowered(model)
    assert not [op for op in module.walk() if isinstance(op, tensor.ExtractOp)]
    assert reads(module) == 6
    compiled = model.compile(mode="run", cache=False)
    given = np.linspace(-1.0, 1.0, 3 * side).reshape(3, side)
    expected = bits(compiled.run({"first": given})["n5"])
    assert compiled.specialise().runs == 0
    assert bits(compiled.run({"first": given})["n5"]) == expected


def test_units_of_one_kind_with_equal_values_share_them_however_many_there_are() -> None:
    model = cogir.Model("m")
    for number in range(MANY + 20):
        model.node(f"n{number}", cogir.library.logistic, input=3, gain=2.0, bias=0.25 * (number % 2))
    module = lowered(model)
    assert reads(module) == 0
    assert len({op.callee.string_value() for op in trial_of(module).walk() if isinstance(op, func.CallOp)}) == 2


def test_a_modulated_parameter_is_only_folded_where_it_is_its_own_number() -> None:
    model = cogir.Model("m")
    gate = model.node("gate")
    unit = model.node("unit", cogir.library.linear, slope=2.0)
    model.modulate(gate, unit.param("slope"))
    function = trial_of(lowered(model))
    products = [op for op in function.walk() if isinstance(op, arith.MulfOp)]
    assert any(isinstance(op.lhs.owner, arith.ConstantOp) and op.rhs.owner is not op.lhs.owner for op in products)
    compiled = model.compile(mode="run", specialise=True)
    assert [compiled.run({"gate": [[g]], "unit": [[1.5]]})["unit"].item() for g in (1.0, 3.0)] == [3.0, 9.0]


def test_a_state_that_starts_from_a_parameter_is_no_constant() -> None:
    """It is read from the state in each trial, and a reset puts it back to the value that was folded in."""
    model = cogir.Model("m")
    unit = model.node("unit", cogir.library.psyneulink.simple_integrator, previous_value=0.5)
    model.schedule.reset(unit, cogir.AtTrialNStart(2))
    compiled = model.compile(mode="run", cache=False)
    expected = compiled.run({"unit": [[1.0]]}, num_trials=5)["unit"].ravel().tolist()
    compiled.reset()
    compiled.specialise()
    assert compiled.run({"unit": [[1.0]]}, num_trials=5)["unit"].ravel().tolist() == expected
    assert len(set(expected)) > 2


def test_a_branch_that_parameters_decide_is_gone() -> None:
    def either(x: cogir.library.Value, *, which: float = 1.0) -> cogir.library.Value:
        if which > 0.5:
            y = x + 1.0
        else:
            y = np.exp(x)
        return y

    model = cogir.Model("m")
    model.node("a", either)
    names = {op.name for op in lowered(model).walk()}
    assert not names & {"scf.if", "math.exp", "arith.cmpf", "arith.select"}


def test_crowds_share_code_for_the_same_values() -> None:
    """Six units with two sets of values have two functions; two hundred with values of their own have the one that they had."""
    for count, kinds, expected in ((6, 2, 2), (MANY + 10, MANY + 10, 1)):
        model = cogir.Model("m")
        for number in range(count):
            model.node(f"n{number}", cogir.library.logistic, input=3, gain=1.0 + number % kinds, bias=0.25)
        module = lowered(model)
        called = {op.callee.string_value() for op in trial_of(module).walk() if isinstance(op, func.CallOp)}
        assert len(called) == expected
    assert COPIES <= MANY


def test_values_that_do_not_fit_the_model_are_refused() -> None:
    model = weighted(np.eye(2))
    with pytest.raises(LoweringError, match=r"cog.folded has 1 values of float64 in pf, but the model has 8 of float64"):
        lowered(model, pf=np.zeros(1), pi=np.zeros(1, np.int64))
    with pytest.raises(LoweringError, match=r'cog.folded has no array "pi"; give the values of both buffers'):
        lowered(model, pf=np.zeros(8))


def test_folding_belongs_to_the_way_to_stage_machine() -> None:
    module = weighted(np.eye(2)).ir()
    lower_to(module, "machine")
    with pytest.raises(
        LoweringError,
        match="parameters are folded during the lowering to stage machine, which is not part of the lowering from machine to loops",
    ):
        lower_to(module, "loops", since="machine", specialise=True)


def test_the_generic_road_takes_none_of_these_passes() -> None:
    module = weighted(np.eye(2)).ir()
    seconds: dict[str, float] = {}
    lower_to(module, "machine", seconds=seconds)
    assert not set(SPECIALISATION) & set(seconds)
    assert reads(module) == 1
