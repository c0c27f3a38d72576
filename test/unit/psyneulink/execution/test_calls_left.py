"""
Calls that ask for what only PsyNeuLink does are its own, after one warning; arguments without effect change nothing.
"""

import contextlib
from queue import Queue

import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

# isort: split
from psyneulink import _debugger

from cogir.psyneulink import FallbackWarning, UnsupportedFeature, accelerate

pytestmark = pytest.mark.filterwarnings("ignore")


def chain():
    """Two Mechanisms."""
    fresh()
    return pnl.Composition(name="C", pathways=[[pnl.TransferMechanism(name="A"), pnl.TransferMechanism(name="B")]])


def test_values_are_delivered_by_rpc():
    composition, pipeline = chain(), Queue()
    mechanism = composition.nodes[0]
    mechanism.set_log_conditions("value")
    mechanism.set_delivery_conditions("value")
    with accelerate(), pytest.warns(FallbackWarning, match="rpc_pipeline"):
        composition.run({mechanism: [[1.0], [2.0]]}, context=pnl.Context(rpc_pipeline=pipeline, execution_id="x"))
    delivered = [pipeline.get() for _ in range(pipeline.qsize())]
    assert [one.value.data for one in delivered if one.parameterName == "value"] == [[1.0], [2.0]]


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
    with accelerate(), pytest.warns(FallbackWarning, match="on the CPU"), contextlib.suppress(Exception):
        composition.run(**given)  # without CUDA an error of PsyNeuLink's follows
    with accelerate(strict=True), pytest.raises(UnsupportedFeature, match=r"LLVMRun"):
        composition.run(**given)


@pytest.mark.parametrize("given", [{"bin_execute": "LLVM"}, {"report_to_devices": [pnl.ReportDevices.RECORD]}])
def test_arguments_without_effect_leave_a_run_native(given):
    composition = chain()
    with accelerate(strict=True):
        assert composition.run({composition.nodes[0]: [[1.0]]}, **given) == [[1.0]]


def test_reports_are_psyneulinks():
    composition = chain()
    given = {"report_output": pnl.ReportOutput.TERSE, "report_to_devices": pnl.ReportDevices.DIVERT}
    with accelerate(), pytest.warns(FallbackWarning, match="report_output"):
        composition.run({composition.nodes[0]: [[1.0]]}, **given)
