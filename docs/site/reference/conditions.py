"""
Every condition, with a run of a small model that it paces.
"""

from __future__ import annotations

import inspect
import re
import warnings
from pathlib import Path

import numpy as np

import cogir
from cogir import library
from reference.api import conditions
from reference.markdown import docstring, signature_text, table, write_if_changed

SETTING = """
The examples pace the node `b` of one model; the table shows when it runs.

```python
def above(x):
    return x[0] > 0.5

model = cogir.Model("pacing")
a = model.node("a", cogir.library.linear)
b = model.node("b", cogir.library.linear)
c = model.node("c", cogir.library.linear)         # independent of a and b, runs in each pass
model.project(a, b)
model.schedule.when(a, cogir.Always())
model.schedule.when(c, cogir.Always())
model.schedule.when(b, CONDITION)
model.schedule.trial_ends(cogir.AfterNPasses(6))
```

`a` and `c` run in each of the six passes of a trial, `c` gives the number of the trial. In a pass, `a` and `c` run in one time step and `b`
in the next one.
"""
EXAMPLES: dict[str, str] = {
    "AfterCall": 'cogir.AfterCall("a", 2)',
    "AfterNCalls": 'cogir.AfterNCalls("a", 3)',
    "AfterNCallsCombined": 'cogir.AfterNCallsCombined("a", "c", n=6)',
    "AfterNPasses": "cogir.AfterNPasses(3)",
    "AfterNRuns": "cogir.AfterNRuns(1)",
    "AfterNTimeSteps": "cogir.AfterNTimeSteps(4)",
    "AfterNTrials": "cogir.AfterNTrials(1)",
    "AfterPass": "cogir.AfterPass(3)",
    "AfterRun": "cogir.AfterRun(0)",
    "AfterTimeStep": "cogir.AfterTimeStep(4)",
    "AfterTrial": "cogir.AfterTrial(0)",
    "All": "cogir.All(cogir.AfterPass(1), cogir.BeforePass(5))",
    "AllHaveRun": 'cogir.AllHaveRun("a", "c")',
    "Always": "cogir.Always()",
    "And": "cogir.And(cogir.AfterPass(1), cogir.BeforePass(5))",
    "Any": "cogir.Any(cogir.AtPass(0), cogir.AtPass(5))",
    "AtNCalls": 'cogir.AtNCalls("a", 3)',
    "AtPass": "cogir.AtPass(2)",
    "AtRun": "cogir.AtRun(1)",
    "AtRunNStart": "cogir.AtRunNStart(1)",
    "AtRunStart": "cogir.AtRunStart()",
    "AtTimeStep": "cogir.AtTimeStep(1)",
    "AtTrial": "cogir.AtTrial(1)",
    "AtTrialNStart": "cogir.AtTrialNStart(1)",
    "AtTrialStart": "cogir.AtTrialStart()",
    "BeforeNCalls": 'cogir.BeforeNCalls("a", 3)',
    "BeforePass": "cogir.BeforePass(2)",
    "BeforeTimeStep": "cogir.BeforeTimeStep(4)",
    "BeforeTrial": "cogir.BeforeTrial(1)",
    "EveryNCalls": 'cogir.EveryNCalls("a", 2)',
    "EveryNPasses": "cogir.EveryNPasses(3)",
    "JustRan": 'cogir.JustRan("a")',
    "NWhen": "cogir.NWhen(cogir.AfterPass(1), 2)",
    "Never": "cogir.Never()",
    "Not": "cogir.Not(cogir.AtPass(2))",
    "Or": "cogir.Or(cogir.AtPass(0), cogir.AtPass(5))",
    "Threshold": 'cogir.Threshold("c", "value", 1.0, ">=", indices=0)',
    "WhenFinished": 'cogir.WhenFinished("a")',
    "WhenFinishedAll": 'cogir.WhenFinishedAll("a", "c")',
    "WhenFinishedAny": 'cogir.WhenFinishedAny("a", "c")',
    "While": 'cogir.While(above, c["value"])',
    "WhileNot": 'cogir.WhileNot(above, c["value"])',
}
REFUSED = {"TimeInterval": "cogir.TimeInterval()", "TimeTermination": "cogir.TimeTermination()"}
"""Conditions of graph_scheduler that a compiled model cannot have: what is shown is their message."""
BASE = "Condition"


def above(x):  # no annotations: it is shown as users write it
    return x[0] > 0.5


def passes(said: str) -> list[list[list[int]]]:
    """The passes in which `b` runs under a condition: for two runs of two trials each."""
    model = cogir.Model("pacing")
    a, b, c = (model.node(name, library.linear) for name in "abc")
    model.project(a, b)
    model.schedule.when(a, cogir.Always())
    model.schedule.when(c, cogir.Always())
    model.schedule.when(b, eval(said, {"cogir": cogir, "c": c, "above": above}))
    model.schedule.trial_ends(cogir.AfterNPasses(6))
    model.record(model.schedule)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compiled = model.compile(mode="python")
        runs = [compiled.run({"c": [[0.0], [1.0]]}) for _ in range(2)]
    return [[passes_of_trial(np.asarray(next(iter(run.traces.values()))[trial])) for trial in range(2)] for run in runs]


def passes_of_trial(executed: np.ndarray) -> list[int]:
    """The passes of a trial in which `b` has run: a new pass begins where `a` runs."""
    found: list[int] = []
    number = -1
    for a, b, _ in executed:
        number += bool(a)
        if b:
            found.append(number)
    return found


def timeline(name: str) -> str:
    """A table of the passes of each trial, with a mark where `b` runs."""
    rows: list[list[str]] = []
    for run, trials in enumerate(passes(EXAMPLES[name])):
        for trial, ran in enumerate(trials):
            rows.append([f"run {run}, trial {trial}", *("●" if each in ran else "·" for each in range(6))])
    return table(["`b` runs in pass", *map(str, range(6))], rows)


def message(said: str) -> str:
    """The message of a condition that cannot be used."""
    try:
        eval(said, {"cogir": cogir})
    except cogir.CogirError as error:
        return re.sub(r"^.*?: (?=Time)", "", str(error))
    raise LookupError(f"docs/site: {said} is not refused")


def section(name: str) -> str:
    """One condition."""
    thing = getattr(cogir, name)
    lines = [f"## {name}", "", f"```python\ncogir.{name}{signature_text(thing)}\n```", "", docstring(thing), ""]
    if name in EXAMPLES:
        lines += [f"`{EXAMPLES[name]}`:", "", timeline(name), ""]
    elif name in REFUSED:
        lines += [f"```text\n>>> {REFUSED[name]}\n{message(REFUSED[name])}\n```", ""]
    return "\n".join(lines)


def page() -> str:
    """The page."""
    names = [BASE, *sorted(name for name in conditions() if name != BASE)]
    rows = [[f"[`{name}`](#{name.lower()})", inspect.getdoc(getattr(cogir, name)).split("\n")[0]] for name in names]
    head = (
        "# Conditions\n\nWhen a node runs, a trial or a run ends, or states are reset. Conditions have the names and the meaning of "
        "graph_scheduler's. They combine with `&`, `|` and `~`, and counts start at 0. [The schedule](../running.md#the-schedule) is "
        "the guide.\n"
    )
    return "\n".join([head, SETTING, table(["condition", "meaning"], rows), *map(section, names)])


def write(folder: Path) -> list[tuple[str, str]]:
    """Writes the page."""
    write_if_changed(folder / "conditions.md", page())
    return [("conditions", "Conditions")]
