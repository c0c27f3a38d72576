"""
Writes `architecture.md`: the road of one small model through all stages, with its IR at each.

`python docs/write_architecture.py` writes the page anew; a test compares it with what the compiler does today.
"""

import re
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

import cogir
from cogir.backend.emit_llvm_ir import emit_llvm_ir
from cogir.library import State, Step, Value
from cogir.lowering.pipeline import SPECIALISATION, STAGES, lower_to

PAGE = Path(__file__).parent / "architecture.md"
LIMIT = 60
"""No more lines than these of a stage are shown."""


def accumulate(evidence: Value, *, rate: Value = 0.5, threshold: Value = 1.0, total: State = 0.0) -> Step:
    """Adds up evidence until the threshold is reached."""
    following = total + rate * evidence
    return Step(outputs=(following,), states=(following,), finished=following[0] >= threshold)


def build() -> cogir.Model:
    """The model of the page: a stimulus, and a decision that takes as many steps as it needs."""
    model = cogir.Model("decide")
    stimulus = model.node("stimulus", input=1)
    decision = model.node(
        "decision", accumulate, input=1, execute_until_finished=True, max_executions_before_finished=100, reset_each_trial=True
    )
    model.project(stimulus, decision, matrix=[[2.0]])
    return model


SCRIPT = """
def accumulate(evidence, *, rate=0.5, threshold=1.0, total: State = 0.0):
    following = total + rate * evidence
    return Step(outputs=(following,), states=(following,), finished=following[0] >= threshold)

model = cogir.Model("decide")
stimulus = model.node("stimulus", input=1)
decision = model.node(
    "decision", accumulate, input=1, execute_until_finished=True, max_executions_before_finished=100, reset_each_trial=True
)
model.project(stimulus, decision, matrix=[[2.0]])
""".strip()

STORY = {
    "cog": """
What the modeller said, and nothing about execution. The function has been compiled from its source by `pyfunc`; it stands in the module
as `func.func`, so that the text is complete. `complete-schedule` has written down what was left to the defaults: the order in which nodes
are considered (`layers`), when each of them runs, and when a trial ends.
""",
    "scheduled": """
`eliminate-scheduler` has asked the conditions that only count, at compile time, with the very scheduler that the interpreter uses. Here
every trial is the same two time steps. Where trials differ by what has been counted before them (`AtTrial`, calls of a run, passes of a
life), the program begins with a `cog.choose`, which looks at these counts once, as the trial begins ([language.md](language.md)). Where a
condition looks at data there is no `cog.program`, and the next pass writes the scheduler out as a loop over passes. The rest of the model
is as before; new is, at the end of the schedule:
""",
    "machine": """
The model as a state machine, all values: `@init` gives the state in which the model begins, `@trial` takes parameters, inputs and a state
and returns the next state, the outputs and a status. The banks `%pf`, `%pi` (parameters) and `%sf`, `%si` (state) hold all numbers of the
model; the attribute `cog.layout` (left out here) says which leaf stands where. Time steps have become straight-line code, and
executing until finished an `scf.while`. Operations without effects are merged, moved out of loops and removed here, where a whole array
operation is still one operation. (Code for given values of the parameters takes more passes here:
[specialisation.md](specialisation.md).)
""",
    "loops": """
Memory. `bufferize` has turned values into buffers that are updated in place, with a copy only where an older version is still needed;
`add-entry` has added `@run`, the loop over trials that Python calls and that can be stopped and resumed; `expand-math` and `expand-rng` add
the bodies of elementary functions and draws, compiled from the library. From here on only upstream dialects are left, also in attributes:
`mlir-opt` of LLVM 22 reads this and the next two stages as they are, and tests use it as a second way to machine code. Shown is `@trial`.
""",
    "cf": "\nBranches instead of loops. Shown is the loop of the decision, as blocks.\n",
    "llvm": "\nThe llvm dialect, from which text in LLVM's own language is one line per operation. Shown is its beginning.\n",
}


def function_text(module: ModuleOp, name: str) -> str:
    """One function of a module, as it prints in it."""
    text = str(module)
    start = re.search(rf"^  (\w+)?\.?func[^\n]*@{name}\b", text, re.M)
    assert start is not None, name
    end = text.index("\n  }\n", start.start()) + len("\n  }\n")
    return "\n".join(line[2:] for line in text[start.start() : end].splitlines())


def shown(text: str) -> str:
    """At most `LIMIT` lines, none of them endless."""
    text = re.sub(r" \{cog\.access[^}]*\}", "", text)
    text = re.sub(r" \{cog\.updates[^}]*\}", "", text)
    lines = text.rstrip().splitlines()
    if len(lines) > LIMIT:
        lines = [*lines[:LIMIT], "  ..."]
    return "\n".join(lines)


def stage_text(module: ModuleOp, stage: str) -> str:
    """What the page shows of a stage."""
    match stage:
        case "cog":
            return str(module)
        case "scheduled":
            text = str(module)
            start = text.index("      cog.program {")
            return text[start : text.index("      }", start) + len("      }")].replace("\n      ", "\n").strip()
        case "machine":
            return function_text(module, "init") + "\n" + function_text(module, "trial")
        case _:
            return function_text(module, "trial")


def page() -> str:
    """The whole page."""
    module = build().ir()
    parts = [INTRODUCTION.format(script=SCRIPT)]
    before = "cog"
    for stage, passes in STAGES:
        lower_to(module, stage, since=before)
        before = stage
        names = ", ".join(f"`{name}`" for name in passes if name not in SPECIALISATION)
        parts.append(f"## `{stage}`\n\nPasses: {names}\n{STORY[stage]}\n```mlir\n{shown(stage_text(module, stage))}\n```\n")
    ir = emit_llvm_ir(module)
    start = ir.index("define internal i64 @trial") if "define internal i64 @trial" in ir else ir.index("@trial(") - 30
    parts.append("## `llvm-ir`\n" + LLVM_IR + f"\n```llvm\n{shown(ir[ir.rindex(chr(10), 0, start + 1) + 1 :])}\n```\n")
    return "\n".join(parts)


INTRODUCTION = """# The road of one small model

<!-- Written by docs/write_architecture.py. Change that, not this. -->

cogir compiles in levels. A model is first a `cog` program that a scientist can read; every step from there to machine code is a small
pass that can be printed (`cog-opt --emit=<stage>`), run (`cog-run --stage <stage>`) and tested by itself. This page follows one model
down, with what the compiler really prints.

The house has floors, and imports only go down: `psyneulink`, `tools`, `frontend`, `runtime`, `backend`, `lowering`, `transforms`,
`analysis`, `interpreters`, `pyfunc`, `library`, `dialects`. One stem has one file per floor: `dialects/rng.py` says what it is,
`interpreters/rng.py` what it means, `lowering/library/expand_rng.py` what it becomes, `test/filecheck/.../expand-rng.mlir` shows it.

The model: a stimulus and a decision that adds up evidence until a threshold is reached.

```python
{script}
```
"""

LLVM_IR = """
Text for LLVM, which optimises it for the processor at hand (O3, no contraction, no reassociation) and gives machine code through llvmlite.
The object goes into a cache, under a key that is made from the model before any function is compiled.
"""


if __name__ == "__main__":
    PAGE.write_text(page())
