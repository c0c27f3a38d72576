"""
The root conftest.py of PsyNeuLink 0.21's tests, which is not in the source distribution: its fixtures and helpers, written anew.

`run.py` copies it beside the tests.
"""

from __future__ import annotations

import inspect
import itertools
import types
from collections.abc import Iterator
from typing import Any

import graph_scheduler
import numpy as np
import psyneulink
import pytest
import torch
from psyneulink.core import llvm
from psyneulink.core.globals import registry
from psyneulink.core.globals.parameters import Parameter
from psyneulink.core.globals.utilities import is_numeric, set_global_seed

Mode = llvm.ExecutionMode
COMPILED, GPU = pytest.mark.llvm, pytest.mark.cuda


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--stress", action="store_true", default=False)
    parser.addoption("--fp-precision", default="fp64", choices=["fp32", "fp64"])


def pytest_configure(config: pytest.Config) -> None:
    """PsyNeuLink's tests assert that Parameters are set to arrays."""
    psyneulink._called_from_pytest = True
    original = Parameter._set_value

    def checked(self: Any, value: Any, **options: Any) -> Any:
        is_array = isinstance(value, np.ndarray) or not is_numeric(value)
        assert is_array, f"{self._owner._owner}.{self.name} is set to a number that is in no array: {value} ({type(value)})"
        return original(self, value, **options)

    Parameter._set_value = checked


def execution_modes() -> list[Any]:
    """The modes of a Composition, the compiled ones marked."""
    compiled = [pytest.param(mode, marks=COMPILED) for mode in (Mode._LLVMPerNode, Mode._LLVMExec, Mode.LLVMRun)]
    return [pytest.param(Mode.Python), *compiled, pytest.param(Mode.PTXRun, marks=[COMPILED, GPU])]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    by_name = ["Python", pytest.param("LLVM", marks=COMPILED), pytest.param("PTX", marks=[COMPILED, GPU])]
    for name in ("func_mode", "mech_mode"):
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, by_name)
    if "comp_mode_no_per_node" in metafunc.fixturenames:
        metafunc.parametrize("comp_mode", [mode for mode in execution_modes() if mode.values[0] is not Mode._LLVMPerNode])
    elif "comp_mode" in metafunc.fixturenames:
        metafunc.parametrize("comp_mode", execution_modes())
    if "autodiff_mode" in metafunc.fixturenames:
        learning = [pytest.param(Mode.PyTorch, marks=pytest.mark.pytorch), pytest.param(Mode.LLVMRun, marks=COMPILED)]
        metafunc.parametrize("autodiff_mode", learning)


_prefix: list[str] = []
"""How PsyNeuLink begins names that it makes up; tests are collected under another prefix, so that numbers begin anew in each test."""


def pytest_sessionstart(session: pytest.Session) -> None:
    _prefix.append(registry._register_auto_name_prefix)
    registry._register_auto_name_prefix = "__pnl_pytest_"


def pytest_collection_finish(session: pytest.Session) -> None:
    registry._register_auto_name_prefix = _prefix.pop()


def pytest_runtest_setup(item: pytest.Item) -> None:
    call = getattr(item, "callspec", None)
    if call is not None:  # no test changes the parameters of the next one
        call.params.update({name: types.MappingProxyType(value) for name, value in call.params.items() if isinstance(value, dict)})
    if "stress" in item.keywords and not item.config.getvalue("stress"):
        pytest.skip("stress tests are not asked for")


def pytest_runtest_call(item: pytest.Item) -> None:
    np.random.seed(0)
    set_global_seed(0)
    if "pytorch" in item.keywords:
        torch.manual_seed(0)


def pytest_runtest_teardown(item: pytest.Item) -> None:
    for each in psyneulink.primary_registries:
        psyneulink.clear_registry(each)
    graph_scheduler.utilities.cached_hashable_graph_function.cache_clear()
    llvm.cleanup(False)


@pytest.fixture
def comp_mode_no_per_node() -> None:
    """Asked for by tests beside `comp_mode`."""


@pytest.helpers.register
def llvm_current_fp_precision() -> str:
    return "fp64"


@pytest.helpers.register
def get_comp_execution_modes() -> list[Any]:
    return execution_modes()


@pytest.helpers.register
def get_comp_and_ocm_execution_modes() -> list[Any]:
    own = [
        pytest.param(mode.values[0], "Python" if mode.values[0] is Mode.Python else "None", id=str(mode.values[0]), marks=mode.marks)
        for mode in execution_modes()
    ]
    controllers = {"LLVM": COMPILED, "PTX": [COMPILED, GPU]}
    return own + [pytest.param(Mode.Python, name, id=f"Python-{name}", marks=marks) for name, marks in controllers.items()]


@pytest.helpers.register
def cuda_param(value: Any) -> Any:
    return pytest.param(value, marks=[COMPILED, GPU])


@pytest.helpers.register
def get_func_execution(func: Any, func_mode: str, *, tags: frozenset[str] = frozenset(), member: str = "function") -> Any:
    assert func_mode == "Python", "tests of PsyNeuLink's compiler are left out"
    return getattr(func, member)


@pytest.helpers.register
def get_mech_execution(mech: Any, mech_mode: str, *, tags: frozenset[str] = frozenset(), member: str = "execute") -> Any:
    assert mech_mode == "Python", "tests of PsyNeuLink's compiler are left out"

    def executed(variable: Any) -> Any:
        getattr(mech, member)(variable)
        return mech.output_values

    return executed


@pytest.helpers.register
def numpy_uses_avx512() -> bool:
    return any(name.startswith("AVX512") for name in np.show_config(mode="dicts")["SIMD Extensions"]["found"])


@pytest.helpers.register
def expand_np_ndarray(array: Any) -> list[Any]:
    """The numbers of an array of arrays in a flat list."""
    listed = array if isinstance(array, list) else np.asarray(array, object).tolist()
    if not isinstance(listed, list):
        return [listed]
    return [number for item in listed for number in expand_np_ndarray(item)]


@pytest.helpers.register
def power_set(items: Any) -> Iterator[Any]:
    listed = list(items)
    return (chosen for size in range(len(listed) + 1) for chosen in itertools.combinations(listed, size))


@pytest.helpers.register
def get_all_subclasses(
    type_: Any = psyneulink.Component, module: Any = psyneulink, exclude_type: Any = None, include_abstract: bool = True, sort: bool = True
) -> list[Any]:
    """The classes of a module that derive from one, and not from another."""
    found = [
        kind
        for kind in (getattr(module, name) for name in module.__all__)
        if inspect.isclass(kind)
        and issubclass(kind, type_)
        and (include_abstract or not inspect.isabstract(kind))
        and (exclude_type is None or not issubclass(kind, exclude_type))
    ]
    return sorted(found, key=lambda kind: kind.__name__) if sort else found
