"""
A thin, typed face of llvmlite's binding: parse, optimise, emit, load. llvmlite itself has no types.

llvmlite takes one lock around each call into LLVM, so everything here may be called from several threads.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Container, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from itertools import count
from typing import Any

import llvmlite  # pyright: ignore[reportMissingTypeStubs]
import llvmlite.binding as _untyped  # pyright: ignore[reportMissingTypeStubs]
from llvmlite.binding.newpassmanagers import NewPassManager  # pyright: ignore[reportMissingTypeStubs]

from cogir.errors import BackendError

_binding: Any = _untyped
_lock = threading.RLock()


_STRINGS = re.compile(r'"[^"]*"')
_ASSEMBLY = re.compile(r"(?<![\w.@%$-])asm(?![\w.$-])")


class ParsedModule:
    """LLVM IR in memory."""

    def __init__(self, handle: Any, context: Any):
        self.handle = handle
        self.context = context

    def __str__(self) -> str:
        return str(self.handle)

    def link(self, other: ParsedModule, names: Iterable[str]) -> None:
        """Adds another module of the same context, whose functions of these names are called from here alone."""
        self.handle.link_in(other.handle)
        for name in names:
            self.handle.get_function(name).linkage = "internal"

    def declared(self) -> list[str]:
        """The symbols that it takes from elsewhere: functions and variables without a body of their own, LLVM's intrinsics apart."""
        held = [*self.handle.functions, *self.handle.global_variables]
        outside = [each.name for each in held if each.is_declaration or each.linkage in _OF_THE_PROCESS]
        return [name for name in outside if not name.startswith("llvm.")]


_OF_THE_PROCESS = (_binding.Linkage.available_externally, _binding.Linkage.external_weak, _binding.Linkage.common)
"""Linkages whose definitions may give way to those of the process."""


@dataclass(frozen=True)
class Target:
    """The machine that code is generated for. `triple`, `cpu` and `features` as LLVM writes them; `level` is 0 to 3."""

    triple: str
    cpu: str
    features: str
    level: int

    def description(self) -> str:
        """One line that tells apart any two targets whose code differs."""
        return f"{self.triple} {self.cpu} O{self.level} {self.features}"


class Machine:
    """LLVM's target machine for a `Target`; make it once and use it often."""

    def __init__(self, target: Target):
        self.target = target
        try:
            found = _binding.Target.from_triple(target.triple)
        except RuntimeError as error:
            raise BackendError(f"LLVM: target {target.triple} is not available: {error}") from None
        relocation = "default" if target.triple.startswith("nvptx") else "pic"
        self.handle: Any = found.create_target_machine(
            cpu=target.cpu, features=target.features, opt=target.level, reloc=relocation, codemodel="small"
        )
        self.handle.set_asm_verbosity(False)
        self.data_layout = str(self.handle.target_data)

    def parse(self, text: str, beside: ParsedModule | None = None) -> ParsedModule:
        """
        LLVM IR for this machine, parsed and verified, in a context of its own, or in that of a module that it is to be linked to.

        Raises BackendError with LLVM's message and the line that it is about, and for text with assembly, which cogir never writes.
        """
        if "asm" in text and _ASSEMBLY.search(_STRINGS.sub('""', text)):
            raise BackendError("LLVM IR contains assembly (module asm, or call asm), which is never run; write it as operations")
        try:
            context = _binding.create_context() if beside is None else beside.context
            module = _binding.parse_assembly(text, context=context)
            module.triple = self.target.triple
            module.data_layout = self.data_layout
            module.verify()
        except RuntimeError as error:
            raise BackendError(f"LLVM refuses the IR: {_with_line(str(error).strip(), text)}") from None
        return ParsedModule(module, context)

    def optimise(self, module: ParsedModule, *, vectorise: bool = True, unroll: bool = True) -> None:
        """
        Runs LLVM's standard passes for the level of the target, but for that which makes vectors of operations side by side (SLP): models
        take 0.86 to 0.99 of the time without it.
        """
        options = _binding.create_pipeline_tuning_options(self.target.level)
        options.loop_vectorization = vectorise and self.target.level >= 2
        options.slp_vectorization = False
        options.loop_unrolling = unroll and self.target.level >= 2
        builder = _binding.create_pass_builder(self.handle, options)
        with _disposed(builder.getModulePassManager()) as passes:
            passes.run(module.handle, builder)

    def optimise_once(self, module: ParsedModule) -> None:
        """One round of LLVM's passes, for functions whose loops are laid out already."""
        builder = _binding.create_pass_builder(self.handle, _binding.create_pipeline_tuning_options(self.target.level))
        with _disposed(_binding.create_new_module_pass_manager()) as passes:
            passes.add_instruction_combine_pass()
            passes.add_loop_rotate_pass()
            passes.add_simplify_cfg_pass()
            passes.run(module.handle, builder)

    def optimise_lightly(self, module: ParsedModule, large: Container[str]) -> None:
        """
        For a module with functions of many thousand instructions, which are `large`: in these only the passes whose time grows
        with the size of a function and no faster (memory to registers, constants, dead stores and branches). NewGVN is not among them: it
        ends the process where it comes by one value a hundred times, as in the model of seed 1378 of test/unit/random/test_models.py.

        All the others are optimised as usual, but for what LLVM does across functions.
        """
        builder = _binding.create_pass_builder(self.handle, _binding.create_pipeline_tuning_options(3))
        with _disposed(_binding.create_new_module_pass_manager()) as bodies:
            bodies.add_always_inliner_pass()
            bodies.run(module.handle, builder)
        with _disposed(builder.getFunctionPassManager()) as simplification:
            for function in module.handle.functions:
                if not function.is_declaration and function.name not in large:
                    simplification.run(function, builder)
        with _disposed(_binding.create_new_module_pass_manager()) as passes:
            passes.add_sroa_pass()
            passes.add_simplify_cfg_pass()
            passes.add_instruction_combine_pass()
            passes.add_dead_store_elimination_pass()
            passes.add_simplify_cfg_pass()
            passes.add_global_dead_code_eliminate_pass()
            passes.run(module.handle, builder)

    def object_code(self, module: ParsedModule) -> bytes:
        """Relocatable machine code."""
        code = bytes(self.handle.emit_object(module.handle))
        if _may_lose_masks(self.target) and _MOVES_MASK.search(code):
            return bytes(self._without_masks().handle.emit_object(module.handle))
        return code

    def assembly(self, module: ParsedModule) -> str:
        """Machine code as text (PTX for nvptx): that of `object_code`."""
        if _may_lose_masks(self.target):
            copy = module.handle.clone()  # generating code changes a module
            if _MOVES_MASK.search(bytes(self.handle.emit_object(copy))):
                return str(self._without_masks().handle.emit_assembly(copy))
        return str(self.handle.emit_assembly(module.handle))

    def _without_masks(self) -> Machine:
        """The machine without the instructions that make masks of signs."""
        return machine_for(replace(self.target, features=",".join((self.target.features, *_MAKE_MASKS))))


_MOVES_MASK = re.compile(
    rb"(?:\xc5[\x78\x79\x7c\x7d\xf8\xf9\xfc\xfd]"  # VEX of two bytes
    rb"|\xc4[\x01\x21\x41\x61\x81\xa1\xc1\xe1][\x78\x79\x7c\x7d\xf8\xf9\xfc\xfd])"  # and of three
    rb"[\x50\xd7][\xc0-\xff]",
    re.DOTALL,
)
"""
The instructions `vmovmskps`, `vmovmskpd` and `vpmovmskb`.

For processors with AVX-512, LLVM 22 makes one of `vpmovd2m` (or its kin), which puts the signs of a vector into a mask register, and
`kmov`, which moves the mask on. It then drops the first, also where other instructions still read the mask (llvm/llvm-project, issue
198197), and it takes one of the upper 16 vector registers for a lower one (191304). Code with such an instruction is generated again
without those that make masks of signs; other bytes that look like one only make code a little slower.
"""
_MAKE_MASKS = ("-avx512dq", "-avx512bw")
"""Leave out `vpmovd2m` and `vpmovq2m`, `vpmovb2m` and `vpmovw2m`."""


def _may_lose_masks(target: Target) -> bool:
    """True if LLVM may drop a mask that is still read."""
    return not {"+avx512dq", "+avx512bw"}.isdisjoint(target.features.split(","))


@contextmanager
def _disposed(passes: Any) -> Generator[Any]:
    """
    A pass manager that is freed at the end.

    llvmlite 0.50 frees none, about 150 KB each: in its classes `ObjectRef._dispose`, which does nothing, comes before
    `NewPassManager._dispose`.
    """
    try:
        yield passes
    finally:
        NewPassManager._dispose(passes)  # pyright: ignore[reportPrivateUsage, reportUnknownMemberType]
        passes.detach()


def _with_line(message: str, text: str) -> str:
    """LLVM's message with the line of the IR that it names, when it names one."""
    for part in message.replace(":", " ").split():
        if part.isdecimal():
            lines = text.splitlines()
            number = int(part)
            if 0 < number <= len(lines):
                return f"{message}\n  line {number}: {lines[number - 1].strip()}"
            break
    return message


@cache
def _initialise() -> None:
    _binding.initialize_native_target()
    _binding.initialize_native_asmprinter()


@cache
def initialise_all_targets() -> None:
    """Makes targets other than the host (NVPTX) known to LLVM."""
    _binding.initialize_all_targets()
    _binding.initialize_all_asmprinters()


@cache
def host(level: int = 3, wide: bool = False) -> Target:
    """
    The processor that this process runs on; `wide` asks for the longest vectors that it has.

    On Intel's processors LLVM prefers vectors of four numbers where there are such of eight. Loops over lanes are 1.3 times as fast with
    eight; other code is as fast or, by up to a sixth, slower (measured).
    """
    if level not in range(4):
        raise BackendError(f"LLVM: optimisation level {level} does not exist; choose 0, 1, 2 or 3")
    _initialise()
    features = _binding.get_host_cpu_features().flatten()
    if wide and "+avx512f" in features.split(","):
        features += ",-prefer-256-bit"
    return Target(_binding.get_process_triple(), _binding.get_host_cpu_name(), features, level)


def registers(target: Target) -> tuple[int, int]:
    """
    The number of vector registers of a processor, and of f64 in each. Those of other processors than x86's are taken to be NEON's.

    AVX-512 has 32 of eight; AVX 16 of four; SSE2 16 of two; NEON 32 of two.
    """
    features = target.features.split(",")
    if not target.triple.startswith(("x86_64", "i686")):
        return 32, 2
    if "+avx512f" in features:
        return 32, 8
    return 16, 4 if "+avx" in features else 2


def vectors_of_block(target: Target, fused: bool) -> int:
    """
    The vectors in a row of the block of a product that a processor holds in registers.

    With one, each operation loads a number of its own. Intel's processors (others are taken to be like them) then wait for loads: with
    three, 24 operations load 11 times. Multiplications that are not fused with their additions need a register more, which there is not
    among 16. On AMD's Zen 4 blocks of one vector are faster.
    """
    has_room = fused or registers(target)[0] > 16
    return 3 if has_room and not target.cpu.startswith("znver") else 1


def terms_ahead(vectors: int) -> int:
    """
    The terms ahead of which a block with so many vectors in a row prefetches `left`: a few hundred cycles.

    On Intel's processors products are 1.03 to 1.12 times as fast with it where operations are fused, 1.01 to 1.05 where they are not.
    Blocks of one vector, as on AMD's, have not been measured with it.
    """
    return 16 if vectors > 1 else 0


def terms_of_step(fused: bool) -> int:
    """
    The terms of one step of the loop of a block with several vectors in a row.

    With one, 24 fused operations wait for the instructions around them: they come to 87 % of the rate of the core where `left` is in the
    second cache, and to 92 % with two. Others reach the rate of the core with one.
    """
    return 2 if fused else 1


_machines: dict[Target, Machine] = {}


def machine_for(target: Target) -> Machine:
    """The one machine that this process has for a target."""
    with _lock:
        if target not in _machines:
            _initialise()
            _machines[target] = Machine(target)
        return _machines[target]


def versions() -> str:
    """The versions of llvmlite and of LLVM, which code depends on."""
    return f"llvmlite {llvmlite.__version__} LLVM {'.'.join(map(str, _binding.llvm_version_info))}"


# -- code in memory

_numbers = count()


@cache
def _loader() -> Any:
    """The one LLJIT of this process; libm's functions are visible to code that it loads."""
    from cogir.library.numerics.libm import libm  # who only makes keys of the cache does not wait for the library

    _initialise()
    _binding.load_library_permanently(libm()._name)  # pyright: ignore[reportPrivateUsage]
    return _binding.create_lljit_compiler(machine_for(host()).handle, use_jit_link=True, suppress_errors=True)


class LoadedObject:
    """Machine code in memory; it stays there as long as this object lives."""

    def __init__(self, code: bytes, symbols: Sequence[str], imports: Mapping[str, int]):
        builder = _binding.JITLibraryBuilder().add_object_img(code).add_current_process()
        for name in symbols:
            builder.export_symbol(name)
        for name, address in imports.items():
            builder.import_symbol(name, address)
        self.symbols = tuple(symbols)
        with _lock:
            try:
                self._tracker: Any = builder.link(_loader(), f"cogir.{next(_numbers)}")
            except RuntimeError as error:
                raise BackendError(f"LLVM cannot load the code: {str(error).strip()}") from None

    def address(self, symbol: str) -> int:
        """The address of a function or global; `symbol` is one of those asked for when the code was loaded."""
        if symbol not in self.symbols:
            raise BackendError(f"the loaded code has no symbol @{symbol}; it has {', '.join(self.symbols) or 'no symbols'}")
        return int(self._tracker[symbol])
