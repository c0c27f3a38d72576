"""The kernels of a model come from the cache."""

from pathlib import Path

import pytest

import cogir
from cogir import library
from cogir.backend.kernels import EMULATED, DeviceOptions
from cogir.frontend.compile import source_of
from cogir.runtime import build
from cogir.runtime.cached_kernels import cached_kernels
from cogir.runtime.options import Options


def test_kernels_are_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COGIR_CACHE_DIR", str(tmp_path / "cache"))
    model = cogir.Model("noisy")
    model.node("node", library.psyneulink.gaussian_distort, input=2)
    source, options = source_of(model), Options("cuda-emulated", entry="replicates")
    first, plan = cached_kernels(source, options, EMULATED)
    other, _ = cached_kernels(source, options, DeviceOptions(EMULATED, block=64))
    assert [kernel.block for kernel in other.kernels] == [64]

    def never(*_: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr(build, "build_kernels", never)
    again, found = cached_kernels(source, options, EMULATED)
    assert again == first
    assert found.slots == plan.slots
