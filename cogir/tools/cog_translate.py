"""
`cog-translate`: from a model, or from IR at any stage, to what leaves MLIR: LLVM IR, assembly, an object file and its C header, PTX.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from xdsl.context import Context

from cogir.backend.device import device_code
from cogir.backend.emit_llvm_ir import emit_llvm_ir
from cogir.backend.jit import assembly, compile_to_object, optimised_llvm_ir
from cogir.backend.kernels import DeviceOptions
from cogir.backend.llvm import host
from cogir.backend.nvptx import ptx
from cogir.backend.ptxas import assembled
from cogir.errors import LoweringError
from cogir.frontend.compilable import MATH
from cogir.lowering.pipeline import FOR_TEXTS, OF_MODELS, PASSES, lower_to, stage_names
from cogir.runtime.build import without_records
from cogir.tools.c_header import Interface, add_prefix, c_header, checked_prefix
from cogir.tools.common import Arguments, add_version, left_out, parameter_paths, run_tool, standard_output
from cogir.tools.diagnostics import TextPosition, ToolError
from cogir.tools.model_files import is_python, load_python, load_text

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

DESCRIPTION = """\
Translates a model, or IR at any stage of the compiler, to LLVM IR, machine code or PTX.

examples:
  cog-translate model.mlir --emit=llvm-ir            LLVM IR as cogir emits it
  cog-translate model.mlir --emit=llvm-ir -O3        the same after LLVM's passes
  cog-translate model.py --emit=obj -o model.o       an object file with the functions `init` and `run`
  cog-translate model.py --emit=obj --prefix=m -o m.o        one with `m_init` and `m_run`, and its header: what a program in C or
  cog-translate model.py --emit=c-header --prefix=m -o m.h   C++ needs to run it
  cog-translate loops.mlir --from=loops --emit=asm
  cog-translate model.mlir --emit=ptx --arch=sm_90                the searches of a model as kernels for a GPU
  cog-translate model.mlir --replicates --emit=cubin --arch=sm_90 -o m.cubin    its replicates, assembled by NVIDIA's ptxas
"""


@dataclass(frozen=True)
class CodeOptions:
    """The options of the code, from the command line."""

    level: int
    architecture: str
    prefix: str | None
    interface: Interface | None
    block: int | None = None
    contract: bool = False
    passes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, "Mapping[str, Any]"])
    """Options of passes that come after stage machine."""


def _llvm_ir(module: ModuleOp, chosen: CodeOptions) -> str:
    text = emit_llvm_ir(module)
    return optimised_llvm_ir(text, target=host(chosen.level)) if chosen.level else text


def _c_header(module: ModuleOp, chosen: CodeOptions) -> str:
    assert chosen.interface is not None
    assert chosen.prefix is not None
    return c_header(chosen.interface, chosen.prefix)


EMIT: dict[str, Callable[[ModuleOp, CodeOptions], str | bytes]] = {
    "llvm-ir": _llvm_ir,
    "asm": lambda module, chosen: assembly(emit_llvm_ir(module), target=host(chosen.level)),
    "obj": lambda module, chosen: compile_to_object(emit_llvm_ir(module), target=host(chosen.level)),
    "c-header": _c_header,
    "ptx": lambda module, chosen: ptx(module, architecture=chosen.architecture),
    "cubin": lambda module, chosen: assembled(ptx(module, architecture=chosen.architecture), chosen.architecture)[0],
}
"""The formats that can be emitted, each with its function of a module of the llvm dialect."""
FOR_GPUS = ("ptx", "cubin")


def kernels(module: ModuleOp, chosen: CodeOptions, *, cubin: bool) -> str | bytes:
    """The kernels of a module at stage machine; PTX begins with a line for each that tells its resources."""
    code = device_code(module, DeviceOptions(chosen.architecture, cubin, chosen.block, chosen.contract), chosen.passes)
    if not code.kernels:
        raise LoweringError(
            "the model has no search that can be a kernel (ties at random stay on the CPU); give --replicates or --sweep for a kernel of "
            "replicates"
        )
    if cubin:
        return code.image
    head = [f"// @{kernel.name}: {kernel.report or 'the resources are told by ptxas, which was not found'}" for kernel in code.kernels]
    return "\n".join([*head, code.image.decode()])


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = Arguments("cog-translate", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = made.add_argument
    add("model", nargs="?", help="a file .mlir, or a model in Python as for cog-run (default: text from the standard input)")
    add = made.add_argument_group("what to do").add_argument
    add("--emit", choices=EMIT, default="llvm-ir", help="the format of the output (default: llvm-ir)")
    add("--from", dest="since", choices=stage_names(), default="cog", help="the stage that the input is at (default: cog)")
    add("-O", dest="level", type=int, choices=range(4), help="the level of LLVM's optimisation, 0 to 3 (default: 0 for llvm-ir, else 3)")
    add("--arch", default="sm_80", metavar="SM", help="the GPU architecture: for ptx the oldest to support (default: sm_80)")
    add("--block", type=int, metavar="THREADS", help="for ptx and cubin: threads per block (default: as many as the registers allow)")
    add("--contract", action="store_true", help="for ptx and cubin: round a * b + c once; last bits then differ from the CPU's")
    add(
        "--log",
        choices=MATH,
        default="libm",
        help="for ptx and cubin: the logarithm of NumPy's generators, the C library's, which a GPU does not have, or cogir's, with which "
        "one normal in 3,000 differs from NumPy's in its last bits (default: libm)",
    )
    add(
        "--math",
        choices=MATH,
        default="portable",
        help="elementary functions: cogir's own, or the C library's (default: portable)",
    )
    add("--without", default="", metavar="PASSES", help="optimisations to leave out, such as 'factor-grid,cog-cse'")
    add("--replicates", action="store_true", help="lower for many independent runs: the entry is @replicates instead of @run")
    add(
        "--sweep",
        metavar="PARAMETERS",
        help="lower for replicates at points that differ in these parameters ('decision/rate,decision/noise'): the entry is @sweep",
    )
    add("--specialise", action="store_true", help="fold the values of the parameters into the code")
    add("--prefix", metavar="NAME", help="the functions are called NAME_init and NAME_run; required for c-header")
    add = made.add_argument_group("output").add_argument
    add("-o", "--output-file", metavar="FILE", help="the file to write (default: the standard output)")
    add_version(made)
    return made


def translated(args: argparse.Namespace) -> str | bytes:
    """The output that the command line asks for, as text or bytes."""
    python = is_python(args.model)
    if python and args.since != "cog":
        raise ToolError("--from: a model in Python is at stage cog; leave it out")
    module = load_python(args.model) if args.model is not None and python else load_text(args.model)
    options: dict[str, dict[str, Any]] = {
        "replicate": {"enabled": args.replicates or args.sweep is not None, "points": args.sweep is not None},
        "fill-lanes": {"varying": () if args.sweep is None else parameter_paths(args.sweep)},
        "expand-math": {"math": args.math},
        "fold-constants": {"math": args.math},
        "expand-rng": {"log": args.log if args.emit in FOR_GPUS else "libm"},
        "draw-ahead": {"enabled": False},  # their logarithms are calls
    }
    if args.prefix is not None:
        without_records(module)  # programs in C have no memory for traces
    if not python and args.since in OF_MODELS:
        for name in FOR_TEXTS:
            PASSES[name]().apply(Context(), module)
    lower = partial(lower_to, module, without=left_out(args.without), specialise=args.specialise, options=options)
    since, interface = args.since, None
    if args.emit == "c-header":
        check_header(args)
        lower("machine", since=since)
        interface, since = Interface.of(module), "machine"
    if args.emit in FOR_GPUS and args.since in (*OF_MODELS, "machine"):
        if args.since in OF_MODELS:
            lower("machine", since=since, kernels=True)
        chosen = CodeOptions(3, args.arch, None, None, args.block, args.contract, options)
        return kernels(module, chosen, cubin=args.emit == "cubin")
    lower("llvm", since=since)
    if not module.body.block.first_op:
        raise LoweringError("the input contains no function and no model to emit; give IR with a cog.model, a func.func or an llvm.func")
    if args.prefix is not None:
        add_prefix(module, checked_prefix(args.prefix))
    level = args.level if args.level is not None else 0 if args.emit == "llvm-ir" else 3
    return EMIT[args.emit](module, CodeOptions(level, args.arch, args.prefix, interface))


def check_header(args: argparse.Namespace) -> None:
    """Refuses what has no header."""
    if args.since not in OF_MODELS:
        raise ToolError(f"--emit=c-header: the input is at stage {args.since}, where a header is no longer known; give a model")
    if args.prefix is None:
        raise ToolError("--emit=c-header: the functions need a name; give --prefix=NAME, here and for the object file")
    if args.specialise:
        raise ToolError("--emit=c-header: a program sets parameters, which --specialise folds into the code; leave it out")
    if args.replicates or args.sweep is not None:
        raise ToolError("--emit=c-header: there is no header for --replicates and --sweep; leave it out and run the model several times")


def write(output: str | bytes, path: str | None) -> None:
    """Writes text or bytes to a file or to the standard output; bytes do not go to a terminal."""
    data = output.encode() if isinstance(output, str) else output
    if path is None:
        stream = standard_output()
        if isinstance(output, bytes) and stream.isatty():
            raise ToolError("an object file is binary and is not written to a terminal; give -o FILE")
        stream.buffer.write(data)
        stream.flush()
        return
    try:
        with open(path, "wb") as file:
            file.write(data)
    except OSError as error:
        raise ToolError(f"the file cannot be written: {error.strerror}", TextPosition(path)) from error


def run(args: argparse.Namespace) -> int:
    """Does what the command line says; gives the exit code."""
    write(translated(args), args.output_file)
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs `cog-translate` with these arguments (default: those of the command line); gives its exit code."""
    return run_tool(lambda: run(parser().parse_args(arguments)))


if __name__ == "__main__":
    sys.exit(main())
