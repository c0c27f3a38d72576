"""The ways to give two models the same random numbers."""

from itertools import islice

from cogir.analysis.equivalence.compare import pairings


def test_pairings_are_all_and_by_kind() -> None:
    found = list(pairings([("ab", "xy"), ("c", "z")]))
    assert found == [{"x": "a", "y": "b", "z": "c"}, {"x": "b", "y": "a", "z": "c"}]
    assert list(pairings([])) == [{}]
    assert not list(pairings([("ab", "xy"), ("c", "")]))


def test_pairings_are_made_one_at_a_time() -> None:
    """There are more than can be kept: 40 factorial of each kind."""
    many = [(range(40), range(40)), (range(40, 80), range(40, 80))]
    found = list(islice(pairings(many), 120))
    assert len({tuple(each.items()) for each in found}) == 120
