"""
The whole pipeline of a model, from its `cog` module to machine code. Who imports this imports the compiler.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from xdsl.context import Context
from xdsl.dialects import func, llvm
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, StringAttr

from cogir.analysis.layout import Layout
from cogir.analysis.signatures import PARALLEL
from cogir.analysis.trial_work import trial_work
from cogir.backend.device import device_code
from cogir.backend.emit_llvm_ir import emit_llvm_ir
from cogir.backend.jit import compile_to_object
from cogir.backend.kernels import DeviceOptions
from cogir.backend.linked_library import linked_library
from cogir.backend.llvm import Target, host, registers, terms_ahead, terms_of_step, vectors_of_block
from cogir.dialects.cog import GridSearchOp, RecordOp
from cogir.errors import CogirError
from cogir.irutils import dense_of_array
from cogir.library.numerics.c_library import VARIANTS, variant
from cogir.limits import LARGEST_LEARNING_BLOCK, LEAST_LEARNING_TERMS
from cogir.lowering.gpu.contract_products import ContractProducts
from cogir.lowering.gradient.differentiate import GRADIENT
from cogir.lowering.insert_checks import checks_of
from cogir.lowering.library.functions import LINKED, functions_of, says_linked
from cogir.lowering.pipeline import lower_to
from cogir.lowering.products.block_products import BlockProducts
from cogir.lowering.products.pack_products import PackProducts
from cogir.lowering.products.tile_products import Shape, TileProducts
from cogir.lowering.products.vectorize_products import VectorizeProducts
from cogir.lowering.pruning.prune_search import EXHAUSTIVE, PruneSearch
from cogir.lowering.to_llvm.parallel import PARALLEL as SHARING
from cogir.runtime.explanation import Facts, LearningFacts
from cogir.runtime.plan import Plan, plan_of
from cogir.runtime.python_functions import check_python_functions
from cogir.runtime.recorded import recorded
from cogir.transforms.batch_trials import GRADIENTS, OBSTACLE, BatchTrials, blocks_or_obstacle
from cogir.transforms.fill_lanes import LANES, SIDE_BY_SIDE, FillLanes, obstacles
from cogir.transforms.fold_parameters import FOLDED
from cogir.transforms.forget_unread import FORGOTTEN
from cogir.transforms.split_inputs import columns_of

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from cogir.backend.kernels import DeviceCode
    from cogir.runtime.options import Options, Source
    from cogir.runtime.versions import Folded


FOR_REPLICATES = ("replicates", "sweep", "estimates")
"""The entries that go through replicates."""


def machine(source: Source, options: Options) -> tuple[ModuleOp, Plan]:
    """The model at stage `machine`, and its plan."""
    module = compilable(source)
    if not options.traced:
        without_records(module)
    model = recorded(module)
    folded = options.folded
    if folded is not None:
        model.module.attributes[FOLDED] = values_attribute(folded)
    lower_to(
        model.module,
        "machine",
        without=options.without,
        specialise=folded is not None,
        kernels=options.has_kernels,
        options=pass_options(options),
    )
    plan = plan_of(model.module, model.shown, model.controllers)
    plan.checks = checks_of(model.module)
    plan.trial_work = 0 if plan.controllers else trial_work(model.module)
    plan.columns = [each for op in functions_of(model.module) if op.sym_name.data == GRADIENTS for each in columns_of(op)]
    plan.order, plan.ends, plan.ranges = model.order, model.ends, model.ranges
    if (lanes := model.module.attributes.get(SIDE_BY_SIDE)) is not None:
        plan.lanes = cast("IntegerAttr[Any]", lanes).value.data
    plan.forgotten = [path.data for path in cast("ArrayAttr[StringAttr]", model.module.attributes.get(FORGOTTEN, ArrayAttr(())))]
    return model.module, plan


def lowered(source: Source, options: Options) -> tuple[ModuleOp, Plan]:
    """The model as a module of the llvm dialect that is to be linked with the library, and its plan."""
    module, plan = machine(source, options)
    module.attributes[LINKED] = says_linked(linked_library().sizes)
    is_fast = options.contract == "fast"
    passes = {
        "expand-math": {"math": options.math, "contract": options.contract},
        "expand-rng": {"log": variant("log")},
        "draw-ahead": {"enabled": variant("log") in VARIANTS},  # else their loop is of calls
        "separate-device": {"keep": "host"},
        **product_options(host(), is_fast),
    }
    lower_to(module, "llvm", since="machine", without=options.without, kernels=options.has_kernels, options=passes)
    if is_fast:
        ContractProducts().apply(Context(), module)
    plan.shares = any(isinstance(op, llvm.FuncOp) and op.sym_name.data == SHARING for op in module.ops)
    return module, plan


def product_options(target: Target, fused: bool) -> dict[str, dict[str, Any]]:
    """The options of the passes for products of matrices, for a processor."""
    count, lanes = registers(target)
    vectors = vectors_of_block(target, fused)
    return {
        TileProducts.name: {"rows": count * 3 // 4 // vectors, "lanes": lanes, "vectors": vectors},
        PackProducts.name: {"lanes": lanes, "vectors": vectors},
        BlockProducts.name: {"lanes": lanes, "vectors": vectors},
        VectorizeProducts.name: {
            "fused": fused,
            "lanes": lanes,
            "ahead": terms_ahead(vectors),
            "unroll": terms_of_step(fused),
        },
    }


def fewest_columns(passes: Mapping[str, Mapping[str, Any]]) -> int:
    """The fewest columns of a product of a few rows that is read where it is, with these options of passes; 0 if none is."""
    return Shape(**passes[TileProducts.name]).fewest_columns


def build_kernels(source: Source, options: Options, device: DeviceOptions | str) -> tuple[DeviceCode, Plan]:
    """The kernels of a model, and its plan. `device`: an architecture, or more about the code (`cogir.backend.device`)."""
    module, plan = machine(source, options)
    device = DeviceOptions(device) if isinstance(device, str) else device
    return device_code(module, device, {"expand-math": {"math": options.math}}), plan


def pass_options(options: Options) -> dict[str, dict[str, Any]]:
    """The options of the passes down to stage `machine`."""
    folded = options.folded
    return {
        "insert-checks": {"enabled": options.checked},
        "convert-cog-to-machine": {
            "learning": options.entry == "learn",
            "logged": options.logged,
            "log_room": options.log_room,
            "recorded": options.recorded,
            "record_room": options.record_room,
            "flags": options.flags,
        },
        "prune-search": {"force": options.prune_search},
        "replicate": {
            "enabled": options.entry in FOR_REPLICATES,
            "points": options.entry == "sweep",
            "common": options.common,
            "seeded": options.entry == "estimates",
        },
        "presample-normals": {"enabled": options.entry == "estimates"},
        "fill-lanes": {"varying": options.varying},
        "batch-trials": {
            "varying": options.varying,
            "learning_size": options.block or LARGEST_LEARNING_BLOCK,
            "in_place": fewest_columns(product_options(host(), options.contract == "fast")),
        },
        "forget-unread": {"enabled": folded is not None and folded.only_results},
        "fold-parameters": {"keep": () if folded is None else folded.keep},
        "fold-constants": {"math": options.math},
    }


def facts(source: Source, options: Options) -> Facts:
    """Facts about the code of a model for replicates, without machine code."""
    module = compilable(source)
    if not options.traced:
        without_records(module)
    module = recorded(module).module
    searches = [
        (op.sym_name.data, op.ties.data.value, prod(len(each.level_values) for each in op.signals))
        for op in module.walk()
        if isinstance(op, GridSearchOp)
    ]
    options = replace(options, entry="replicates")
    lower_to(module, "machine", without=(*options.without, FillLanes.name, BatchTrials.name), options=pass_options(options))
    parallel = sum(isinstance(op, func.CallOp) and PARALLEL in op.attributes for op in module.walk())
    left_out = FillLanes.name in options.without
    found, slow = (f'compiled with without=["{FillLanes.name}"]', "") if left_out else obstacles(module, options.varying)
    size, blocks = blocks_or_obstacle(module)
    if BatchTrials.name in options.without:
        blocks = f'compiled with without=["{BatchTrials.name}"]'
    left_out = PruneSearch.name in options.without
    exhaustive = cast("DictionaryAttr", module.attributes.get(EXHAUSTIVE, DictionaryAttr({})))
    reasons = {path.rpartition("/")[2]: cast("StringAttr", reason).data for path, reason in exhaustive.data.items()}
    if left_out:
        reasons = {name: f'compiled with without=["{PruneSearch.name}"]' for name, _, _ in searches}
    return Facts(found, LANES, searches, parallel, blocks, size, reasons, slow)


def learning_facts(source: Source, options: Options) -> LearningFacts:
    """Facts about how a model learns, without machine code."""
    try:
        module = recorded(compilable(source)).module
        lower_to(module, "machine", without=options.without, options=pass_options(replace(options, entry="learn")))
    except CogirError as error:
        return LearningFacts(refused=str(error))
    layout = Layout.from_module(module)
    functions = {each.sym_name.data: each for each in module.ops if isinstance(each, func.FuncOp)}
    if GRADIENTS in functions:
        reason = ""
    elif BatchTrials.name in options.without:
        reason = f'compiled with without=["{BatchTrials.name}"]'
    else:
        small = f"no matrix of a trial has {LEAST_LEARNING_TERMS:,} elements"
        reason = cast("StringAttr", functions[GRADIENT].attributes.get(OBSTACLE, StringAttr(small))).data
    others = [
        (slot.path, NOT_NAMED) for slot in layout.in_buffer("pf") if slot.path.endswith("/matrix") and slot.path not in layout.learned
    ]
    return LearningFacts(layout.learned, [*layout.unlearned, *others], layout.zeros, layout.named, layout.carried, reason)


NOT_NAMED = "it is not among the weights, which are by default all but recurrent and feedback ones"


def without_records(module: ModuleOp) -> None:
    """Removes from models what they record inside of trials."""
    for op in [op for op in module.walk() if isinstance(op, RecordOp)]:
        op.detach()
        op.erase()


def compilable(source: Source) -> ModuleOp:
    """The model as a `cog` module; raises `FunctionError` if a function of it stays Python."""
    module = source.build()
    source.must_compile()
    check_python_functions(module, source.name, source.python)
    return module


def values_attribute(folded: Folded) -> DictionaryAttr:
    """The values that are to be folded in, as the pass `fold-parameters` takes them."""
    buffers = {"pf": np.frombuffer(folded.pf, np.float64), "pi": np.frombuffer(folded.pi, np.int64)}
    return DictionaryAttr({buffer: dense_of_array(values) for buffer, values in buffers.items()})


def build_object(source: Source, options: Options) -> tuple[bytes, Plan]:
    """Machine code for a model, and its plan."""
    module, plan = lowered(source, options)
    return compile_to_object(linked_library().link(emit_llvm_ir(module), variant("log")), wide=options.entry in FOR_REPLICATES), plan
