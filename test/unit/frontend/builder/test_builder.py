"""The builder: what it keeps, what it makes of it, and what it decides by itself."""

import numpy as np
import pytest
from xdsl.dialects.builtin import FileLineColLoc

import cogir
from cogir import library
from cogir.dialects import cog, rng
from cogir.library import Random, State, Step, node_function
from cogir.library.random.generators import pack


def model_op(m: cogir.Model) -> cog.ModelOp:
    module = m.ir()
    module.verify()
    return next(op for op in module.body.block.ops if isinstance(op, cog.ModelOp))


@node_function(outputs=("value", "time"))
def clock(variable, *, rate=1.0, time: State = 0.0, random: Random):
    """Counts its executions."""
    return Step(outputs=(variable * rate + random.normal(variable.shape), time + 1.0), states=(time + 1.0,), finished=time > 3.0)


def test_a_node_carries_what_was_given():
    m = cogir.Model("m")
    m.node("n", clock, input=2, rate=2, time=5, seed=7, execute_until_finished=True, max_executions_before_finished=9, initial={"time": 3})
    node = model_op(m).nodes[0]
    assert dict(node.inputs) == {"variable": cog.const(np.zeros(2)).type}
    assert [(name, cog.const_value(value)) for name, value in node.params] == [("rate", 2.0)]
    assert [(name, cog.const_value(value)) for name, value in node.states] == [("time", 5.0)]
    assert [cog.const_value(value) for _, value in node.outputs][1] == 3.0
    assert node.execute_until_finished is not None
    assert node.max_executions == 9
    assert node.yield_op.finished is not None


def test_states_grow_to_the_shape_of_their_successors():
    m = cogir.Model("m")
    n = m.node("n", library.psyneulink.simple_integrator, input=3, previous_value=1.0)
    assert n.outputs["value"].shape == (3,)
    assert cog.const_value(model_op(m).nodes[0].states[0][1]).tolist() == [1.0, 1.0, 1.0]


def test_whole_numbers_are_numbers_unless_the_function_says_otherwise():
    def f(variable, *, rate=1.0, steps=2):
        return variable * rate * steps

    m = cogir.Model("m")
    m.node("n", f, rate=3, steps=4)
    m.node("o", f, steps=0.5)
    values = [[cog.const_value(value) for _, value in node.params] for node in model_op(m).nodes]
    assert values == [[3.0, 4], [1.0, 0.5]]
    assert [type(value) for value in values[0]] == [float, int]


def test_generators_without_a_seed_are_numbered():
    m = cogir.Model("m", seed=40)
    m.node("a", clock)
    m.node("b", clock, seed=5)
    m.node("c", clock, prng="philox4x64")
    m.node("d", clock, state=np.random.RandomState([3]))
    streams = [op for op in m.ir().body.block.ops if isinstance(op, rng.StreamOp)]
    assert [(s.kind.data, *(None if n is None else n.value.data for n in (s.seed, s.number))) for s in streams] == [
        ("xoshiro256", 40, 0),
        ("xoshiro256", 5, None),
        ("philox4x64", 40, 1),
        ("mt19937", None, None),
    ]
    assert pack(m.compile().generators["c"]).tolist() == pack(np.random.Philox([41])).tolist()
    assert streams[3].words is not None
    assert list(streams[3].words[:624]) == np.random.RandomState([3]).get_state()[1].tolist()


@pytest.mark.parametrize(
    ("matrix", "expected"),
    [
        (None, None),
        ("full", np.ones((2, 2))),
        ("hollow", [[0.0, 1.0], [1.0, 0.0]]),
        ("inverse_hollow", [[0.0, -1.0], [-1.0, 0.0]]),
        ([[1, 2], [3, 4]], [[1.0, 2.0], [3.0, 4.0]]),
    ],
)
def test_matrices(matrix, expected):
    m = cogir.Model("m")
    m.project(m.node("a", input=2), m.node("b", input=2), matrix=matrix)
    found = model_op(m).projections[0].matrix
    assert (found is None) if expected is None else np.array_equal(cog.const_value(found), expected)


def test_different_lengths_are_joined_by_ones_and_lists_may_be_flat():
    m = cogir.Model("m")
    a, b, one = m.node("a", input=2), m.node("b", input=3), m.node("one", input=1)
    m.project(a, b, matrix="full")
    m.project(a, one, matrix=[5, 6])
    matrices = [cog.const_value(p.matrix) for p in model_op(m).projections]
    assert np.array_equal(matrices[0], np.ones((2, 3)))
    assert np.array_equal(matrices[1], [[5.0], [6.0]])


def test_inputs_and_outputs_are_found_as_psyneulink_finds_them():
    m = cogir.Model("m")
    a, b, c, teacher = m.node("a"), m.node("b"), m.node("c", library.logistic), m.node("teacher")
    m.project(a, b)
    m.project(b, b, recurrent=True)
    m.project(b, a, feedback=True)
    m.modulate(teacher, c.param("gain"))
    op = model_op(m)
    assert [i.node.string_value() for i in op.inputs] == ["a", "c", "teacher"]
    assert [o.node.string_value() for o in op.outputs] == ["b", "c"]


def test_a_controllers_objective_is_no_output_unless_it_is_all_there_is():
    m = cogir.Model("m")
    a = m.node("a", library.linear)
    objective = m.node("objective", library.linear)
    m.project(a, objective)
    m.control("k", objective=objective, signals=[cogir.Signal(a.param("slope"), levels=[1, 2])])
    assert [o.node.string_value() for o in model_op(m).outputs] == ["objective"]
    m.project(a, m.node("report"))
    assert [o.node.string_value() for o in model_op(m).outputs] == ["report"]


def test_explicit_inputs_and_outputs_win():
    m = cogir.Model("m")
    a, b = m.node("a"), m.node("b", clock)
    m.project(a, b)
    m.input(b)
    m.output(b["time"], a)
    op = model_op(m)
    assert [i.node.string_value() for i in op.inputs] == ["b"]
    assert [(o.node.string_value(), o.resolve_port()) for o in op.outputs] == [("b", "time"), ("a", "value")]


def test_functions_are_compiled_once_for_all_nodes_that_use_them():
    m = cogir.Model("m")
    for i in range(5):
        m.node(f"n{i}", library.logistic, input=3, gain=float(i))
    text = str(m.ir())
    assert text.count("func.func private @logistic") == 1
    assert text.count("func.call @logistic") == 5


def test_operations_carry_the_line_of_the_script():
    m = cogir.Model("m")
    m.node("a")
    node = model_op(m).nodes[0]
    assert isinstance(node.location, FileLineColLoc)
    assert node.location.filename.data.endswith("test_builder.py")
    assert node.location.line.data == m["a"].record.place.line


def test_an_instance_has_the_inputs_and_outputs_of_its_model():
    inner = cogir.Model("inner")
    inner.project(inner.node("x", input=2), inner.node("y", clock, input=2))
    outer = cogir.Model("outer")
    i = outer.instance("i", inner)
    assert list(i.inputs) == ["x"]
    assert list(i.outputs) == ["y/value", "y/time"]
    source = outer.node("s", input=2)
    outer.project(source, i)
    outer.project(i["y/time"], outer.node("t", input=()))
    outer.modulate(outer.node("m", input=()), i.param("y/rate"))
    module = outer.ir()
    module.verify()
    assert [op.sym_name.data for op in module.body.block.ops if isinstance(op, cog.ModelOp)] == ["outer", "inner"]


def test_models_of_one_name_can_stand_side_by_side():
    def make() -> cogir.Model:
        inner = cogir.Model("inner")
        inner.node("x", clock)
        return inner

    outer = cogir.Model("outer")
    outer.instance("i", make())
    outer.instance("j", make())
    names = [op.sym_name.data for op in outer.ir().body.block.ops if isinstance(op, cog.ModelOp | rng.StreamOp)]
    assert names == ["outer", "inner", "inner_1", "x_stream", "x_stream_1"]


def test_a_function_with_a_loop_that_may_not_end_is_not_called():
    def search(variable, *, bound=1e300):
        value = variable
        while value[0] < bound:
            value = value + 0.0
        return value

    m = cogir.Model("m")
    assert m.node("n", search, input=2).outputs["value"].shape == (2,)


def test_a_projection_with_a_function_can_be_modulated():
    m = cogir.Model("m")
    a, b = m.node("a", input=2), m.node("b", input=3)
    weights = m.project(a, b, function=library.matrix_transform, matrix=np.ones((2, 3)), name="weights")
    m.modulate(m.node("gate"), weights.param("matrix"))
    projection = model_op(m).projections[0]
    assert projection.sym_name is not None
    assert [name for name, _ in projection.params] == ["matrix"]


def test_the_text_of_a_model_is_a_model():
    m = cogir.Model("m")
    m.project(m.node("a", input=2), m.node("b", library.logistic, input=2))
    text = str(m.ir())
    parsed = cogir.Model.from_ir(text)
    assert parsed.name == "m"
    assert str(parsed.ir()) == text


def test_building_does_not_grow_faster_than_the_model():
    """The work of building, counted in calls of Python functions, per node."""
    import sys

    def calls(nodes):
        count = 0

        def profile(frame, event, argument):
            nonlocal count
            count += event == "call"

        sys.setprofile(profile)
        try:
            m = cogir.Model("large")
            previous = m.node("n0", input=3)
            for i in range(1, nodes):
                node = m.node(f"n{i}", library.logistic, input=3, gain=2.0)
                m.project(previous, node)
                previous = node
        finally:
            sys.setprofile(None)
        return count / nodes

    calls(10)
    assert calls(400) < 1.2 * calls(100)


def test_two_inputs_two_levels_down():
    """They are named as the model around them names them: `inner/x`, without the port of a node that has only one."""
    inner = cogir.Model("inner")
    inner.node("x", library.linear, slope=2.0)
    inner.node("y", library.linear, slope=3.0)
    middle = cogir.Model("middle")
    middle.instance("inner", inner)
    outer = cogir.Model("outer")
    held, first, second = outer.instance("middle", middle), outer.node("first"), outer.node("second")
    outer.project(first, held["inner/x"])
    outer.project(second, held["inner/y"])
    result = outer.compile().run({"first": [1.0, 2.0], "second": [5.0, 6.0]})
    assert np.ravel(result.results).tolist() == [2.0, 15.0, 4.0, 18.0]


def in_a_loop(v):
    """Two outputs; it may loop, so that compiling tells their types."""
    total = 0.0
    while total < 2.0:
        total += 1.0
    return total * v[0], v[0] > v[1]


def without_a_loop(v):
    """The same, which a call tells."""
    return 2.0 * v[0], v[0] > v[1]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("function", [in_a_loop, without_a_loop])
def test_a_truth_value_that_is_returned_last_is_an_output(function, dtype):
    """And not the `finished` of a Step, also where types are found by compiling."""
    model = cogir.Model("m", dtype=dtype)
    node = model.node("n", function, input=2)
    assert [(name, kept.dtype) for name, kept in node.outputs.items()] == [("value_0", dtype), ("value_1", "bool")]
    found = model.compile().run({"n": [[2.0, 1.0], [1.0, 2.0]]})
    assert found["n/value_0"].ravel().tolist() == [4.0, 2.0]
    assert found["n/value_1"].ravel().tolist() == [True, False]
