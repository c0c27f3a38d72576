"""
Plants in what kernels for GPUs go through. Random models have small grids, in which most of these do not show, so
`test/unit/backend/test_planted_kernels.py` looks for them with models of its own.
"""

from collections.abc import Callable
from typing import Any

from support.planted.plants import Patch, Plant
from xdsl.dialects import arith

from cogir.backend.kernels import DeviceOptions
from cogir.irutils import index_constant
from cogir.lowering.buffers import emission
from cogir.lowering.entry import search_kernel
from cogir.lowering.gpu import emulate_gpu, use_workspace
from cogir.transforms import outline_gpu

KERNEL_PLANTS: dict[str, tuple[Plant, str]] = {}
"""All of them by name, with what shows them: a "search", or "replicates"."""


def planted(look: str) -> Callable[[Plant], Plant]:
    """Adds a plant under the name of its function."""

    def add(plant: Plant) -> Plant:
        KERNEL_PLANTS[plant.__name__] = plant, look
        return plant

    return add


# -------------------------------------------------------------------------------------------------------------- outline-gpu


@planted("search")
def a_level_of_an_axis_is_left_out(patch: Patch) -> None:
    """The last level of the fastest axis is taken for the first one."""
    indices = outline_gpu.SearchOutliner.indices

    def short(self: Any, builder: Any, number: Any) -> Any:
        *others, last = indices(self, builder, number)
        end = builder.insert(index_constant(self.extents[-1] - 1)).result
        return [*others, builder.insert(arith.RemUIOp(last, end)).result]

    patch.setattr(outline_gpu.SearchOutliner, "indices", short)


@planted("search")
def the_last_of_equal_points_counts(patch: Patch) -> None:
    """cmpf oeq and p < q  ->  p is better than q"""
    sound = outline_gpu.better_of

    def later(builder: Any, one: Any, other: Any, minimizes: bool) -> Any:
        found = sound(builder, one, other, minimizes)
        equal = builder.insert(arith.CmpfOp(one.best, other.best, "oeq")).result
        less = builder.insert(arith.CmpiOp(one.point, other.point, "slt")).result
        last = builder.insert(arith.SelectOp(less, other.point, one.point)).result
        point = builder.insert(arith.SelectOp(equal, last, found.point)).result
        return outline_gpu.PartOptimum(found.best, point, found.status, found.failed)

    patch.setattr(outline_gpu, "better_of", later)
    patch.setattr(search_kernel, "better_of", later)


# ------------------------------------------------------------------------------------------------------ the block's reduction


@planted("search")
def the_last_step_of_the_reduction_is_left_out(patch: Patch) -> None:
    """What the second thread has found is lost."""
    combine = search_kernel.SearchKernel.combine
    steps = search_kernel.BLOCK_THREADS.bit_length() - 1
    done: dict[int, int] = {}

    def lazy(self: Any, code: Any, into: Any, place: Any, other: Any, there: Any) -> None:
        if into is other:
            done[id(self)] = done.get(id(self), 0) + 1
            if done[id(self)] == steps:
                return
        combine(self, code, into, place, other, there)

    patch.setattr(search_kernel.SearchKernel, "combine", lazy)


@planted("search")
def a_block_forgets_the_launches_before(patch: Patch) -> None:
    """Its row of the tables gets what this launch has found, better or not."""
    combine = search_kernel.SearchKernel.combine

    def forgetful(self: Any, code: Any, into: Any, place: Any, other: Any, there: Any) -> None:
        if into is other:
            combine(self, code, into, place, other, there)
        else:
            self.write(code, into, place, self.read(code, other, there))

    patch.setattr(search_kernel.SearchKernel, "combine", forgetful)


# ------------------------------------------------------------------------------------------------------------- use-workspace


@planted("replicates")
def buffers_of_the_workspace_overlap(patch: Patch) -> None:
    """All buffers of a function begin at the same place."""
    patch.setattr(use_workspace, "LARGEST_LOCAL", 0)
    patch.setattr(emission, "LARGEST_ON_STACK", 0)
    view = use_workspace.view

    def first(builder: Any, workspace: Any, shift: Any, type: Any) -> Any:
        return view(builder, workspace, builder.insert(index_constant(0)).result, type)

    patch.setattr(use_workspace, "view", first)


# --------------------------------------------------------------------------------------------------------- contract-products


@planted("replicates")
def products_are_contracted_unasked(patch: Patch) -> None:
    patch.setattr(DeviceOptions, "contract", True)
    sound = DeviceOptions.__init__

    def contracting(self: Any, *given: Any, **more: Any) -> None:
        sound(self, *given, **{**more, "contract": True})

    patch.setattr(DeviceOptions, "__init__", contracting)


# --------------------------------------------------------------------------------------------------------------- emulate-gpu


@planted("search")
def threads_do_not_wait_for_each_other(patch: Patch) -> None:
    """A barrier is passed at once."""

    def unstopped(self: Any, block: Any) -> Any:
        for op in list(block.ops):
            if isinstance(op, emulate_gpu.llvm.ReturnOp):
                self.leave(block, op, emulate_gpu.RETURNED)
            elif isinstance(op, emulate_gpu.llvm.CallIntrinsicOp) and op.intrin.data == emulate_gpu.BARRIER:
                block.erase_op(op)
        return []

    patch.setattr(emulate_gpu.EmulatedThread, "split", unstopped)
