"""
The kernels of a model, from the cache if they are there.

An entry has the image in the place of object code, and what launches need to know beside the plan.
"""

from __future__ import annotations

from typing import Any

from cogir.backend.cache import Entry
from cogir.backend.kernels import DeviceCode, DeviceOptions, Kernel
from cogir.backend.ptxas import ptxas
from cogir.runtime.native import from_cache, usable_cache
from cogir.runtime.options import Options, Source
from cogir.runtime.plan import Plan


def cached_kernels(source: Source, options: Options, device: DeviceOptions | str) -> tuple[DeviceCode, Plan]:
    """The kernels of a model for an architecture, or as more choices say, and its plan."""
    from cogir.runtime.build import build_kernels

    source.must_compile()
    device = DeviceOptions(device) if isinstance(device, str) else device
    cache = usable_cache() if options.cache else None
    if cache is None:
        return build_kernels(source, options, device)

    def build() -> tuple[Entry, Plan]:
        code, plan = build_kernels(source, options, device)
        return Entry(code.image, {"kernels": [kernel.to_json() for kernel in code.kernels]}), plan

    entry, plan = from_cache(source, options, cache, build, "kernels", *device.key, str(ptxas()))
    return DeviceCode(device.architecture, entry.code, kernels_in(entry.metadata["kernels"])), plan


def kernels_in(entries: list[dict[str, Any]]) -> tuple[Kernel, ...]:
    """The kernels that an entry of the cache tells of."""
    return tuple(map(Kernel.from_json, entries))
