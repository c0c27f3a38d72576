"""
The same bits in lanes, threads and kernels
===========================================

Replicates run in SIMD lanes, on several threads, or as kernels of a GPU. Replicate ``r`` is the same in all of them: its random numbers
depend on the seed and on ``r`` alone. The kernels are called on the CPU here.
"""

import time

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library

model = cogir.Model("decision")
model.node(
    "decision",
    library.drift_diffusion_integrator,
    noise=1.0,
    threshold=1.0,
    time_step_size=0.01,
    execute_until_finished=True,
    max_executions_before_finished=10_000,
    reset_each_trial=True,
)
ways = {
    "one after another": {"without": ["fill-lanes"], "threads": 1},
    "in lanes": {"threads": 1},
    "in lanes, two threads": {"threads": 2},
    "kernels, emulated": {"target": "cuda-emulated"},
}

found, nanoseconds = {}, {}
for name, options in ways.items():
    compiled = model.compile(**options)
    compiled.replicates({"decision": [[1.0]]}, count=100, seed=1)
    count = 2000 if "emulated" in name else 20_000
    started = time.perf_counter()
    found[name] = compiled.replicates({"decision": [[1.0]]}, count=count, seed=1)
    steps = found[name]["decision", "time"].sum() / 0.01
    nanoseconds[name] = 1e9 * (time.perf_counter() - started) / steps

figure, axes = plt.subplots(figsize=(7, 2.6), layout="constrained")
axes.barh(list(nanoseconds), list(nanoseconds.values()))
axes.set(xlabel="nanoseconds per step of a decision (this machine, while the page was built)", xscale="log")
axes.invert_yaxis()

first = found["one after another"]["decision"]
for name, each in found.items():
    assert np.array_equal(each["decision"], first[: len(each["decision"])]), name
