"""Plants in what kernels for GPUs go through, which are looked for with emulated kernels."""

from typing import Any

from support.planted.plants import Patch, planted
from xdsl.dialects import arith

from cogir.backend.kernels import DeviceOptions
from cogir.irutils import index_constant
from cogir.lowering.buffers import emission
from cogir.lowering.entry import search_kernel
from cogir.lowering.gpu import emulate_gpu, use_workspace
from cogir.runtime.cuda import engine
from cogir.transforms import outline_gpu

# -------------------------------------------------------------------------------------------------------------- outline-gpu


@planted("grid_search", look="kernels")
def the_first_axis_is_the_fastest(patch: Patch) -> None:
    """Indices along the axes change places."""

    def turned(self: Any, builder: Any, number: Any) -> Any:
        found: list[Any] = []
        for extent in self.extents[:-1]:
            size = builder.insert(index_constant(extent)).result
            found.append(builder.insert(arith.RemUIOp(number, size)).result)
            number = builder.insert(arith.DivUIOp(number, size)).result
        return [*found, number]

    patch.setattr(outline_gpu.SearchOutliner, "indices", turned)


@planted("grid_search", look="kernels")
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


@planted("grid_search", look="kernels")
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


@planted("grid_search", look="kernels")
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


@planted(look="replicated kernels")
def buffers_of_the_workspace_overlap(patch: Patch) -> None:
    """All buffers of a function begin at the same place."""
    patch.setattr(use_workspace, "LARGEST_LOCAL", 0)
    patch.setattr(emission, "LARGEST_ON_STACK", 0)
    view = use_workspace.view

    def first(builder: Any, workspace: Any, shift: Any, type: Any) -> Any:
        return view(builder, workspace, builder.insert(index_constant(0)).result, type)

    patch.setattr(use_workspace, "view", first)


# --------------------------------------------------------------------------------------------------------- contract-products


@planted(look="replicated kernels")
def products_are_contracted_unasked(patch: Patch) -> None:
    compiled = engine.cached_kernels

    def contracted(source: Any, options: Any, architecture: Any) -> Any:
        return compiled(source, options, DeviceOptions(architecture, contract=True))

    patch.setattr(engine, "cached_kernels", contracted)


# --------------------------------------------------------------------------------------------------------------- emulate-gpu


@planted("grid_search", look="kernels")
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


@planted(look="replicated kernels")
def values_in_a_frame_overlap(patch: Patch) -> None:
    memory = emulate_gpu.EmulatedThread.memory

    def same(self: Any, size: int, alignment: int = 64) -> Any:
        place = memory(self, size, alignment)
        if alignment == 8:
            self.frame -= size
        return place

    patch.setattr(emulate_gpu.EmulatedThread, "memory", same)
