"""
The differential suite: Compositions of every kind run by PsyNeuLink and by cogir, which must leave the same behind.

Results, values of all ports and Mechanisms, values and states of Functions, and generators are compared, after each of three runs: by cogir
alone, and by PsyNeuLink, cogir and PsyNeuLink in turn. `make test` takes a part of the cases, `make check-full` all.
"""

import importlib.util
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from support.psyneulink import features, pnl
from support.psyneulink.cases import Case, inputs_of
from support.psyneulink.compare import KEPT, compared
from support.psyneulink.compositions import Spec, build, specs
from support.psyneulink.golden import fresh, refused_by_its_compiler
from support.psyneulink.suite import CASES, MODULES

import cogir
from cogir.errors import CogirError
from cogir.psyneulink.functions.table import TABLE

pytestmark = pytest.mark.filterwarnings("ignore")

QUICK = 24
"""Each case of this many is compared in `make test`, the rest in `make check-full`."""

RANDOM = 60
"""Random Compositions in `make check-full`; a few of them in `make test`."""


def part(names: list[str], share: int = QUICK) -> list[object]:
    """All names, those that are not in the quick part marked."""
    return [pytest.param(name, marks=[] if index % share == 0 else [pytest.mark.full]) for index, name in enumerate(names)]


@pytest.mark.parametrize("name", part([name for name, case in CASES.items() if case.refused is None]))
def test_cogir_leaves_what_psyneulink_leaves(name: str) -> None:
    case = CASES[name]
    kept = [category for category in KEPT if category not in case.left_out]
    assert not compared(case.build, lambda composition: inputs_of(composition, case), kept=kept)


@pytest.mark.parametrize("name", part([name for name, case in CASES.items() if case.refused is not None]))
def test_what_is_not_compiled_is_refused(name: str) -> None:
    case = CASES[name]
    fresh()
    with pytest.raises(CogirError, match=case.refused):
        cogir.from_psyneulink(case.build())


def runs_in_psyneulink(case: Case) -> bool:
    """Whether PsyNeuLink itself runs it: it fails at some nested Compositions that get nothing but modulation."""
    fresh()
    composition = case.build()
    try:
        composition.run(inputs=inputs_of(composition, case))
    except AssertionError:
        return False
    return True


def random_composition(spec: Spec) -> None:
    case = Case(lambda: build(spec))
    assume(spec.control is None or not spec.nested or runs_in_psyneulink(case))
    assert not compared(case.build, lambda composition: inputs_of(composition, case))


def hypothesis(examples: int) -> settings:
    """The same examples each time."""
    return settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )


@given(specs())
@hypothesis(4)
def test_a_few_random_compositions(spec: Spec) -> None:
    random_composition(spec)


@pytest.mark.full
@given(specs())
@hypothesis(RANDOM)
def test_random_compositions(spec: Spec) -> None:
    random_composition(spec)


def test_there_are_three_hundred() -> None:
    assert len([name for name, case in CASES.items() if case.refused is None]) + RANDOM >= 300
    assert len(CASES) == sum(len(module.CASES) for module in MODULES), "two cases have one name"


@pytest.mark.parametrize("feature", part([*features.COMPILED_BY_BOTH, *features.COMPILED_BY_COGIR_ALONE]))
def test_a_feature_compiles(feature: str) -> None:
    """Everything that PsyNeuLink's own compiler takes, and what it does not take and cogir does: by the case that shows it."""
    name = (features.COMPILED_BY_BOTH | features.COMPILED_BY_COGIR_ALONE)[feature]
    if name is None:
        assert TABLE[feature].build is not None
        return
    assert CASES[name].refused is None
    fresh()
    assert "cog.model" in str(cogir.from_psyneulink(CASES[name].build()).ir())


@pytest.mark.full
@pytest.mark.parametrize("feature", [name for name in features.COMPILED_BY_COGIR_ALONE if name not in features.CONDITIONS_OF_COGIR_ALONE])
def test_psyneulink_does_not_compile_it(feature: str) -> None:
    """Functions and thresholds; conditions are in `test_llvm_conditions.py`."""
    case = CASES[features.COMPILED_BY_COGIR_ALONE[feature]]
    fresh()
    composition = case.build()
    with refused_by_its_compiler(Exception):  # an AssertionError, an AttributeError, whatever it runs into
        composition.run(inputs=inputs_of(composition, case), execution_mode=pnl.ExecutionMode.LLVMRun)


def test_the_table_of_compositions_is_up_to_date() -> None:
    path = Path(__file__).parents[3] / "docs" / "write_psyneulink.py"
    spec = importlib.util.spec_from_file_location("write_psyneulink", path)
    assert spec is not None
    assert spec.loader is not None
    written = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(written)
    text = written.PAGE.read_text()
    assert text == written.replaced(text, written.COMPOSITIONS, written.compositions()), "write it again: python docs/write_psyneulink.py"


def test_fifteen_features_are_cogirs_alone() -> None:
    assert len(features.COMPILED_BY_COGIR_ALONE) >= 15
