"""
Seconds per likelihood evaluation of a ParameterEstimationComposition: PsyNeuLink's compiler, and cogir.

    python benchmarks/pec.py [--estimates 1000 10000] [--trials 100] [--threads 1 2] [--evaluations 20]

The model is that of PsyNeuLink's own tests, a DDM of which three parameters are fitted. Both have the same seeds; simulations and
likelihoods are compared. Times are the least of several evaluations after these, of the processor and of the clock.
"""

from __future__ import annotations

import argparse
import time
import warnings
from typing import Any

import numpy as np
import pandas as pd
import psyneulink as pnl
from psyneulink.core.globals import SampleIterator
from psyneulink.core.globals.context import Context

from cogir.psyneulink import accelerate

VALUES = ((0.3, 0.6, 0.15), (0.1, 0.5, 0.3), (0.3, 0.9, 0.0))


def estimation(trials: int, estimates: int) -> tuple[Any, Any, Any]:
    """The Composition, its model and the inputs."""
    rng = np.random.default_rng(12345)
    inputs = rng.choice([5.0, -5.0], size=(trials, 1), p=[0.1, 0.9])
    function = pnl.DriftDiffusionIntegrator(rate=0.3, noise=1.0, threshold=0.6, non_decision_time=0.15, time_step_size=0.01)
    ports = [pnl.DECISION_OUTCOME, pnl.RESPONSE_TIME]
    decision = pnl.DDM(function=function, output_ports=ports, name="DDM")
    model = pnl.Composition(pathways=decision)
    model.run(inputs={decision: inputs}, execution_mode=pnl.ExecutionMode.Python)
    data = pd.DataFrame(np.squeeze(np.array(model.results)), columns=["decision", "response_time"])
    data["decision"] = data["decision"].astype("category")
    pec = pnl.ParameterEstimationComposition(
        nodes=[model],
        parameters={(name, decision): np.linspace(0.0, 1.0, 11) for name in ("rate", "threshold", "non_decision_time")},
        outcome_variables=[decision.output_ports[name] for name in ports],
        data=data,
        optimization_function=pnl.PECOptimizationFunction(method="differential_evolution", max_iterations=1),
        num_estimates=estimates,
        initial_seed=42,
    )
    return pec, model, inputs


def evaluate(pec: Any, model: Any, inputs: Any, count: int, threads: int) -> tuple[list[Any], float, float]:
    """
    Likelihoods with their simulations at each of the VALUES, and then the least seconds of the processor and of the clock of so many
    evaluations, of which, as in a fit, no simulations are kept.
    """
    pnl.set_num_threads(threads)
    controller = pec.controller
    controller._seed_counter = 42
    controller.function.search_space[0] = SampleIterator(specification=controller.gen_new_seed_sequence(Context(execution_id=None)))
    found = [pec.log_likelihood(*values, inputs={model: inputs}, return_sim_data=True) for values in VALUES]
    processor, clock = [], []
    for number in range(count):
        began = time.process_time(), time.perf_counter()
        pec.log_likelihood(*VALUES[number % len(VALUES)], inputs={model: inputs})
        processor.append(time.process_time() - began[0])
        clock.append(time.perf_counter() - began[1])
    return found, min(processor), min(clock)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--estimates", type=int, nargs="+", default=[1000, 10000])
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--evaluations", type=int, default=20)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print("estimates  threads   PsyNeuLink (CPU, clock)   cogir (CPU, clock)   ratio (CPU, clock)   difference (simulations, likelihood)")
    for estimates in options.estimates:
        clocks: list[float] = []
        for threads in options.threads:
            pec, model, inputs = estimation(options.trials, estimates)
            wanted, *theirs = evaluate(pec, model, inputs, options.evaluations, threads)
            with accelerate(strict=True):
                found, *ours = evaluate(pec, model, inputs, options.evaluations, threads)
            clocks.append(ours[1])
            simulated = max(float(np.abs(one[1] - other[1]).max()) for one, other in zip(found, wanted, strict=True))
            likelihood = max(abs(one[0] - other[0]) for one, other in zip(found, wanted, strict=True))
            print(
                f"{estimates:9,}  {threads:7}   {theirs[0]:10.3f} {theirs[1]:10.3f}     {ours[0]:8.3f} {ours[1]:8.3f}     "
                f"{theirs[0] / ours[0]:8.2f} {theirs[1] / ours[1]:8.2f}     {simulated:.1e} {likelihood:.1e}",
                flush=True,
            )
        if len(clocks) > 1:
            gains = ", ".join(f"{threads}: {clocks[0] / each:.2f}" for threads, each in zip(options.threads[1:], clocks[1:], strict=True))
            print(f"{estimates:9,}  times as fast with threads {gains}", flush=True)


if __name__ == "__main__":
    main()
