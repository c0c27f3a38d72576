"""The models of the reference files, read from PsyNeuLink: the same bits whatever optimisations are left out."""

import pytest
from support.compare_models import WAYS, compare_ways
from support.golden import flat_inputs
from support.psyneulink.golden import MODELS, build_golden
from support.random.models import Drawn

import cogir

pytestmark = pytest.mark.filterwarnings("ignore")
SAMPLE = "chain"


def drawn(name: str) -> Drawn:
    """A reference model and the inputs of its first call."""
    golden = build_golden(name)
    return Drawn(cogir.from_psyneulink(golden.composition), flat_inputs(golden.calls[0]["inputs"]), 2, {})


def test_one_reference_model() -> None:
    compare_ways(drawn(SAMPLE), ["none"])


@pytest.mark.full
@pytest.mark.parametrize("name", sorted(MODELS))
def test_all_reference_models(name: str) -> None:
    compare_ways(drawn(name), WAYS)
