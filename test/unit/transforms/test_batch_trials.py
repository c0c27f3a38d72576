"""Blocks of trials: the same bits as trials one after the other, of outputs, states and what is learned; and models that have none."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from support.long import long
from xdsl.dialects import arith, func, llvm
from xdsl.dialects.builtin import StringAttr

import cogir
from cogir import library
from cogir.analysis.signatures import INLINE
from cogir.library import Random as Generator
from cogir.library import State, Step, Value
from cogir.limits import learning_block
from cogir.lowering.entry.blocks import TrialBlocks
from cogir.lowering.pipeline import lower_to
from cogir.lowering.products import tile_products
from cogir.runtime import entry
from cogir.runtime.parallel import Sharing
from cogir.runtime.sweeps import job
from cogir.runtime.sweeps.axes import Points
from cogir.transforms import batch_trials
from cogir.transforms.batch_trials import OBSTACLE

pytestmark = pytest.mark.sampled(2)

FUNCTIONS: list[Callable[..., Any]] = [library.logistic, library.tanh, library.relu, library.linear, library.softmax]


def shaped(x: Value, *, weights: Value = np.ones(60), scale: Value = 2.0) -> Value:
    """Sums over elements, slices, a choice by a parameter, and a number that differs between trials."""
    total = np.sum(x * weights)
    head = x[:10] * total if scale > 1.0 else x[:10]
    return np.concatenate([head, x[10:] + x[0], np.outer(x[:2], x[2:4]).ravel()])[:60] / (1.0 + total * total)


def network(chance: Random, sizes: list[int]) -> cogir.Model:
    """Layers with random functions, a projection that skips a layer, and a bias by parameters."""
    made = np.random.default_rng(chance.randrange(2**32))
    model = cogir.Model("network")
    nodes = [model.node("n0", input=sizes[0])]
    for number, size in enumerate(sizes[1:], 1):
        nodes.append(model.node(f"n{number}", chance.choice(FUNCTIONS), input=size))
        model.project(nodes[-2], nodes[-1], matrix=made.normal(size=(sizes[number - 1], size)) / np.sqrt(size))
    if len(sizes) > 2:
        model.project(nodes[0], nodes[2], matrix=made.normal(size=(sizes[0], sizes[2])))
    model.output(nodes[-1])
    if len(nodes) > 2:
        model.output(nodes[1])
    return model


def inputs_of(size: int, trials: int, seed: int) -> Any:
    values = np.random.default_rng(seed).normal(size=(trials, size)) * 3.0
    values[0, 0], values[-1, -1] = np.inf, -0.0
    return values


def of_blocks(model: cogir.Model) -> bool:
    """True if the model has a function for blocks of trials."""
    module = model.ir()
    lower_to(module, "machine")
    return "func.func private @trials" in str(module)


CASES = [
    ("n0", [10, 12, 9], 210),
    ("n0", [31, 33, 20], 130),
    ("n0", [70, 60], 200),
    ("n0", [60, 50, 9], 23),
    ("n0", [51, 52, 53], 24),
    ("n0", [50, 51, 7], 97),
]


def drawn_case(number: int) -> tuple[str, list[int], int]:
    chance = Random(f"blocks {number}")
    return (
        "n0",
        [chance.randint(10, 80), chance.randint(10, 80), *(chance.randint(1, 60) for _ in range(chance.randint(0, 2)))],
        chance.randint(1, 300),
    )


@pytest.mark.parametrize("case", [*CASES, *long(*map(drawn_case, range(60)))])
def test_the_same_bits(case: tuple[str, list[int], int]) -> None:
    name, sizes, trials = case
    model = network(Random(str(case)), sizes)
    assert of_blocks(model)
    rows = inputs_of(sizes[0], max(1, trials // 2), trials)  # inputs begin again
    compiled, alone = model.compile(), model.compile(without=["batch-trials"])
    for count in (trials, 1, 50):
        found, wanted = compiled.run({name: rows}, num_trials=count), alone.run({name: rows}, num_trials=count)
        for path in wanted:
            np.testing.assert_array_equal(found[path], wanted[path])
        for path in alone.state:
            np.testing.assert_array_equal(compiled.state[path], alone.state[path])
    interpreted = model.compile(mode="python").run({name: rows}, num_trials=25)
    for path in interpreted:
        np.testing.assert_array_equal(compiled.run({name: rows}, num_trials=25)[path], interpreted[path])
    assert compiled.explain()["trials"] == ["in blocks of 100"]


def test_functions_of_all_kinds() -> None:
    model = cogir.Model("kinds")
    first = model.node("first", shaped, input=60)
    second = model.node("second", library.logistic, input=60)
    model.project(first, second, matrix=np.random.default_rng(0).normal(size=(60, 60)))
    model.output(second)
    assert of_blocks(model)
    rows = inputs_of(60, 150, 0)
    found, wanted = (model.compile(without=without).run({"first": rows}) for without in ([], ["batch-trials"]))
    np.testing.assert_array_equal(found["second"], wanted["second"])


@pytest.mark.parametrize("batch", [1, 3, 4, 32, 33, 100, 130])
@pytest.mark.parametrize("optimizer", [library.gradient_descent, *long(library.adam)])
def test_learning(batch: int, optimizer: Any) -> None:
    made = np.random.default_rng(batch)
    model = cogir.Model("learner")
    nodes = [model.node("n0", input=60), model.node("n1", library.logistic, input=50), model.node("n2", library.tanh, input=7)]
    target = model.node("target", input=7)
    for one, other, shape in ((0, 1, (60, 50)), (1, 2, (50, 7))):
        model.project(nodes[one], nodes[other], matrix=made.normal(size=shape) / 7.0)
    model.output(nodes[2])
    model.learning([(nodes[2], target)], optimizer, rate=0.05)
    data = {"n0": made.normal(size=(140, 60)), "target": made.uniform(size=(140, 7))}
    compiled, alone = model.compile(), model.compile(without=["batch-trials"])
    found, wanted = (each.learn(data, epochs=3, batch=batch) for each in (compiled, alone))
    assert np.isfinite(wanted.losses).all()
    np.testing.assert_array_equal(found.losses, wanted.losses)
    np.testing.assert_array_equal(found.trials["n2"], wanted.trials["n2"])
    for path in alone.params:
        np.testing.assert_array_equal(compiled.params[path], alone.params[path])


@pytest.mark.parametrize("moved", [[], [0, 1], [31, 32], list(range(96))])
def test_learning_from_trials_in_any_order(moved: list[int]) -> None:
    """Blocks of trials that follow each other are read where they stand, others are copied; the second epoch has the opposite order."""
    made = np.random.default_rng(7)
    model = cogir.Model("learner")
    first, second, target = model.node("n0", input=60), model.node("n1", library.logistic, input=50), model.node("target", input=50)
    model.project(first, second, matrix=made.normal(size=(60, 50)) / 7.0)
    model.output(second)
    model.learning([(second, target)], library.gradient_descent, rate=0.05)
    data = {"n0": made.normal(size=(96, 60)), "target": made.uniform(size=(96, 50))}
    order = np.arange(96)
    order[moved] = np.roll(order[moved], 1)
    order = np.stack([order, order[::-1]])
    compiled, alone = model.compile(), model.compile(without=["batch-trials"])
    found, wanted = (each.learn(data, epochs=2, batch=32, order=order) for each in (compiled, alone))
    np.testing.assert_array_equal(found.losses, wanted.losses)
    np.testing.assert_array_equal(found.trials["n1"], wanted.trials["n1"])
    for path in alone.params:
        np.testing.assert_array_equal(compiled.params[path], alone.params[path])


@pytest.mark.parametrize(
    ("batch", "size"), [(1, 0), (3, 0), (4, 8), (8, 8), (9, 16), (32, 32), (33, 40), (100, 104), (256, 256), (1000, 256)]
)
def test_blocks_have_all_trials_of_a_batch(batch: int, size: int) -> None:
    assert learning_block(batch, 2500) == size
    assert learning_block(batch, 2499) == 0, "no matrix is large"


def test_learning_has_blocks() -> None:
    model = cogir.Model("learner")
    first, second, target = model.node("n0", input=60), model.node("n1", library.logistic, input=50), model.node("target", input=50)
    model.project(first, second, matrix=np.ones((60, 50)))
    model.output(second)
    model.learning([(second, target)], library.gradient_descent, rate=0.05)
    module = model.ir()
    lower_to(module, "machine", options={"convert-cog-to-machine": {"learning": True}})
    text = str(module)
    (before, body) = text.split("func.func @gradients")
    assert "@gradient" not in before + body, "every trial is one of a block"
    assert "tensor<256x60x50xf64>" not in body.split("func.return")[0], "outer products of all trials are not written down"


def adding(x: Value, *, total: State = np.zeros(60)) -> Step:
    return Step(outputs=(total + x,), states=(total + x,))


def noisy(x: Value, *, sd: Value = 1.0, random: Generator) -> Value:
    return x + sd * random.normal(60)


def rejecting(x: Value, *, random: Generator) -> Value:
    """Draws until a number is positive."""
    drawn = random.normal()
    while drawn < 0.0:
        drawn = random.normal()
    return x * drawn


def choosing(x: Value, *, rate: Value = 3.0, random: Generator) -> Value:
    """Whether it draws depends on the input, and what it draws on a draw before."""
    if x[0] > 0.0:
        x = x + random.uniform(60)
    return x * random.poisson(rate) + random.gamma(1.0 + random.uniform())


def counting(x: Value, *, count: State = 0) -> Step:
    return Step(outputs=(x * (count % 5),), states=(count + 1,))


def halving(x: Value) -> Value:
    while x[0] > 1.0:
        x = x / 2.0
    return x


def with_node(function: Callable[..., Any], **given: Any) -> cogir.Model:
    model = cogir.Model("obstacle")
    first = model.node("first", function, input=60, **given)
    second = model.node("second", library.logistic, input=60)
    model.project(first, second, matrix=np.random.default_rng(0).normal(size=(60, 60)))
    model.output(second)
    return model


def by_number() -> cogir.Model:
    model = with_node(library.linear)
    model.schedule.when("second", cogir.AfterNTrials(2))
    model.schedule.trial_ends(cogir.AfterNPasses(1))
    return model


def drawn_after_a_product() -> cogir.Model:
    model = with_node(library.linear)
    model.project("second", model.node("third", rejecting_by_input, input=60))
    return model


def rejecting_by_input(x: Value, *, random: Generator) -> Value:
    return x * random.poisson(np.abs(x[0]))


DRAWING: dict[str, Callable[[], cogir.Model]] = {
    "noise": lambda: with_node(noisy),
    "mt19937": lambda: with_node(noisy, prng="mt19937"),
    "rejection": lambda: with_node(rejecting),
    "choice": lambda: with_node(choosing),
    "counter": lambda: with_node(counting),
}


def same(found: Any, wanted: Any) -> None:
    for path in wanted:
        np.testing.assert_array_equal(found[path], wanted[path])


@pytest.mark.parametrize("name", DRAWING)
def test_draws_and_counters_run_ahead(name: str) -> None:
    model = DRAWING[name]()
    assert of_blocks(model)
    rows = inputs_of(60, 50, 3)
    compiled, alone = model.compile(), model.compile(without=["batch-trials"])
    for count in (130, 1, 30):
        same(compiled.run({"first": rows}, num_trials=count), alone.run({"first": rows}, num_trials=count))
        same(compiled.state, alone.state)
    for count, trials in ((200, 1), (5, 33), (1, 1), (13, 4)):
        found, wanted = (
            each.replicates({"first": rows}, count=count, num_trials=trials, seed=4, start="fresh") for each in (compiled, alone)
        )
        same(found, wanted)
        np.testing.assert_array_equal(found.lengths, wanted.lengths)


@pytest.mark.parametrize(("small", "is_blocks"), [(20, True), (40, False)])
def test_draws_that_depend_on_a_small_product_run_ahead(small: int, is_blocks: bool) -> None:
    made = np.random.default_rng(5)
    model = cogir.Model("ahead")
    first, second = model.node("first", input=small), model.node("second", library.logistic, input=small)
    model.project(first, second, matrix=made.normal(size=(small, small)))
    third, last = model.node("third", rejecting_by_input, input=small), model.node("last", library.tanh, input=90)
    model.project(second, third)
    model.project(third, last, matrix=made.normal(size=(small, 90)))
    model.output(last)
    assert of_blocks(model) == is_blocks
    rows = made.normal(size=(130, small))
    same(model.compile().run({"first": rows}), model.compile(without=["batch-trials"]).run({"first": rows}))


def test_blocks_leave_more_than_what_runs_ahead() -> None:
    model = cogir.Model("ahead")
    first, second = model.node("first", input=20), model.node("second", rejecting_by_input, input=20)
    model.project(first, second, matrix=np.random.default_rng(5).normal(size=(20, 20)))
    model.output(second)
    assert not of_blocks(model)


@pytest.mark.parametrize("common", [False, True])
def test_points_of_a_sweep_share_matrices(common: bool) -> None:
    model = with_node(noisy)
    rows = inputs_of(60, 6, 3)
    points: dict[str, Any] = {"first/sd": [0.5, 1.0, 3.0], "second/gain": [1.0, 2.0], "first": np.stack([rows, 2.0 * rows])}
    compiled, alone = model.compile(), model.compile(without=["batch-trials"])
    found, wanted = (each.sweep(points, replicates=7, seed=2, common_random_numbers=common) for each in (compiled, alone))
    same(found, wanted)


def test_points_that_differ_in_a_matrix() -> None:
    model = with_node(noisy)
    path = next(path for path in model.compile().params if path.endswith("matrix"))
    points = {path: np.random.default_rng(0).normal(size=(2, 60, 60))}
    compiled, alone = model.compile(), model.compile(without=["batch-trials"])
    rows = inputs_of(60, 30, 3)
    same(*(each.sweep(points, inputs={"first": rows}, replicates=2, seed=1) for each in (compiled, alone)))
    module = model.ir()
    lower_to(module, "machine", options={"replicate": {"enabled": True, "points": True}, "batch-trials": {"varying": (path,)}})
    assert "points of the sweep differ in a matrix" in str(module)


@pytest.mark.parametrize("trials", [1, 3, 4, 12, 13, 23, 36, 105, 205])
def test_few_trials_of_large_matrices(trials: int) -> None:
    model = cogir.Model("large")
    first, second = model.node("first", noisy, input=60), model.node("second", library.tanh, input=1700)
    model.project(first, second, matrix=np.random.default_rng(0).normal(size=(60, 1700)))
    model.output(second)
    module = model.ir()
    lower_to(module, "machine")
    assert "cog.fewest = 4" in str(module)
    rows = inputs_of(60, 10, 1)
    compiled, alone = model.compile(), model.compile(without=["batch-trials"])
    assert compiled.explain()["trials"] == ["in blocks of 200"]
    same(compiled.run({"first": rows}, num_trials=trials), alone.run({"first": rows}, num_trials=trials))
    same(*(each.replicates({"first": rows}, count=trials, num_trials=1, seed=1, start="fresh") for each in (compiled, alone)))


@pytest.mark.parametrize("learns", [False, True])
def test_large_products_are_divided_among_threads(monkeypatch: pytest.MonkeyPatch, learns: bool) -> None:
    monkeypatch.setattr(tile_products, "SHARED_WORK", 10_000)
    monkeypatch.setattr(entry, "SHORT", 0)  # runs without anything that can be divided
    shared: list[int] = []
    original = Sharing._share  # pyright: ignore[reportPrivateUsage]

    def noted(self: Sharing, chunk: int, handed: int, count: int) -> None:
        shared.append(count)
        original(self, chunk, handed, count)

    monkeypatch.setattr(Sharing, "_share", noted)
    made = np.random.default_rng(0)
    model = cogir.Model("wide")
    first, second = model.node("first", input=60), model.node("second", library.tanh, input=150)
    model.project(first, second, matrix=made.normal(size=(60, 150)) / 8.0)
    model.output(second)
    target = model.node("target", input=150)
    if learns:
        model.learning([(second, target)], library.gradient_descent, rate=0.05)
    data = {"first": inputs_of(60, 100, 1), "target": made.uniform(size=(100, 150))}
    data["first"][np.isinf(data["first"])] = 1.0
    found, wanted = (model.compile(threads=threads, cache=False) for threads in (2, 1))
    if learns:
        same(*({"loss": each.learn(data, epochs=2, batch=64).losses} for each in (found, wanted)))
        same(found.params, wanted.params)
    else:
        same(*(each.run(data) for each in (found, wanted)))
    assert set(shared) == {3}, "the tiles of 64 columns"


def test_the_interpreter_draws_the_same() -> None:
    model = with_node(choosing)
    rows = inputs_of(60, 30, 3)
    interpreted = model.compile(mode="python")
    compiled = model.compile()
    same(compiled.run({"first": rows}, num_trials=26), interpreted.run({"first": rows}, num_trials=26))


def test_draws_in_another_order_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault: draws of a block begin with its last trial."""
    original = TrialBlocks.run_ahead

    def backwards(self: Any, code: Any, number: Any, *more: Any) -> None:
        original(self, code, code.value(arith.SubiOp(code.constant(self.size - 1), number)), *more)

    monkeypatch.setattr(TrialBlocks, "run_ahead", backwards)
    model, rows = with_node(noisy), inputs_of(60, 96, 3)
    compiled, alone = (model.compile(without=without, cache=False) for without in ([], ["batch-trials"]))
    found, wanted = (each.run({"first": rows}) for each in (compiled, alone))
    assert not np.array_equal(found["second"], wanted["second"])


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (lambda: with_node(adding), "a trial reads what the trial before has left"),
        (lambda: by_number(), "a trial reads what the trial before has left"),
        (lambda: drawn_after_a_product(), "random numbers or counters depend on products of matrices"),
        (lambda: with_node(halving), "the way that a trial takes depends on its input"),
    ],
)
def test_models_without_blocks(model: Callable[[], cogir.Model], reason: str) -> None:
    module = model().ir()
    lower_to(module, "machine")
    assert OBSTACLE in str(module)
    assert reason in str(module)
    assert reason in str(model().compile().explain())
    rows = np.random.default_rng(1).normal(size=(100, 60))
    found, wanted = (model().compile(without=without).run({"first": rows}) for without in ([], ["batch-trials"]))
    np.testing.assert_array_equal(found["second"], wanted["second"])


def test_small_trials_are_left_alone() -> None:
    assert not of_blocks(network(Random("small"), [9, 9, 9]))


@pytest.mark.parametrize(("size", "is_tiled"), [(31, False), (32, True)])
def test_small_matrices_are_not_copied(size: int, is_tiled: bool) -> None:
    module = network(Random("small"), [size, size]).ir()
    lower_to(module, "llvm")
    assert ("cogir_pack" in str(module)) == is_tiled


@pytest.mark.parametrize(
    ("first", "without", "is_called"),
    [(library.logistic, (), True), (library.linear, (), False), (library.logistic, ("batch-trials",), False)],
)
def test_a_function_of_several_nodes_is_called_in_a_single_trial(
    first: Callable[..., Any], without: tuple[str, ...], is_called: bool
) -> None:
    """Copies would take time to compile; that of one node, and those of models without blocks, may be copied."""
    model = cogir.Model("layers")
    one, other = model.node("one", first, input=40), model.node("other", library.logistic, input=40)
    model.project(one, other, matrix=np.eye(40))
    module = model.ir()
    lower_to(module, "machine", without=without)
    (function,) = [op for op in module.ops if isinstance(op, func.FuncOp) and op.sym_name.data == "logistic"]
    assert (function.attributes.get(INLINE) == StringAttr("never")) is is_called


def test_blocks_take_the_longest_vectors() -> None:
    """Also where LLVM prefers shorter ones, and in functions of their own; `@trial` does not."""
    module = network(Random("wide"), [40, 40]).ir()
    lower_to(module, "llvm")
    functions = {op.sym_name.data: str(op.get_attr_or_prop("passthrough")) for op in module.ops if isinstance(op, llvm.FuncOp)}
    wide = {name for name, attributes in functions.items() if '["prefer-vector-width", "512"]' in attributes}
    assert {"trials", *(name for name in functions if "_of_trials" in name)} == wide
    assert all("noinline" in functions[name] for name in wide)


def test_an_interrupted_run_keeps_whole_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    model = network(Random("stop"), [60, 60])
    compiled = model.compile()
    found = compiled.run({"n0": inputs_of(60, 1000, 5)}, num_trials=1000)
    again = [compiled.run({"n0": inputs_of(60, 1000, 5)[:count]})["n1"] for count in (100, 120, 500)]
    for part in again:
        np.testing.assert_array_equal(part, found["n1"][: len(part)])
    assert batch_trials.SIZE == 100


def test_copies_of_large_parameters_fit_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """The points of a sweep of a parameter each have a copy of the matrices: a chunk has few of them."""
    model = with_node(noisy)
    rows = inputs_of(60, 2, 3)
    wanted = model.compile().sweep({"first/sd": np.linspace(0.5, 2.0, 9)}, inputs={"first": rows}, replicates=2, seed=1)
    monkeypatch.setattr(job, "TABLE_BYTES", 2 * 8 * 4000)
    sizes: list[int] = []
    table = Points.table

    def noted(self: Points, start: Any, buffer: str, first: int, last: int) -> Any:
        sizes.append(last - first)
        return table(self, start, buffer, first, last)

    monkeypatch.setattr(Points, "table", noted)
    same(model.compile().sweep({"first/sd": np.linspace(0.5, 2.0, 9)}, inputs={"first": rows}, replicates=2, seed=1), wanted)
    assert max(sizes) == 2


@pytest.mark.parametrize(("inputs", "trials"), [(100, 100), (250, 610), (99, 300), (130, 200)])
def test_whole_blocks_read_and_write_rows_where_they_are(inputs: int, trials: int) -> None:
    """Also from the middle of the inputs on; blocks that go beyond the last input begin again with the first one."""
    model = cogir.Model("wide")
    first, second = model.node("first", noisy, input=60), model.node("second", library.tanh, input=40)
    model.project(first, second, matrix=np.random.default_rng(0).normal(size=(60, 40)))
    model.output(first, second)
    rows = inputs_of(60, inputs, 1)
    compiled, alone = model.compile(), model.compile(without=["batch-trials"])
    for _ in range(2):
        same(compiled.run({"first": rows}, num_trials=trials), alone.run({"first": rows}, num_trials=trials))
    same(compiled.state, alone.state)


@pytest.mark.parametrize("size", [26, 32, 40])
def test_blocks_of_both_sizes_have_room(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """The smaller blocks of a few trials may cover more rows than the larger ones that memory is divided into."""
    monkeypatch.setattr(batch_trials, "LARGE_SIZE", size)
    model = cogir.Model("large")
    first, second = model.node("first", noisy, input=60), model.node("second", library.tanh, input=1700)
    model.project(first, second, matrix=np.random.default_rng(0).normal(size=(60, 1700)))
    model.output(second)
    rows = inputs_of(60, 10, 1)
    compiled, alone = model.compile(), model.compile(without=["batch-trials"])
    for trials in range(size - 8, size + 1):
        same(compiled.run({"first": rows}, num_trials=trials), alone.run({"first": rows}, num_trials=trials))
