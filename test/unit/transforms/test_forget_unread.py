"""Runs for results only: the same results, now and later, with less work; what is not kept up to date cannot be read by mistake."""

import pickle
import warnings
from random import Random

import pytest
from support.compare_models import SILENCED, bits
from support.long import long
from support.random.models import Drawn, random_model
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, ModuleOp

import cogir
from cogir import library
from cogir.dialects import rng
from cogir.errors import InputError
from cogir.lowering.pipeline import lower_to
from cogir.transforms.forget_unread import FORGOTTEN

pytestmark = pytest.mark.sampled(2)


def build() -> cogir.Model:
    """An input that adds up to the result; beside it an integrator with noise that nobody looks at, and a node that it feeds."""
    m = cogir.Model("m")
    stimulus = m.node("stimulus", library.linear, slope=2.0)
    total = m.node("total", library.psyneulink.simple_integrator, rate=0.5)
    dead = m.node("dead", library.drift_diffusion_integrator, noise=1.0, seed=3)
    after = m.node("after", library.logistic)
    m.project(stimulus, total)
    m.project(stimulus, dead)
    m.project(dead, after)
    m.output(total)
    return m


def machine(model: cogir.Model) -> ModuleOp:
    module = model.ir()
    lower_to(module, "machine", specialise=True, options={"forget-unread": {"enabled": True}}, verify=True)
    return module


def forgotten(module: ModuleOp) -> list[str]:
    attribute = module.attributes[FORGOTTEN]
    assert isinstance(attribute, ArrayAttr)
    return [path.data for path in attribute]


def test_dead_nodes_and_unread_ports_are_gone() -> None:
    module = machine(build())
    assert not [op for op in module.walk() if isinstance(op, rng.NormalOp)]
    functions = {op.sym_name.data for op in module.ops if isinstance(op, func.FuncOp)}
    assert not functions & {"drift_diffusion_integrator", "logistic"}
    found = forgotten(module)
    assert {"stimulus/port:value", "dead/port:value", "dead/state:previous_value", "dead/random:random", "after/port:value"} <= set(found)
    assert not [path for path in found if path.startswith("total/state")]


def test_what_acts_on_a_result_is_kept() -> None:
    """A modulation, and what a schedule that depends on data looks at."""
    m = build()
    m.modulate("after", m.nodes["total"].param("rate"))
    assert not [path for path in forgotten(machine(m)) if path.startswith(("after/state", "dead/state", "dead/random"))]
    m = build()
    m.schedule.trial_ends(cogir.WhenFinished("dead") | cogir.AfterNPasses(3))
    assert not [path for path in forgotten(machine(m)) if path.startswith(("dead/state", "dead/random"))]


@pytest.fixture
def compiled() -> cogir.Compiled:
    return build().compile(mode="run", cache=False)


GIVEN = {"stimulus": [[0.5], [-1.0], [0.25]]}


def test_results_are_the_same(compiled: cogir.Compiled) -> None:
    expected = [compiled.run(GIVEN)["total"].tolist() for _ in range(3)]
    compiled.reset()
    full = compiled.specialise()
    version = compiled.specialise(only_results=True)
    assert "for results only" in repr(version)
    assert compiled.version() is version
    assert [compiled.run(GIVEN)["total"].tolist() for _ in range(2)] == expected[:2]
    compiled.params["after/gain"] = 2.0  # nothing that the result depends on: the generic code goes on from there
    assert compiled.version() is None
    assert compiled.run(GIVEN)["total"].tolist() == expected[2]
    assert (full.runs, version.runs) == (0, 2)


def test_what_is_not_kept_up_to_date_cannot_be_read(compiled: cogir.Compiled) -> None:
    compiled.specialise(only_results=True)
    compiled.run(GIVEN)
    assert compiled.state["total/previous_value"] is not None
    for path in ("dead/previous_value", "after/value", "stimulus/value"):
        with pytest.raises(
            InputError, match=f"{path.partition('/')[0]}/.*: the default context was run by a version specialised with only_results=True"
        ):
            compiled.state[path]
    with pytest.raises(InputError, match=r"dead/random:random: .* reset the context, or set the value"):
        compiled.generators["dead"]
    assert "dead/state:previous_value" not in repr(compiled.state)
    twin, sent = compiled.context().copy("twin"), pickle.loads(pickle.dumps(compiled.context()))
    for context in (twin, sent):
        with pytest.raises(InputError, match="only_results=True"):
            context.state["after/value"]
    compiled.state["after/value"] = 0.25
    assert compiled.state["after/value"].item() == 0.25
    compiled.generators["dead"] = cogir.random(3)
    assert compiled.generators["dead"].uniform() == cogir.random(3).uniform()
    compiled.reset()
    assert compiled.state["dead/previous_value"].item() == 0.0


def test_without_the_wish_all_is_kept(compiled: cogir.Compiled) -> None:
    compiled.run(GIVEN)
    expected = {path: bits(compiled.state[path]) for path in compiled.state}
    compiled.reset()
    compiled.specialise()
    compiled.run(GIVEN)
    assert {path: bits(compiled.state[path]) for path in compiled.state} == expected


def test_it_can_be_left_out() -> None:
    compiled = build().compile(mode="run", cache=False, without=["forget-unread"])
    compiled.specialise(only_results=True)
    compiled.run(GIVEN)
    assert compiled.state["after/value"].shape == (1,)


def test_versions_for_results_only_are_cached(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COGIR_CACHE_DIR", str(tmp_path / "cache"))
    for _ in range(2):
        compiled = build().compile(mode="run")
        full, version = compiled.specialise(), compiled.specialise(only_results=True)
        assert "dead/state:previous_value" in version.forgotten
        assert not full.forgotten


def runs(drawn: Drawn, which: str) -> list[bytes]:
    """The results of four runs, with parameters that change in between: by the generic code, or in turns with versions for results only."""
    compiled = drawn.model.compile(mode="run", cache=False)
    found: list[bytes] = []
    for number, trials in enumerate((drawn.trials, 2, 1, 3)):
        for path, value in drawn.changes.items() if number == 2 else ():
            compiled.params[path] = value
        if which == "in turns" and number != 1:
            compiled.specialise(only_results=True)
        elif which == "in turns":
            compiled.engine.versions.held.clear()
        result = compiled.run(drawn.inputs, num_trials=trials)
        found += [bits(value) for trial in result.results for value in trial]
        found += [bits(allocation) for allocation in result.allocations.values()]
    return found


@pytest.mark.parametrize("numbers", [range(3), *long(range(3, 300))])
def test_random_models(numbers: range) -> None:
    forgetting = 0
    for number in numbers:
        drawn = random_model(Random(number))
        with warnings.catch_warnings():
            for category in SILENCED:
                warnings.simplefilter("ignore", category)
            assert runs(drawn, "in turns") == runs(drawn, "generic"), number
            forgetting += bool(forgotten(machine(drawn.model)))
    assert forgetting >= len(numbers) // 10
