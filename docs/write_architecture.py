"""
Writes `architecture.md`: the IR of one small model at every stage.

`python docs/write_architecture.py` updates the page; a test compares it with the output of the compiler.
"""

import re
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

import cogir
from cogir.backend.emit_llvm_ir import emit_llvm_ir
from cogir.library import State, Step, Value
from cogir.lowering.pipeline import KERNELS, SPECIALISATION, STAGES, lower_to

PAGE = Path(__file__).parent / "architecture.md"
LIMIT = 60
"""The largest number of lines that are shown of a stage."""


def accumulate(evidence: Value, *, rate: Value = 0.5, threshold: Value = 1.0, total: State = 0.0) -> Step:
    """Adds up evidence until the threshold is reached."""
    following = total + rate * evidence
    return Step(outputs=(following,), states=(following,), finished=following[0] >= threshold)


def build() -> cogir.Model:
    """The model of the page: a stimulus, and a decision that runs until it has finished."""
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
The module contains the model as the user wrote it, without any details of its execution. `pyfunc` has compiled the Python function from its
source; it is in the module as a `func.func`, so the IR is self-contained. `complete-schedule` has added the defaults of the schedule: the
order of the nodes (`layers`), the condition of each node, and the termination condition of a trial.
""",
    "scheduled": """
`eliminate-scheduler` has evaluated at compile time the conditions that depend on counts only (of trials, passes, calls), with the scheduler
of the interpreter. Here every trial has the same two time steps. If a trial depends on counts from earlier trials (`AtTrial`, calls in a
run, passes in the life of the model), the program begins with a `cog.choose`, which reads these counts once, at the start of the trial
([language.md](language.md)). If a condition depends on data, there is no `cog.program`, and the next pass converts the schedule to a loop
over passes. The rest of the model is unchanged; these lines are added at the end of the schedule:
""",
    "machine": """
The model is a state machine on SSA values: `@init` returns the initial state, and `@trial` takes parameters, inputs and a state and returns
the next state, the outputs and a status. The buffers `%pf`, `%pi` (parameters) and `%sf`, `%si` (state) contain all floats and integers of
the model; the attribute `cog.layout` (not shown) maps paths to slots. Time steps have become straight-line code, and `until_finished` an
`scf.while`. At this stage an array operation is a single op, and ops without side effects are merged, hoisted and removed. (Specialisation
to parameter values adds passes at this stage: [specialisation.md](specialisation.md).)
""",
    "loops": """
From this stage on, the model uses memory. `bufferize` has converted tensors to buffers that are updated in place; it copies a buffer only
if an older value is still read. `add-entry` has added `@run`, the loop over trials that Python calls and that can be stopped and resumed.
`expand-math` and `expand-rng` have added the bodies of elementary functions and draws, compiled from the library. Only upstream dialects
and attributes are left: `mlir-opt` of LLVM 22 can parse this and the next two stages, and tests also compile them with LLVM's tools. The
text shows `@trial`.
""",
    "cf": "\nStructured loops have become branches between blocks. The text shows `@trial` up to the loop of the decision.\n",
    "llvm": "\nThe module is in the llvm dialect, with one op for each instruction of LLVM IR. The text shows the beginning of `@trial`.\n",
}


def function_text(module: ModuleOp, name: str) -> str:
    """The text of one function of a module."""
    text = str(module)
    start = re.search(rf"^  (\w+)?\.?func[^\n]*@{name}\b", text, re.M)
    assert start is not None, name
    end = text.index("\n  }\n", start.start()) + len("\n  }\n")
    return "\n".join(line[2:] for line in text[start.start() : end].splitlines())


def shown(text: str) -> str:
    """At most `LIMIT` lines, without attributes about access."""
    text = re.sub(r" \{cog\.access[^}]*\}", "", text)
    text = re.sub(r" \{cog\.updates[^}]*\}", "", text)
    lines = text.rstrip().splitlines()
    if len(lines) > LIMIT:
        lines = [*lines[:LIMIT], "  ..."]
    return "\n".join(lines)


def stage_text(module: ModuleOp, stage: str) -> str:
    """The part of a module that the page shows at a stage."""
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
        names = ", ".join(f"`{name}`" for name in passes if name not in (*SPECIALISATION, *KERNELS))
        parts.append(f"## `{stage}`\n\nPasses: {names}\n{STORY[stage]}\n```mlir\n{shown(stage_text(module, stage))}\n```\n")
    ir = emit_llvm_ir(module)
    start = ir.index("define internal i64 @trial") if "define internal i64 @trial" in ir else ir.index("@trial(") - 30
    parts.append("## `llvm-ir`\n" + LLVM_IR + f"\n```llvm\n{shown(ir[ir.rindex(chr(10), 0, start + 1) + 1 :])}\n```\n")
    return "\n".join(parts)


INTRODUCTION = """# One small model at every stage

<!-- Written by docs/write_architecture.py. Change that, not this. -->

cogir lowers a model in stages. The first stage is IR in the `cog` dialect, which a scientist can read. Each step from there to machine code
is a pass. The IR after each stage can be printed (`cog-opt --emit=<stage>`), and each pass is tested separately; most stages can also be
interpreted (`cog-run --stage <stage>`). This page shows one model at every stage, as the compiler prints it.

The packages are layers, and a package imports only packages later in this list: `psyneulink`, `tools`, `study`, `analyze`,
`frontend`, `runtime`, `labelled`, `backend`, `lowering`, `transforms`, `analysis`, `interpreters`, `pictures`, `model`, `pyfunc`,
`library`, `dialects`. Files that belong together share a name: `dialects/rng.py` defines the ops,
`interpreters/rng.py` interprets them, `lowering/library/expand_rng.py` lowers them, and `test/filecheck/.../expand-rng.mlir` tests the
lowering.

The model has a stimulus node and a decision node that accumulates evidence until it reaches a threshold.

```python
{script}
```
"""

LLVM_IR = """
This is LLVM IR as text. LLVM optimises it for the host processor (O3, without contraction and reassociation) and generates machine code
through llvmlite. The object code is cached.
"""


if __name__ == "__main__":
    from reported import reported

    with reported(PAGE):
        PAGE.write_text(page())
