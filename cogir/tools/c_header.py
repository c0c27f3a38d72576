"""
The C header of a compiled model: what a program in C or C++ needs to run the object file of `cog-translate --emit=obj` without Python.

    cog-translate model.mlir --emit=obj --prefix=choice -o choice.o
    cog-translate model.mlir --emit=c-header --prefix=choice -o choice.h

The header declares the two functions of the object file, and has the sizes of the buffers, the offset and size of every parameter, state,
input and output, the values that parameters start from, and the states of the generators. Inline functions start a model and run trials.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects import llvm
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr

import cogir
from cogir.analysis.layout import Layout, Slot
from cogir.runtime.plan import GeneratorStart, starts_of
from cogir.tools.diagnostics import ToolError

ENTRIES = ("init", "run", "replicates", "learn")
"""The functions of an object file that a host calls."""

BODY = """\
/* A model compiled by cogir {version}.
 *
 * Link it with the object file of the same --prefix and with the C library's mathematics (-lm).
 *
 *     {p}_model model;
 *     {p}_start(&model);                                   parameters and generators as in the model, the state where it begins
 *     model.pf[{P}_PARAM_...] = 0.5;                       parameters may be set at any time between runs
 *     status = {p}_run_trials(&model, in, n_in, out, n);   trial t reads row t % n_in of in and writes row t of out
 *
 * A row of in has {P}_IN doubles, a row of out {P}_OUT; where the comment of a place says i64, they hold the bits of an int64_t. All
 * memory of a model is in its struct, so several models may run in several threads.
 */
#ifndef {P}_H
#define {P}_H

#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {{
#endif

/* Numbers of elements of the buffers. */
enum {{
{sizes}
}};

/* Places in the buffers: offset, and number of elements where it is not one. */
enum {{
{places}
}};

/* What {p}_run_trials returns. */
enum {{
  {P}_FINISHED = 0,   /* the trials are done, or the model ended its run; control[1] says how many trials it made. Nodes that are cut
                       * off at their limit of executions before they have finished are not reported: see their outputs */
  {P}_STOPPED = 1,    /* control[0] was set to 1 while it ran; start the model anew */
  {P}_STEP_LIMIT = 2  /* a trial reached the limit of passes of its schedule, or failed: {p}_nodes[control[2]]; start the model anew */
}};

/* The schedules that can reach their limit of passes, and nodes that can fail with the message, by the number in control[2]. */
static const char *const {p}_nodes[] = {{{nodes}}};

static const double {p}_pf_defaults[{P}_PF] = {{
{pf}
}};

static const int64_t {p}_pi_defaults[{P}_PI] = {{
{pi}
}};

/* The states of the generators with the seeds of the model. */
static const int64_t {p}_rng_defaults[{P}_RNG] = {{
{rng}
}};

typedef struct {{
  double pf[{P}_PF];        /* parameters, and initial values of the state */
  int64_t pi[{P}_PI];       /* parameters that are whole numbers or flags */
  double sf[{P}_SF];        /* state */
  int64_t si[{P}_SI];       /* state that is whole numbers: counters, flags */
  int64_t rng[{P}_RNG];     /* generators */
  int64_t control[16];      /* of the last run: stop flag, trials done, what reached its limit, budget of trials, internal */
}} {p}_model;

/* The functions of the object file. */
void {p}_init(const double *pf, const int64_t *pi, double *sf, int64_t *si);
int32_t {p}_run(const double *pf, const int64_t *pi, double *sf, int64_t *si, int64_t *rng, const double *in, int64_t n_in, double *out,
                int64_t first, int64_t count, int64_t *control);

/* The state as the parameters say; the generators stay where they are. */
static inline void {p}_reset({p}_model *model) {{ {p}_init(model->pf, model->pi, model->sf, model->si); }}

/* Parameters, generators and state as the model has them before its first run. */
static inline void {p}_start({p}_model *model) {{
  memcpy(model->pf, {p}_pf_defaults, sizeof model->pf);
  memcpy(model->pi, {p}_pi_defaults, sizeof model->pi);
  memcpy(model->rng, {p}_rng_defaults, sizeof model->rng);
  memset(model->control, 0, sizeof model->control);
  {p}_reset(model);
}}

/* One run of `count` trials. */
static inline int32_t {p}_run_trials({p}_model *model, const double *in, int64_t n_in, double *out, int64_t count) {{
  int32_t status;
  memset(model->control, 0, sizeof model->control);
  status = {p}_run(model->pf, model->pi, model->sf, model->si, model->rng, in, n_in, out, 0, count, model->control);
{ends}  return status;
}}

#ifdef __cplusplus
}}
#endif
#endif
"""


@dataclass(frozen=True)
class Interface:
    """The contents of a header: the layout of a module at stage `machine`, and the starts of its generators."""

    layout: Layout
    starts: Mapping[str, GeneratorStart]

    @staticmethod
    def of(module: ModuleOp) -> Interface:
        """That of a module at stage `machine`."""
        return Interface(Layout.from_module(module), starts_of(module))


def checked_prefix(prefix: str) -> str:
    """A prefix that makes names in C."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", prefix):
        raise ToolError(f"--prefix: {prefix!r} is no name in C; give letters, digits and underscores, such as --prefix=choice")
    return prefix


def add_prefix(module: ModuleOp, prefix: str) -> None:
    """Renames the entries of a module at stage `llvm`, so that a program can contain several models."""
    for op in module.walk():
        if isinstance(op, llvm.FuncOp) and op.sym_name.data in ENTRIES:
            op.sym_name = StringAttr(f"{prefix}_{op.sym_name.data}")
        elif isinstance(op, llvm.CallOp) and op.callee is not None and op.callee.string_value() in ENTRIES:
            op.callee = SymbolRefAttr(f"{prefix}_{op.callee.string_value()}")


def c_header(interface: Interface, prefix: str) -> str:
    """The text of the header."""
    layout, upper = interface.layout, prefix.upper()
    return BODY.format(
        version=cogir.__version__,
        p=prefix,
        P=upper,
        sizes=",\n".join(f"  {upper}_{buffer.upper()} = {layout.size(buffer)}" for buffer in ("pf", "pi", "sf", "si", "rng", "in", "out")),
        places=",\n".join(_places(layout, upper)) or f"  {upper}_NOTHING = 0",
        nodes=", ".join(_string(name) for name in layout.nodes) or '""',
        pf=_rows(_double(value) for value in layout.default_buffer("pf").tolist()),
        pi=_rows(_integer(value) for value in layout.default_buffer("pi").tolist()),
        rng=_rows(_integer(value) for value in _generators(interface)),
        ends="".join(f"  {line}\n" for line in _end_of_run(layout)),
    )


def _places(layout: Layout, upper: str) -> Iterable[str]:
    taken: set[str] = set()
    for slot in layout:
        name = base = f"{upper}_{_name(slot)}"
        count = 2
        while name in taken or (slot.shape and f"{name}_SIZE" in taken):
            name, count = f"{base}_{count}", count + 1
        taken.add(name)
        kind = slot.buffer if slot.buffer == "rng" else f"{slot.buffer}, {slot.type}"
        yield f"  /* {_comment(slot.path)} ({kind}) */\n  {name} = {slot.offset}"
        if slot.shape:
            taken.add(f"{name}_SIZE")
            yield f"  {name}_SIZE = {slot.size}"


def _name(slot: Slot) -> str:
    """A path in capitals: `decision/param:rate` is `PARAM_DECISION_RATE`."""
    owner, _, rest = slot.path.rpartition("/")
    kind, _, name = rest.rpartition(":")
    if slot.buffer in ("in", "out"):
        direction, _, owner = owner.partition(":")
        kind = direction
    return "_".join(re.sub(r"[^A-Z0-9]+", "_", part.upper()).strip("_") for part in (kind, owner, name) if part)


def _comment(text: str) -> str:
    return text.replace("*/", "* /").replace("\n", " ")


def _string(text: str) -> str:
    return '"' + "".join(c if c.isascii() and c.isprintable() and c not in '"\\?' else _escaped(c) for c in text) + '"'


def _escaped(character: str) -> str:
    return "".join(f"\\{byte:03o}" for byte in character.encode("utf-8", "surrogatepass"))


def _double(value: float) -> str:
    """A double by its shortest digits, which every compiler reads back exactly; NaN and infinities by arithmetic."""
    if np.isnan(value):
        return "(0.0 / 0.0)"
    if np.isinf(value):
        return "(1.0 / 0.0)" if value > 0 else "(-1.0 / 0.0)"
    return repr(float(value))


def _integer(value: int) -> str:
    """A 64-bit integer; the least one cannot be written as a literal with a sign."""
    return "INT64_MIN" if value == -(2**63) else f"INT64_C({value})"


def _rows(values: Iterable[str]) -> str:
    rows: list[str] = []
    row = ""
    for text in values:
        if len(row) + len(text) > 110:
            rows.append(row)
            row = ""
        row += f"{text}, "
    rows.append(row)
    return "\n".join(f"  {row.rstrip()}" for row in rows).rstrip(",")


def _generators(interface: Interface) -> list[int]:
    layout = interface.layout
    words = np.zeros(layout.size("rng"), np.int64)
    for path, stream in zip(layout.generators, layout.streams, strict=True):
        words[layout[path].words] = interface.starts[stream].state(path, layout.seed)
    return words.tolist()


def _end_of_run(layout: Layout) -> Iterable[str]:
    """The statements between two runs: the number of the run grows, and clocks and counters within a run begin again."""
    before = np.ones(layout.size("si"), np.int64)
    after: Any = before.copy()
    layout.end_run(after)
    layout.begin_run(after)
    changed = [
        *(f"model->si[{place}] += 1;" for place in np.flatnonzero(after == 2).tolist()),
        *(f"model->si[{place}] = 0;" for place in np.flatnonzero(after == 0).tolist()),
    ]
    if changed:
        yield "/* The next run begins. */"
    yield from changed
