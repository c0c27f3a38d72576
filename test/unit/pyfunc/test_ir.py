"""The IR that functions become: its text, how few operations it takes, and that MLIR itself accepts it."""

# pyright: basic
from collections import Counter
from io import StringIO
from textwrap import dedent

import numpy as np
from support.mlir_tools import need_tools, run_tool
from support.pyfunc import compile_for, type_of
from unit.pyfunc import test_control_flow, test_expressions
from xdsl.dialects.builtin import FileLineColLoc, ModuleOp, TensorType, f64, i64
from xdsl.printer import Printer

from cogir.dialects.rng import StateType
from cogir.dialects.text import parse_text
from cogir.library import distributions, transfer
from cogir.library.psyneulink import integrators, objectives, selection
from cogir.library.psyneulink import transfer as transfer_of_psyneulink
from cogir.library.signature import REQUIRED, Random, Static, Step, signature_of
from cogir.pyfunc.table import FunctionTable, compile_function

V3 = TensorType(f64, [3])
X = np.array([1.0, 2.0, 3.0])


def gain_control(stimulus, *, gain=1.0, bias=0.0):
    """One elementwise expression and a sum."""
    net = gain * stimulus + bias
    response = 1.0 / (1.0 + np.exp(-net))
    total = np.sum(response)
    return response / total if total > 0.5 else response


def text_of(function, types, **options):
    table = FunctionTable()
    compile_function(function, types, name=function.__name__, symbol_table=table, **options)
    return "\n".join(str(op) for op in table.functions())


def test_the_text_of_a_small_function():
    assert text_of(gain_control, [V3, f64, f64]) == dedent("""\
        func.func private @gain_control(%stimulus: tensor<3xf64>, %gain: f64, %bias: f64) -> tensor<3xf64> {
          %0 = arith.constant 1.000000e+00 : f64
          %1 = arith.constant dense<0.000000e+00> : tensor<f64>
          %2 = arith.constant 5.000000e-01 : f64
          %3 = tensor.empty() : tensor<3xf64>
          %response = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], \
iterator_types = ["parallel"]} ins(%stimulus : tensor<3xf64>) outs(%3 : tensor<3xf64>) {
          ^bb0(%4: f64, %5: f64):
            %6 = arith.mulf %gain, %4 : f64
            %7 = arith.addf %6, %bias : f64
            %8 = arith.negf %7 : f64
            %9 = math.exp %8 : f64
            %10 = arith.addf %0, %9 : f64
            %11 = arith.divf %0, %10 : f64
            linalg.yield %11 : f64
          } -> tensor<3xf64>
          %12 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], \
iterator_types = ["reduction"]} ins(%response : tensor<3xf64>) outs(%1 : tensor<f64>) {
          ^bb0(%13: f64, %14: f64):
            %15 = arith.addf %14, %13 : f64
            linalg.yield %15 : f64
          } -> tensor<f64>
          %total = tensor.extract %12[] : tensor<f64>
          %16 = arith.cmpf ogt, %total, %2 : f64
          %17 = tensor.empty() : tensor<3xf64>
          %18 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], \
iterator_types = ["parallel"]} ins(%response : tensor<3xf64>) outs(%17 : tensor<3xf64>) {
          ^bb0(%19: f64, %20: f64):
            %21 = arith.divf %19, %total : f64
            %22 = arith.select %16, %21, %19 : f64
            linalg.yield %22 : f64
          } -> tensor<3xf64>
          func.return %18 : tensor<3xf64>
        }""")


def counts(function, *inputs, **given):
    module, _ = compile_for(function, *inputs, **given)
    return Counter(op.name for op in module.walk())


def test_a_whole_expression_is_one_generic():
    found = counts(lambda x: np.where(x > 0, np.tanh(2 * x + 1), -x) * np.clip(x, -1, 1), X)
    assert found["linalg.generic"] == 1


def test_a_name_that_is_read_once_does_not_end_the_expression():
    def steps(x):
        a = x * 2
        b = a + 1
        return np.sum(b)

    assert counts(steps, X)["linalg.generic"] == 1


def test_a_reduction_takes_its_operand_into_its_body():
    assert counts(lambda x: np.sqrt(np.sum((x - 1.0) ** 2)), X)["linalg.generic"] == 1


def test_size_does_not_depend_on_the_length_of_arrays():
    def smooth(x):
        y = np.zeros(x.shape)
        for i in range(len(x)):
            y[i] = x[i] * 0.5 + np.mean(x)
        return y

    assert counts(smooth, X) == counts(smooth, np.ones(1000))


def test_equal_constants_are_one_operation():
    found = counts(lambda x: (x + 2.5) * 2.5 - 2.5 / x, 1.0)
    assert found["arith.constant"] == 1


def test_equal_calls_share_one_function():
    def inner(v, scale=2.0):
        return v * scale

    def outer(x):
        return inner(x) + inner(x, 3.0) + inner(x, scale=x[0])

    assert counts(outer, X)["func.func"] == 2


def test_an_index_that_is_known_to_fit_needs_no_check():
    def total(x):
        result = 0.0
        for i in range(1, 3):
            result += x[i - 1] * x[-i]
        return result

    assert not counts(total, X).keys() & {"arith.maxsi", "arith.minsi", "arith.select"}


def test_unused_values_are_left_out():
    assert counts(lambda x: (lambda a, b: a)(x + 1.0, np.exp(x)), 1.0)["math.exp"] == 0


def test_operations_know_the_line_they_come_from():
    table = FunctionTable()
    op = compile_function(gain_control, [V3, f64, f64], name="f", symbol_table=table)
    first = gain_control.__code__.co_firstlineno
    lines = {inner.name: inner.location.line.data - first for inner in op.walk() if isinstance(inner.location, FileLineColLoc)}
    assert lines["func.func"] == 0
    assert lines["math.exp"] == 3
    assert lines["arith.cmpf"] == 5
    assert isinstance(op.location, FileLineColLoc)
    assert op.location.filename.data == "unit/pyfunc/test_ir.py"


def diffuse(x, *, rate: Static = 2, random: Random):
    value = 0.0
    while abs(value) < 1.0:
        value += rate * x * random.normal()
    return value


def test_specialisations_are_separate_functions():
    table = FunctionTable()
    types = [f64, StateType("mt19937")]
    one = compile_function(diffuse, types, name="diffuse", symbol_table=table)
    two = compile_function(diffuse, types, name="diffuse", statics={"rate": 3}, symbol_table=table)
    again = compile_function(diffuse, types, name="other", statics={"rate": 2}, symbol_table=table)
    philox = compile_function(diffuse, [f64, StateType("philox4x64")], name="diffuse", symbol_table=table)
    assert one is again
    assert [op.sym_name.data for op in (one, two, philox)] == ["diffuse", "diffuse_1", "diffuse_2"]


def test_names_are_taken_around_reserved_symbols():
    table = FunctionTable(reserved=["f"])
    assert compile_function(gain_control, [V3, f64, f64], name="f", symbol_table=table).sym_name.data == "f_1"
    assert compile_function(lambda x: x, [f64], name="my node", symbol_table=table).sym_name.data == "my_node"


def accepted_by_mlir(module: ModuleOp) -> None:
    need_tools("mlir-opt")
    out = StringIO()
    Printer(stream=out, print_generic_format=True).print_op(module)
    run_tool("mlir-opt", "--allow-unregistered-dialect", text=out.getvalue())


def functions_of_the_tests() -> ModuleOp:
    """What the tests of expressions and control flow compile, in one module."""
    table = FunctionTable()
    vector, matrix, numbers = type_of(test_expressions.X), type_of(test_expressions.M), TensorType(i64, [3])
    for function in test_expressions.ONE.values():
        compile_function(function, [vector, vector], name="two_arrays", symbol_table=table)
    for function in test_expressions.MATRIX.values():
        compile_function(function, [matrix, vector], name="matrix", symbol_table=table)
    for function in test_expressions.INTEGERS.values():
        compile_function(function, [numbers, i64], name="integers", symbol_table=table)
    for function in test_control_flow.LOOPS:
        compile_function(function, [f64, i64], name="loops", symbol_table=table)
    for function in test_control_flow.ARRAYS:
        compile_function(function, [type_of(test_control_flow.X)], name="arrays", symbol_table=table)
    module = ModuleOp(table.functions())
    module.verify()
    return module


def test_mlir_accepts_what_the_tests_compile():
    accepted_by_mlir(functions_of_the_tests())


def test_what_the_tests_compile_is_read_back():
    text = str(functions_of_the_tests())
    assert str(parse_text(text)) == text


def test_mlir_accepts_the_library():
    table = FunctionTable()
    count = 0
    for library in (distributions, integrators, objectives, selection, transfer, transfer_of_psyneulink):
        for name, function in vars(library).items():
            if name.startswith("_") or getattr(function, "__module__", None) != library.__name__:
                continue
            signature = signature_of(function)
            if any(value is REQUIRED for value in (*signature.statics.values(), *signature.params.values())):
                continue
            width = [2, 3] if library is objectives else [3]
            of_numbers = name == "normal_quantile"
            types = [f64 if of_numbers else TensorType(f64, width) for _ in signature.inputs]
            types += [type_of(value) for value in (*signature.params.values(), *signature.states.values())]
            types += [StateType("mt19937") for _ in signature.randoms]
            compile_function(function, types, name=name, symbol_table=table)
            count += 1
    module = ModuleOp(table.functions())
    module.verify()
    accepted_by_mlir(module)
    assert count > 30


def test_a_step_is_outputs_states_generators_finished():
    def step(x, *, value=0.0, random: Random):
        return Step(outputs=(x, x + random.normal()), finished=x > value)

    table = FunctionTable()
    op = compile_function(step, [f64, f64, StateType("mt19937")], name="step", symbol_table=table)
    assert [str(type) for type in op.function_type.outputs] == ["f64", "f64", "!rng.state<mt19937>", "i1"]
    assert op.sym_visibility is not None
    assert op.sym_visibility.data == "private"
