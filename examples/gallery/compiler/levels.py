"""
One model at every level
========================

``stages`` shows what the compiler makes of a model, from the text that a scientist reads to assembly.
"""

import matplotlib.pyplot as plt

import cogir
from cogir.library import State, Step, Value


def accumulate(evidence: Value, *, rate: Value = 0.5, threshold: Value = 1.0, total: State = 0.0) -> Step:
    """Adds up evidence until the threshold is reached."""
    following = total + rate * evidence
    return Step(outputs=(following,), states=(following,), finished=following[0] >= threshold)


model = cogir.Model("decide")
stimulus = model.node("stimulus", input=1)
decision = model.node("decision", accumulate, execute_until_finished=True, max_executions_before_finished=100, reset_each_trial=True)
model.project(stimulus, decision, matrix=[[2.0]])

stages = model.stages()
stages

# %%
# The lines of each level:

lines = {name: len(text.splitlines()) for name, text in stages.items()}
figure, axes = plt.subplots(figsize=(7, 3), layout="constrained")
axes.bar(list(lines), list(lines.values()))
axes.set_ylabel("lines")

assert lines["cog"] < lines["llvm"]
