"""Scripts in which cogir once fell out of step with PsyNeuLink, without a word: found by a reviewer."""

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.compare import compared
from support.psyneulink.golden import fresh

import cogir.psyneulink
from cogir.psyneulink import FallbackWarning, accelerate

pytestmark = pytest.mark.filterwarnings("ignore")


def flat(value):
    """Numbers as lists."""
    return np.asarray(value, float).ravel().tolist()


def rounded(value):
    """Numbers, in whatever they are in, to twelve digits."""
    return type(value)(map(rounded, value)) if isinstance(value, list | tuple) else float(f"{value:.12g}")


def results(c, context=None):
    """The results of a Composition, trial by trial."""
    return [flat(trial) for trial in c.parameters.results.get(c.default_execution_id if context is None else context)]


def clip_of_a_second_context():
    """A Parameter that is compiled in, set in a context that has run already."""
    a = pnl.TransferMechanism(name="A", clip=[-2, 2])
    c = pnl.Composition([a], name="C")
    c.run({a: [5]}, context="a")
    c.run({a: [5]}, context="b")
    a.parameters.clip.set([-3, 3], "b")
    c.run({a: [5]}, context="b")
    c.run({a: [5]}, context="a")
    return results(c, "a"), results(c, "b")


def operation_of_a_second_context():
    a = pnl.ProcessingMechanism(name="A", input_shapes=[2, 2], function=pnl.LinearCombination(operation=pnl.SUM))
    c = pnl.Composition([a])
    for context in "ab":
        c.run({a: [[[1, 2], [3, 4]]]}, context=context)
    a.function.parameters.operation.set(pnl.PRODUCT, "b")
    c.run({a: [[[1, 2], [3, 4]]]}, context="b")
    return results(c, "b")


def initializer_of_a_second_context():
    a = pnl.TransferMechanism(name="A", integrator_mode=True, initial_value=[[1.0]])
    a.reset_stateful_function_when = pnl.AtTrialStart()
    c = pnl.Composition([a])
    for context in "ab":
        c.run({a: [5]}, context=context)
    a.integrator_function.parameters.initializer.set(np.array([[9.0]]), "b")
    c.run({a: [5]}, context="b")
    return results(c, "b")


def controlled():
    """A node whose slope a controller chooses."""
    a = pnl.TransferMechanism(name="A")
    b = pnl.TransferMechanism(name="B")
    c = pnl.Composition([a, b], name="C")
    signal = pnl.ControlSignal(modulates=("slope", b), allocation_samples=[1, 2, 3], cost_options=pnl.CostFunctions.INTENSITY)
    c.add_controller(
        pnl.OptimizationControlMechanism(
            agent_rep=c,
            state_features=[a.input_port],
            objective_mechanism=pnl.ObjectiveMechanism(monitor=b),
            function=pnl.GridSearch(),
            control_signals=[signal],
        )
    )
    c.controller_mode = pnl.BEFORE
    return a, c


def net_outcome():
    a, c = controlled()
    c.run({a: [60]})
    c.controller.compute_net_outcome = lambda outcome, costs: -float(np.sum(outcome))
    c.run({a: [60]})
    return results(c)


def combined_costs():
    a, c = controlled()
    c.run({a: [60]})
    c.controller.combine_costs = lambda costs: 100 * float(np.sum(costs))
    c.run({a: [60]})
    return results(c)


def operation_of_costs():
    a, c = controlled()
    c.run({a: [20]})
    c.controller.control_signals[0].function.combine_costs_fct.operation = "product"
    c.run({a: [20]})
    return results(c)


def probes():
    """Which nodes are outputs changes."""
    a, b, d = (pnl.TransferMechanism(name=name) for name in "ABD")
    c = pnl.Composition([a, (b, pnl.NodeRole.PROBE), d], name="C")
    c.run({a: [1]})
    c.include_probes_in_output = True
    return flat(c.run({a: [1]}))


def clip_after_costs():
    """A Function that has more outputs than its value."""
    function = pnl.TransferWithCosts(enabled_cost_functions=pnl.CostFunctions.INTENSITY)
    a = pnl.TransferMechanism(name="A", function=function, clip=[0, 1])
    c = pnl.Composition([a], name="C")
    c.run({a: [[5], [-3], [0.25]]})
    return results(c)


def reset_of_a_node_that_does_not_run():
    a = pnl.TransferMechanism(name="A")
    b = pnl.IntegratorMechanism(name="B", function=pnl.SimpleIntegrator(initializer=0.5))
    c = pnl.Composition([a, b], name="C")
    b.reset_stateful_function_when = pnl.AtRun(1)
    c.scheduler.add_condition(b, pnl.Any(pnl.AtRun(0), pnl.AtRun(2)))
    c.termination_processing = {pnl.TimeScale.TRIAL: pnl.AfterPass(0)}
    held = []
    for _ in range(3):
        c.run({a: [[1], [1]]})
        held.append(flat(b.function.parameters.previous_value.get("C")))
    return results(c), held


def slope_of_what_is_reset():
    """What an OutputPort shows after a reset depends on Parameters, too."""
    a = pnl.RecurrentTransferMechanism(
        name="A", integrator_mode=True, integration_rate=0.5, initial_value=[[1.0]], function=pnl.Linear(slope=2.0), matrix=[[1.0]]
    )
    a.reset_stateful_function_when = pnl.AtTrialStart()
    c = pnl.Composition([a], name="C")
    c.run({a: [[1], [1]]})
    a.function.slope.base = 3.0
    c.run({a: [[1], [1]]})
    return results(c)


def inputs_made_after_the_callback():
    a = pnl.TransferMechanism(name="A")
    c = pnl.Composition([a])
    state = [0]

    def before():
        state[0] += 1

    c.run(lambda trial: {a: [state[0] * 10 + trial]}, num_trials=3, call_before_trial=before)
    return results(c)


def generated_after_the_callback():
    a = pnl.TransferMechanism(name="A")
    c = pnl.Composition([a])
    state = [0]

    def before():
        state[0] += 1

    c.run(({a: [state[0] * 10 + trial]} for trial in range(3)), call_before_trial=before)
    return results(c), state


def a_generator_that_is_not_used_up():
    a = pnl.TransferMechanism(name="A")
    c = pnl.Composition([a])
    numbers = iter(range(9))
    c.run(({a: [number]} for number in numbers), termination_processing={pnl.TimeScale.RUN: pnl.AfterNTrials(2)})
    return results(c), list(numbers)


def initializers_of_a_context(when):
    """PsyNeuLink makes the array that is set the state itself, which changes with it, or leaves it out of the first reset."""

    def initializers():
        i = pnl.IntegratorMechanism(name="I", function=pnl.SimpleIntegrator(), reset_stateful_function_when=pnl.AtTrialStart())
        function = pnl.DriftDiffusionIntegrator(noise=0.0, threshold=100.0)
        d = pnl.DDM(name="D", function=function, reset_stateful_function_when=pnl.AtTrialStart(), execute_until_finished=False)
        c = pnl.Composition(pathways=[[i], [d]], name="C")
        for number in range(3):
            if number == when:
                i.function.parameters.initializer.set(np.full((1, 1), 0.25), "own")
                d.function.parameters.non_decision_time.set(0.5, "own")
            c.run({i: [[1.0]], d: [[1.0]]}, num_trials=2, context="own")
        return results(c, "own")

    return pytest.param(initializers, id=f"initializers_before_run_{when}")


def counts_of_a_second_context():
    """They go on from those that the first one has left."""
    a = pnl.TransferMechanism(name="A")
    c = pnl.Composition([a], name="C")
    counts = []
    for context, trials in (("a", 3), ("a", 2), ("b", 3), ("b", 1), ("a", 1)):
        c.run({a: [[1.0]] * trials}, context=context)
        time = a.parameters.num_executions.get(context)
        counts.append((time.life, time.environment_sequence))
    return counts


def seeds_set_again():
    """
    The seed that the generator began with: a run or an execution goes on with the generator that no execution context owns, of which draws
    have been made; in the midst of a run the generator starts anew.
    """
    a = pnl.TransferMechanism(name="A", noise=pnl.NormalDist(seed=3))
    c = pnl.Composition([a], name="C")
    function = a.parameters.noise.get()
    one = {a: [[1]]}
    c.run(one, num_trials=2)
    for seed in (3, 9, 3):
        function.seed.base = seed
        c.run(one, num_trials=2)
    callbacks = [lambda: function.parameters.seed.set(3, c), lambda: None, lambda: None]
    c.run(one, num_trials=3, call_before_trial=lambda: callbacks.pop(0)())
    function.parameters.seed.set(3, c)
    executed = flat(c.execute({a: [[1]]}))
    function.parameters.seed.set(3, c)
    return executed, float(function.parameters.random_state.get(c).normal()), flat(c.run(one)), results(c)


SCRIPTS = [
    counts_of_a_second_context,
    initializers_of_a_context(0),
    initializers_of_a_context(1),
    clip_of_a_second_context,
    operation_of_a_second_context,
    initializer_of_a_second_context,
    net_outcome,
    combined_costs,
    operation_of_costs,
    probes,
    clip_after_costs,
    reset_of_a_node_that_does_not_run,
    slope_of_what_is_reset,
    inputs_made_after_the_callback,
    generated_after_the_callback,
    a_generator_that_is_not_used_up,
    seeds_set_again,
]


@pytest.mark.parametrize("script", SCRIPTS)
def test_in_step(script):
    fresh()
    expected = script()
    fresh()
    with accelerate():
        found = script()
    assert rounded(found) == rounded(expected)


def becomes_impossible(inputs):
    """After two trials a node gets a Function that cannot be compiled."""
    a = pnl.TransferMechanism(name="A")
    c = pnl.Composition([a], name="C")
    seen = []

    def after():
        seen.append(len(seen))
        if len(seen) == 2:
            a.function = pnl.UserDefinedFunction(custom_function=lambda variable: (print(end=""), variable * 2)[1])

    c.run(inputs(a), call_after_trial=after)
    return results(c), seen


@pytest.mark.parametrize("inputs", [lambda a: {a: [[1], [2], [3], [4]]}, lambda a: ({a: [number]} for number in range(6))])
def test_what_has_been_done_is_not_done_again(inputs):
    """A run that can go on natively no longer goes on in PsyNeuLink; it does not start again."""
    fresh()
    expected = becomes_impossible(inputs)
    fresh()
    with accelerate(), pytest.warns(FallbackWarning, match=r"after 2 trials of the run.*the rest of the run is executed in PsyNeuLink"):
        assert becomes_impossible(inputs) == expected


def test_errors_of_callbacks_are_theirs():
    from cogir.errors import CogirError

    fresh()
    a = pnl.TransferMechanism(name="A")
    c = pnl.Composition([a], name="C")

    def after():
        raise CogirError("mine")

    with accelerate(), pytest.raises(CogirError, match=r"^mine$"):
        c.run({a: [[1], [2]]}, call_after_trial=after)
    assert results(c) == [[1.0]]


def test_blocks_that_end_in_any_order():
    """As in a notebook whose cell is run twice."""
    fresh()
    plain = pnl.Composition.run
    one, two = accelerate(), accelerate()
    one.stop()
    assert pnl.Composition.run is not plain
    two.stop()
    assert pnl.Composition.run is plain
    with accelerate():
        pass
    assert pnl.Composition.run is plain


@pytest.mark.parametrize("kind", [pnl.SimpleIntegrator, pnl.AdaptiveIntegrator, pnl.LeakyCompetingIntegrator])
@pytest.mark.parametrize("size", [1, 2])
def test_a_state_gets_the_shape_of_the_variable(kind, size):
    """One number as initializer stands for all, until the first execution."""

    def state(run):
        fresh()
        composition = pnl.Composition(
            name="C", nodes=[pnl.IntegratorMechanism(name="A", input_shapes=size, function=kind(initializer=1.0))]
        )
        run(composition, {"A": [[1.5] * size]})
        return composition.nodes["A"].function.parameters.previous_value.get(composition)

    native, expected = state(cogir.psyneulink.run), state(lambda composition, inputs: composition.run(inputs))
    assert native.shape == expected.shape
    np.testing.assert_allclose(native, expected, rtol=1e-12)


def remembering():
    """An EpisodicMemoryMechanism with three entries at first."""
    entries = [[[1.0, 0.0], [0.5, 0.5]], [[0.0, 1.0], [0.25, 0.5]], [[0.5, 1.0], [0.0, 0.0]]]
    return pnl.Composition(name="C", nodes=[pnl.EpisodicMemoryMechanism(name="M", memory=entries)])


def test_a_memory_belongs_to_one_execution_context():
    """In another one PsyNeuLink compares with the entries of the first."""
    inputs = {"M": [[[0.1, 0.9], [0.5, 0.5]], [[1.0, 0.0], [0.0, 0.25]]]}
    for runners in (("cogir", "cogir", "PsyNeuLink"), ("PsyNeuLink", "cogir", "PsyNeuLink")):
        assert not compared(remembering, inputs, runs={"x": runners})
    fresh()
    composition = remembering()
    cogir.psyneulink.run(composition, inputs, context="x")
    with pytest.raises(cogir.psyneulink.UnsupportedFeature, match="another execution context has stored; run it in one"):
        cogir.psyneulink.run(composition, inputs, context="y")


def test_a_memory_that_simulations_share_is_refused():
    fresh()
    composition = remembering()
    signal = pnl.ControlSignal(modulates=("storage_prob", composition.nodes["M"]), allocation_samples=[0.0, 1.0])
    search = {"function": pnl.GridSearch(), "monitor_for_control": [composition.nodes["M"]], "control_signals": [signal]}
    composition.add_controller(pnl.OptimizationControlMechanism(agent_rep=composition, **search))
    with pytest.raises(cogir.psyneulink.UnsupportedFeature, match="it simulates 'M', whose memory is shared by all simulations"):
        cogir.psyneulink.run(composition, {"M": [[[0.1, 0.9], [0.5, 0.5]]]})
