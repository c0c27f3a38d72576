"""
A model at each stage of the compiler, as texts: `model.stages()`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from cogir.backend.emit_llvm_ir import emit_llvm_ir
from cogir.backend.jit import assembly
from cogir.callers import methods_end_at_caller
from cogir.dialects.module_text import module_text
from cogir.errors import InputError, quoted, shown
from cogir.frontend.builder.source_location import did_you_mean
from cogir.lowering.pipeline import lower_to, stage_names
from cogir.pictures.levels import levels_html

OF_LLVM = ("llvm-ir", "asm")
"""The texts that follow the last stage: the one that LLVM reads, and assembly for this processor."""
NAMES = (*stage_names(), *OF_LLVM)
"""The stages, and what follows them."""


def stages_of(module: ModuleOp, name: str, wanted: Sequence[str]) -> Stages:
    """The texts of a module with a model, which is lowered in place."""
    last = max((NAMES.index(each) for each in wanted), default=0)
    texts: dict[str, str] = {}
    since = "cog"
    for stage in stage_names():
        if NAMES.index(stage) > last:
            break
        lower_to(module, stage, since=since)
        since = stage
        texts[stage] = module_text(module)
    if last >= NAMES.index("llvm-ir"):
        texts["llvm-ir"] = emit_llvm_ir(module)
    if last >= NAMES.index("asm"):
        texts["asm"] = assembly(texts["llvm-ir"])
    return Stages(name, {stage: texts[stage] for stage in wanted})


def checked_names(names: Sequence[object]) -> tuple[str, ...]:
    """The stages that are asked for, or all."""
    for name in names:
        if not isinstance(name, str) or name not in NAMES:
            raise InputError(f"stages: there is no stage {quoted(name)}{did_you_mean(name, NAMES)}")
    return tuple(str(name) for name in names) or NAMES


@methods_end_at_caller
class Stages(Mapping[str, str]):
    """
    The texts of a model by stage: `stages["machine"]`. A notebook shows them in tabs; `print` writes one after the other.
    """

    def __init__(self, model: str, texts: Mapping[str, str]):
        self.model = model
        self._texts = dict(texts)

    def __getitem__(self, stage: str) -> str:
        if stage not in self._texts:
            raise InputError(f"stages: {shown(stage)} is not among {', '.join(self._texts)}; model.stages() has all")
        return self._texts[stage]

    def get(self, stage: Any, default: Any = None) -> Any:
        """The text of a stage, or `default` if it is not among them."""
        return self._texts.get(stage, default)

    def __contains__(self, stage: object) -> bool:
        return stage in self._texts

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def __str__(self) -> str:
        return "\n\n".join(f"// {self.model}: {stage}\n{text.rstrip()}" for stage, text in self._texts.items()) + "\n"

    def __repr__(self) -> str:
        lines = ", ".join(f"{stage} ({len(text.splitlines()):,} lines)" for stage, text in self._texts.items())
        return f'<stages of "{self.model}": {lines}; print(stages["{next(iter(self._texts), "cog")}"]) shows one>'

    def _repr_html_(self) -> str:
        return levels_html(self._texts)
