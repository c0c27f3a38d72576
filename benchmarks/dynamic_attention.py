"""
The dynamic attention model of the gallery (`examples/gallery/networks/dynamic_attention.py`), beside PsyNeuLink.

    python benchmarks/dynamic_attention.py [--trials 64] [--estimates 10000] [--theirs 10000] [--rounds 3] [--threads 1] [--only cogir]

The same model is built from the equations of its docstring with PsyNeuLink, and the script prints

- the first trial without noise: the largest difference of choice, time, activities and gain from PsyNeuLink's Python mode;
- whether `cogir.psyneulink.accelerate` runs PsyNeuLink's version natively, and how some trials differ from Python mode;
- seconds of so many noisy sequences of trials, in turns: PsyNeuLink's compiled evaluation of a ParameterEstimationComposition (LLVM mode),
  and `replicates` of cogir's two versions, the network and the one node. All return all choices and times, and no likelihood is computed.

`--theirs` is the number of PsyNeuLink's sequences, which may be smaller: ratios are of the times of a step. All have one thread unless
`--threads` gives more. Times are those of the processor, which others on the machine lengthen less than the clock, and of the clock. By
default PsyNeuLink gives one seed to all noise of an estimate; here each layer has seeds of its own, as in cogir.
"""

from __future__ import annotations

import argparse
import ast
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import cogir

SCRIPT = Path(__file__).parents[1] / "examples" / "gallery" / "networks" / "dynamic_attention.py"
STEP, SEED = 0.01, 29
TOLERANCE = 1e-9
"""Of the first trial: both compute the same equations in double precision, in another order."""
Outcomes = tuple[np.ndarray, np.ndarray]
"""Choices and times, (trials, estimates)."""


def script() -> dict[str, Any]:
    """The functions and constants of the gallery's script, without its runs and figures."""
    tree = ast.parse(SCRIPT.read_text())
    kept: list[ast.stmt] = []
    for part in tree.body:
        targets = [each for target in part.targets for each in ast.walk(target)] if isinstance(part, ast.Assign) else []
        names = [each.id for each in targets if isinstance(each, ast.Name)]
        defines = isinstance(part, ast.Import | ast.ImportFrom | ast.FunctionDef) or (names and all(name.isupper() for name in names))
        if defines and "matplotlib" not in ast.unparse(part):
            kept.append(part)
    found: dict[str, Any] = {"__name__": SCRIPT.stem}
    exec(compile(ast.Module(kept, []), str(SCRIPT), "exec"), found)
    return found


def composition(noise: float, threshold: float = 0.3) -> tuple[Any, dict[str, Any]]:
    """PsyNeuLink's version, and its Mechanisms by name."""
    import psyneulink as pnl

    others = np.array([[0.0, 1.0], [1.0, 0.0]])
    pairs = np.array([[1.0, -1.0], [-1.0, 1.0]])
    both = np.full((2, 2), 4.0)
    nothing = np.zeros((2, 2))

    def layer(name: str, competition: np.ndarray, leak: float, gain: float, bias: float, **options: Any) -> Any:
        return pnl.LCAMechanism(
            name=name,
            input_shapes=len(competition),
            matrix=-competition,
            leak=leak,
            function=pnl.Logistic(gain=gain, bias=bias),
            noise=pnl.NormalDist(standard_deviation=noise) if noise else 0.0,
            time_step_size=STEP,
            execute_until_finished=False,
            **options,
        )

    anew: dict[str, Any] = {"leak": 8.0, "gain": 5.0, "bias": -0.45, "reset_stateful_function_when": pnl.AtTrialStart()}
    ports = [pnl.RESULT, pnl.DECISION_INDEX, pnl.DECISION_TIME]
    parts = {
        "task": pnl.ProcessingMechanism(name="task", input_shapes=2),
        "colour": pnl.ProcessingMechanism(name="colour", input_shapes=2, function=pnl.Linear(slope=1.0)),
        "place": pnl.ProcessingMechanism(name="place", input_shapes=2, function=pnl.Linear(slope=1.2)),
        "control": layer("control", 3.0 * others, leak=7.0, gain=10.0, bias=0.0),
        "stimulus": layer("stimulus", 8.0 * np.kron(np.eye(2), others), **anew),
        "decision": layer("decision", 8.0 * others, **anew),
        "response": layer("response", 8.0 * others, threshold=threshold, output_ports=ports, **anew),
        "coeruleus": pnl.TransferMechanism(
            name="coeruleus",
            input_shapes=1,
            integrator_mode=True,
            integrator_function=pnl.FitzHughNagumoIntegrator(
                integration_method="EULER",
                **{"a_v": -1.0, "b_v": 1.0, "c_v": 1.0, "d_v": 0.0, "e_v": -1.0, "f_v": 1.0, "threshold": 0.5, "time_constant_v": 0.05},
                **{"a_w": 1.0, "b_w": -1.0, "c_w": 0.0, "mode": 0.9, "uncorrelated_activity": 0.5, "time_constant_w": 5.0},
                time_step_size=0.02,
            ),
            function=pnl.Linear(slope=1.0, intercept=5.0),
            execute_until_finished=True,
            termination_measure=pnl.TimeScale.PASS,
            termination_threshold=10,
            output_ports=[{pnl.NAME: "release", pnl.VARIABLE: (pnl.OWNER_VALUE, 1)}],
            reset_stateful_function_when=pnl.AtTrialStart(),
        ),
        "choice": pnl.ProcessingMechanism(name="choice", input_shapes=1),
        "time": pnl.ProcessingMechanism(name="time", input_shapes=1, function=pnl.Linear(intercept=0.2)),
    }
    gained = [(pnl.GAIN, parts[name]) for name in ("stimulus", "decision", "response")]
    parts["gain"] = pnl.ControlMechanism(
        name="gain", monitor_for_control=parts["coeruleus"], control_signals=gained, modulation=pnl.OVERRIDE, default_allocation=5.0
    )
    model = pnl.Composition(name="dynamic attention")
    model.add_nodes(list(parts.values()))
    for sender, receiver, matrix in (
        ("task", "control", np.eye(2)),
        ("control", "stimulus", 4.0 * np.kron(np.eye(2), np.ones((1, 2)))),
        ("control", "decision", both),
        ("control", "response", both),
        ("colour", "stimulus", np.hstack([pairs, nothing])),
        ("place", "stimulus", np.hstack([nothing, pairs])),
        ("stimulus", "decision", np.vstack([1.0 * pairs, 1.2 * pairs])),
        ("decision", "response", pairs),
        ("decision", "coeruleus", np.full((2, 1), 0.3)),
    ):
        model.add_projection(pnl.MappingProjection(sender=parts[sender], receiver=parts[receiver], matrix=matrix))
    for port, receiver in ((pnl.DECISION_INDEX, "choice"), (pnl.DECISION_TIME, "time")):
        model.add_projection(sender=parts["response"].output_ports[port], receiver=parts[receiver])
        model.scheduler.add_condition(parts[receiver], pnl.WhenFinished(parts["response"]))
    return model, parts


def inputs_of(rows: dict[str, np.ndarray], parts: dict[str, Any]) -> dict[Any, np.ndarray]:
    """Inputs of a Composition."""
    return {parts[name]: values for name, values in rows.items()}


def states_of(model: Any, parts: dict[str, Any]) -> dict[str, np.ndarray]:
    """Activities and gain of a Composition after a run."""
    names = ("control", "stimulus", "decision", "response", "coeruleus")
    return {name: np.ravel(parts[name].output_ports[0].parameters.value.get(model)) for name in names}


def outcomes_of(model: Any) -> np.ndarray:
    """Choice and time of each trial of the last run, (trials, 2)."""
    return np.array([[np.ravel(value)[0] for value in trial][-2:] for trial in model.results])


def first_trial(network: cogir.Model, rows: dict[str, np.ndarray]) -> float:
    """How far the first trial of a network without noise is from PsyNeuLink's Python mode: choice, time, activities and gain at its end."""
    import psyneulink as pnl

    model, parts = composition(0.0)
    model.run(inputs_of(rows, parts), num_trials=1, execution_mode=pnl.ExecutionMode.Python)
    for name in ("control", "stimulus", "decision", "response"):
        network.output(network[name]["result"])
    network.output(network["locus coeruleus"])
    found = network.compile().run(rows, num_trials=1)
    differences = [found["answer", port][0] - value for port, value in zip(("choice", "response_time"), outcomes_of(model)[0], strict=True)]
    for name, value in states_of(model, parts).items():
        own = found["locus coeruleus", "gain"] if name == "coeruleus" else found[name, "result"]
        differences += list(np.ravel(own) - value)
    return float(np.max(np.abs(differences)))


def natively(rows: dict[str, np.ndarray], trials: int) -> None:
    """Prints whether cogir runs PsyNeuLink's version natively, and how the results differ."""
    import psyneulink as pnl

    from cogir.psyneulink import UnsupportedFeature, accelerate

    first = {name: values[:trials] for name, values in rows.items()}
    model, parts = composition(0.0)
    try:
        with accelerate(strict=True):
            model.run(inputs_of(first, parts))
    except UnsupportedFeature as error:
        print(f"accelerate does not run it natively: {error}")
        return
    found = outcomes_of(model)
    model, parts = composition(0.0)
    model.run(inputs_of(first, parts), execution_mode=pnl.ExecutionMode.Python)
    difference = np.abs(outcomes_of(model) - found).max()
    print(f"accelerate runs it natively; {trials} trials without noise differ from Python mode by at most {difference:.1e}")


def estimation(rows: dict[str, np.ndarray], estimates: int) -> Callable[[], Outcomes]:
    """PsyNeuLink's compiled simulation of so many sequences, as its fits make it."""
    import pandas as pd
    import psyneulink as pnl

    model, parts = composition(0.1)
    ports = [parts["choice"].output_port, parts["time"].output_port]
    trials = len(rows["task"])
    data = pd.DataFrame({"choice": pd.Categorical(np.arange(trials) % 2.0), "time": np.full(trials, 1.0)})
    pec = pnl.ParameterEstimationComposition(
        nodes=[model],
        parameters={("intercept", parts["time"]): np.linspace(0.0, 1.0, 11)},
        outcome_variables=ports,
        data=data,
        optimization_function=pnl.PECOptimizationFunction(method="differential_evolution", max_iterations=1),
        num_estimates=estimates,
        initial_seed=SEED,
        same_seed_for_all_parameter_combinations=True,
    )
    for number, variable in enumerate(pec.controller.random_variables):
        (projection,) = variable.parameters.seed.port.mod_afferents  # that brings the seed of an estimate
        projection.function.parameters.intercept.set(float(number * 2**24))
    pec.controller.parameters.comp_execution_mode.set("LLVM")
    pec.controller.function.set_pec_objective_function(lambda simulated: 0.0)
    given = inputs_of(rows, parts)

    def run() -> Outcomes:
        _, simulated = pec.log_likelihood(0.2, inputs=given, return_sim_data=True)
        simulated = np.asarray(simulated)
        return simulated[..., 0], simulated[..., 1]

    return run


def replicates(model: cogir.Model, rows: dict[str, np.ndarray], estimates: int, threads: int) -> Callable[[], Outcomes]:
    """The same by cogir."""
    compiled = model.compile(threads=threads)
    compiled.replicates(rows, count=64, seed=SEED)  # compiles

    def run() -> Outcomes:
        found = compiled.replicates(rows, count=estimates, seed=SEED)
        return found["answer", "choice"].T, found["answer", "response_time"].T

    return run


def seconds(run: Callable[[], Outcomes]) -> tuple[float, float, Outcomes]:
    """Of the processor, of the clock, and what was simulated."""
    begun = time.process_time(), time.perf_counter()
    outcomes = run()
    return time.process_time() - begun[0], time.perf_counter() - begun[1], outcomes


def report(name: str, run: Callable[[], Outcomes]) -> float:
    """Prints a line of the table; nanoseconds of the processor for a step."""
    used, by_clock, (choices, times) = seconds(run)
    each = 1e9 * used / float(np.rint((times - 0.2) / STEP).sum())
    print(
        f"{name:10} {choices.shape[0]} x {choices.shape[1]:6,}: {used:7.2f} s of processor, {by_clock:7.2f} s, {each:5.0f} ns a step;"
        f" mean time {times.mean():.4f} s, of the first trial {times[0].mean():.4f} s; right {choices.mean():.4f}",
        flush=True,
    )
    return each


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=64)
    parser.add_argument("--estimates", type=int, default=10_000)
    parser.add_argument("--theirs", type=int)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", choices=["cogir"], help="leave PsyNeuLink out")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    built = script()
    rows = built["sequence"](options.trials, seed=3)
    runs = {
        "one node": replicates(built["one_node"](), rows, options.estimates, options.threads),
        "network": replicates(built["network"](), rows, options.estimates, options.threads),
    }
    if options.only is None:
        import psyneulink as pnl

        pnl.set_num_threads(options.threads)
        difference = first_trial(built["network"](noise=0.0), rows)
        print(f"first trial without noise: {difference:.1e} from PsyNeuLink's Python mode")
        if difference > TOLERANCE:
            raise SystemExit(f"the first trial differs by more than {TOLERANCE}")
        natively(rows, min(options.trials, 2))
        runs["PsyNeuLink"] = estimation(rows, options.theirs or options.estimates)
        runs["PsyNeuLink"]()  # compiles
    steps: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(options.rounds):
        for name, run in runs.items():
            steps[name].append(report(name, run))
    if theirs := steps.pop("PsyNeuLink", None):
        for name, own in steps.items():
            ratios = [one / other for one, other in zip(theirs, own, strict=True)]
            print(f"PsyNeuLink / {name}: {np.median(ratios):.1f} (least {min(ratios):.1f}) times the processor time of a step")


if __name__ == "__main__":
    main()
