"""
Calls that ask for what only PsyNeuLink does are its own, after one warning; arguments without effect change nothing.
"""

from unittest import mock

import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

# isort: split
from psyneulink import _debugger

from cogir.errors import DeviceError
from cogir.psyneulink import FallbackWarning, accelerate
from cogir.runtime.cuda import engine as cuda_engine

pytestmark = pytest.mark.filterwarnings("ignore")


def chain():
    """Two Mechanisms."""
    fresh()
    return pnl.Composition(name="C", pathways=[[pnl.TransferMechanism(name="A"), pnl.TransferMechanism(name="B")]])


def test_the_debugger_is_called():
    composition, categories = chain(), []
    _debugger.set_listener(lambda category, _: categories.append(category))
    try:
        with accelerate(), pytest.warns(FallbackWarning, match="listener"):
            composition.run({composition.nodes[0]: [[1.0]]})
    finally:
        _debugger.set_listener(None)
    assert _debugger.BreakpointCategory.NODE_EXECUTION in categories


def test_a_run_on_a_gpu_says_that_there_is_none():
    composition = chain()
    given = {"inputs": {composition.nodes[0]: [[1.0]]}, "execution_mode": pnl.ExecutionMode.PTXRun}
    with accelerate(), pytest.warns(FallbackWarning, match="no NVIDIA driver"):
        assert composition.run(**given) == [[1.0]]
    with accelerate(strict=True), pytest.raises(DeviceError, match="no NVIDIA driver"):
        composition.run(**given)


def test_a_run_on_a_gpu():
    """In the place of the GPU stands the emulation of kernels."""
    composition = chain()
    with (
        mock.patch.object(cuda_engine, "gpu_for", return_value=cuda_engine.Gpu(cuda_engine.EmulatedDriver())),
        accelerate("PTXRun", strict=True),
    ):
        assert composition.run({composition.nodes[0]: [[1.0]]}) == [[1.0]]


@pytest.mark.parametrize("given", [{"bin_execute": "LLVM"}, {"report_to_devices": [pnl.ReportDevices.RECORD]}])
def test_arguments_without_effect_leave_a_run_native(given):
    composition = chain()
    with accelerate(strict=True):
        assert composition.run({composition.nodes[0]: [[1.0]]}, **given) == [[1.0]]
