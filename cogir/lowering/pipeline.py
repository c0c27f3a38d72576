"""
The pipeline from a model to machine code, on one screen.

`PASSES` knows every pass by its name, `STAGES` says which of them lead to a stage from the one before it, and
`lower_to` runs it.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, MutableMapping
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from cogir.analysis.verify_declarations import VerifyDeclarations
from cogir.analysis.verify_nvptx import VerifyNvptx
from cogir.analysis.verify_ssa import VerifySsa
from cogir.errors import LoweringError, closest
from cogir.garbage import without_garbage_collection
from cogir.lowering.buffers.bufferize import Bufferize
from cogir.lowering.convert_cog_to_machine import ConvertCogToMachine
from cogir.lowering.convert_elementwise_to_linalg import ConvertElementwiseToLinalg
from cogir.lowering.convert_linalg_to_loops import ConvertLinalgToLoops
from cogir.lowering.convert_scf_to_cf import ConvertScfToCf
from cogir.lowering.convert_small_linalg_to_vector import ConvertSmallLinalgToVector
from cogir.lowering.convert_to_llvm import ConvertToLlvm
from cogir.lowering.draw_ahead import DrawAhead
from cogir.lowering.entry.run import AddEntry
from cogir.lowering.gpu.contract_products import ContractProducts
from cogir.lowering.gpu.emulate_gpu import EmulateGpu
from cogir.lowering.gpu.separate_device import SeparateDevice
from cogir.lowering.gpu.use_workspace import UseWorkspace
from cogir.lowering.gradient.differentiate import Differentiate
from cogir.lowering.insert_checks import InsertChecks
from cogir.lowering.library.expand_math import ExpandMath
from cogir.lowering.library.expand_rng import ExpandRng
from cogir.lowering.products.block_products import BlockProducts
from cogir.lowering.products.overwrite_derivatives import OverwriteDerivatives
from cogir.lowering.products.pack_products import PackProducts
from cogir.lowering.products.tile_products import TileProducts
from cogir.lowering.products.vectorize_products import VectorizeProducts
from cogir.lowering.products.version_identities import VersionIdentities
from cogir.lowering.pruning.prune_search import PruneSearch
from cogir.lowering.use_reciprocals import UseReciprocals
from cogir.transforms.annotate_ranges import AnnotateRanges
from cogir.transforms.batch_trials import BatchTrials
from cogir.transforms.complete_schedule import CompleteSchedule
from cogir.transforms.convert_long_for_to_while import ConvertLongForToWhile
from cogir.transforms.cse import CommonSubexpressions
from cogir.transforms.dce import DeadCode
from cogir.transforms.eliminate_scheduler import EliminateScheduler
from cogir.transforms.factor_grid import FactorGrid
from cogir.transforms.fill_lanes import FillLanes
from cogir.transforms.fold_constants import FoldConstants
from cogir.transforms.fold_parameters import FoldParameters
from cogir.transforms.forget_unread import ForgetUnread
from cogir.transforms.forward_slices import ForwardSlices
from cogir.transforms.fuse_optimizer import FuseOptimizer
from cogir.transforms.inline_draws import InlineDraws
from cogir.transforms.licm import LoopInvariantCodeMotion
from cogir.transforms.open_points import OpenPoints
from cogir.transforms.outline_gpu import OutlineGpu
from cogir.transforms.outline_parallel import OutlineParallel
from cogir.transforms.presample_normals import PresampleNormals
from cogir.transforms.remove_undefined_behaviour import RemoveUndefinedBehaviour
from cogir.transforms.replicate import Replicate
from cogir.transforms.reservoir_sampling import ReservoirSampling
from cogir.transforms.sparse_products import SparseProducts
from cogir.transforms.split_inputs import SplitInputs
from cogir.transforms.use_ranges import UseRanges

PASSES: dict[str, type[ModulePass]] = {
    pass_type.name: pass_type
    for pass_type in (
        RemoveUndefinedBehaviour,
        ConvertLongForToWhile,
        CompleteSchedule,
        EliminateScheduler,
        InsertChecks,
        ConvertCogToMachine,
        Differentiate,
        ForgetUnread,
        FoldParameters,
        FoldConstants,
        SparseProducts,
        UseRanges,
        InlineDraws,
        ForwardSlices,
        OpenPoints,
        CommonSubexpressions,
        LoopInvariantCodeMotion,
        PruneSearch,
        FactorGrid,
        ReservoirSampling,
        OutlineParallel,
        DeadCode,
        Replicate,
        PresampleNormals,
        OutlineGpu,
        FillLanes,
        BatchTrials,
        FuseOptimizer,
        SplitInputs,
        SeparateDevice,
        ConvertElementwiseToLinalg,
        Bufferize,
        ConvertSmallLinalgToVector,
        UseReciprocals,
        OverwriteDerivatives,
        VersionIdentities,
        TileProducts,
        PackProducts,
        BlockProducts,
        VectorizeProducts,
        DrawAhead,
        AddEntry,
        ExpandRng,
        ExpandMath,
        ConvertLinalgToLoops,
        UseWorkspace,
        ConvertScfToCf,
        ConvertToLlvm,
        ContractProducts,
        EmulateGpu,
        AnnotateRanges,
        VerifyDeclarations,
        VerifyNvptx,
        VerifySsa,
    )
}
"""Every pass of cogir by its name."""

OF_MODELS: tuple[str, ...] = ("cog", "scheduled")
"""The stages at which a module holds a model."""
FOR_TEXTS: tuple[str, ...] = (RemoveUndefinedBehaviour.name, ConvertLongForToWhile.name)
"""The passes that a model from text goes through first."""

STAGES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("cog", (CompleteSchedule.name,)),
    ("scheduled", (EliminateScheduler.name,)),
    (
        "machine",
        (
            InsertChecks.name,
            ConvertCogToMachine.name,
            Differentiate.name,
            ForgetUnread.name,
            FoldParameters.name,
            FoldConstants.name,
            SparseProducts.name,
            UseRanges.name,
            InlineDraws.name,
            ForwardSlices.name,
            OpenPoints.name,
            CommonSubexpressions.name,
            LoopInvariantCodeMotion.name,
            PruneSearch.name,
            FactorGrid.name,
            ReservoirSampling.name,
            OutlineParallel.name,
            DeadCode.name,
            Replicate.name,
            PresampleNormals.name,
            OutlineGpu.name,
            FillLanes.name,
            BatchTrials.name,
            FuseOptimizer.name,
            SplitInputs.name,
        ),
    ),
    (
        "loops",
        (
            SeparateDevice.name,
            ConvertElementwiseToLinalg.name,
            Bufferize.name,
            ConvertSmallLinalgToVector.name,
            UseReciprocals.name,
            OverwriteDerivatives.name,
            VersionIdentities.name,
            TileProducts.name,
            PackProducts.name,
            BlockProducts.name,
            VectorizeProducts.name,
            DrawAhead.name,
            AddEntry.name,
            ExpandRng.name,
            ExpandMath.name,
            ConvertLinalgToLoops.name,
            UseWorkspace.name,
        ),
    ),
    ("cf", (ConvertScfToCf.name,)),
    ("llvm", (ConvertToLlvm.name,)),
)
"""The stages in order, each with the passes that lead to it from the stage before."""


SPECIALISATION: tuple[str, ...] = (ForgetUnread.name, FoldParameters.name, FoldConstants.name, SparseProducts.name, UseRanges.name)
"""The passes that run only in the pipeline for one set of parameter values."""

NEEDED: tuple[str, ...] = (InsertChecks.name, ConvertCogToMachine.name, Differentiate.name, Replicate.name, PresampleNormals.name)
"""The passes of those stages that change what a module computes."""

KERNELS: tuple[str, ...] = (OutlineGpu.name, SeparateDevice.name, UseWorkspace.name)
"""The passes that run only in the pipeline for GPUs."""
NO_KERNELS: tuple[str, ...] = (PruneSearch.name, OutlineParallel.name, BatchTrials.name, TileProducts.name, DrawAhead.name)
"""The passes that do not."""
OF_KERNELS: Mapping[str, Mapping[str, Any]] = {
    FactorGrid.name: {"before_all": True},
    ReservoirSampling.name: {"first_optima": False},
    FillLanes.name: {"lanes": 1},
    UseRanges.name: {"flags": False},
}
"""The options of passes in that pipeline, besides those that are given."""

OPTIMISATIONS: tuple[str, ...] = (
    *(name for _, passes in STAGES[1:3] for name in passes if name not in (*NEEDED, *SPECIALISATION, *KERNELS)),
    ConvertSmallLinalgToVector.name,
    UseReciprocals.name,
    OverwriteDerivatives.name,
    VersionIdentities.name,
    TileProducts.name,
    DrawAhead.name,
)
"""The passes that a pipeline can leave out, beside those of specialisation: they make code faster, and results stay the same."""


def stage_names() -> tuple[str, ...]:
    """The names of all stages, from the model down to the llvm dialect."""
    return tuple(stage for stage, _ in STAGES)


def road_to(name: str) -> tuple[str, tuple[str, ...]]:
    """The stage that a pass leads on from, and the passes from there up to it; `cog` for passes that belong to no stage."""
    names = (stage_names()[0], *stage_names())
    for before, (_, passes) in zip(names, STAGES, strict=False):
        if name in passes:
            needed = passes[: passes.index(name) + 1]
            return before, tuple(each for each in needed if each == name or each not in KERNELS)
    return names[0], (name,)


def passes_between(
    since: str, stage: str, without: Collection[str] = (), specialise: bool = False, kernels: bool = False
) -> tuple[str, ...]:
    """
    The passes that lead from the end of stage `since` to the end of `stage`, but for some optimisations; the passes of `cog`
    itself are included when `since` is `cog`, because a module as written is not complete yet. Those of `SPECIALISATION` are taken
    when `specialise` asks for it, those of `KERNELS` when `kernels` does.
    """
    for name in without:
        if name not in OPTIMISATIONS and name not in SPECIALISATION:
            raise LoweringError(f"pipeline: '{name}' is not an optimisation that can be left out; {optimisation_meant(name)}")
    names = stage_names()
    for name in (since, stage):
        if name not in names:
            meant = closest(name, names)
            remedy = f"the stages are {', '.join(names)}" if meant is None else f"did you mean '{meant}'?"
            raise LoweringError(f"pipeline: there is no stage '{name}'; {remedy}")
    first, last = names.index(since), names.index(stage)
    if first > last:
        raise LoweringError(f"pipeline: stage '{stage}' comes before '{since}'; lowering goes from earlier stages to later ones")
    first = first if first == 0 else first + 1
    passes = tuple(name for _, passes in STAGES[first : last + 1] for name in passes)
    if specialise and FoldParameters.name not in passes:
        raise LoweringError(
            f"pipeline: parameters are folded during the lowering to stage machine, which is not part of the lowering from {since} "
            f"to {stage}"
        )
    left_out = {*without, *(() if specialise else SPECIALISATION), *(NO_KERNELS if kernels else KERNELS)}
    return tuple(name for name in passes if name not in left_out)


def optimisation_meant(name: str) -> str:
    """The remedy for a name that is no optimisation: the one that is spelled alike, or all."""
    known = (*OPTIMISATIONS, *SPECIALISATION)
    meant = None if name in PASSES else closest(name, known)
    return f"choose from {', '.join(known)}" if meant is None else f"did you mean '{meant}'?"


def lower_to(
    module: ModuleOp,
    stage: str,
    *,
    since: str = "cog",
    without: Collection[str] = (),
    specialise: bool = False,
    kernels: bool = False,
    options: Mapping[str, Mapping[str, Any]] | None = None,
    context: Context | None = None,
    verify: bool = False,
    seconds: MutableMapping[str, float] | None = None,
) -> None:
    """
    Lowers `module` in place from stage `since` to `stage`.

    `without` names optimisations to leave out, `specialise` folds the values of the parameters into the code, `kernels` makes
    searches and replicates kernels for GPUs, `options` gives fields
    to passes by their names, `verify` checks the module after each pass (costly: for tests and tools), and `seconds`, when given,
    receives the wall-clock time spent in each pass.
    """
    context = context or Context()
    options = options or {}
    with without_garbage_collection():
        for name in passes_between(since, stage, without, specialise, kernels):
            start = time.perf_counter()
            given = {**(OF_KERNELS.get(name, {}) if kernels else {}), **options.get(name, {})}
            if name == UseRanges.name and options.get(Replicate.name, {}).get("enabled"):
                given = {"flags": False, **given}
            PASSES[name](**given).apply(context, module)
            if seconds is not None:
                seconds[name] = seconds.get(name, 0.0) + time.perf_counter() - start
            if verify:
                module.verify()
