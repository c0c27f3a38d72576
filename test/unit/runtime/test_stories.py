"""Random stories of everything a user can call with a model: no act gives other numbers than fresh models that do the same one by one."""

import multiprocessing
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from random import Random
from typing import Any

import pytest
from support.long import long
from support.random.stories import NUMBERS, RECIPES, WAYS, differences, random_story

from cogir.runtime import replicates
from cogir.runtime.compiled import Compiled
from cogir.runtime.context import Context, NativeContext

IN_FIFTIES = [range(first, first + 50) for first in range(0, 2000, 50)]


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[Callable[[], Executor]]:
    """Gives an executor with a worker in another process, which starts when it is asked for."""
    pools: list[Executor] = []

    def pool() -> Executor:
        if not pools:
            pools.append(ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")))
        return pools[0]

    yield pool
    for each in pools:
        each.shutdown()


@pytest.mark.parametrize("numbers", [range(6), *long(*IN_FIFTIES)], ids=lambda numbers: f"{numbers.start} to {numbers.stop - 1}")
def test_no_act_gives_other_numbers(numbers: range, elsewhere: Callable[[], Executor]) -> None:
    for number in numbers:
        story = random_story(Random(number), Counter())
        found = differences(story, elsewhere)
        assert found == [], f"story {number}: {story}\n" + "\n".join(found)


def test_stories_have_everything() -> None:
    tags: Counter[str] = Counter()
    for number in range(2000):
        random_story(Random(number), tags)
    for what in NUMBERS:
        assert all(tags[f"{what}, {way}"] >= 5 for way in WAYS[what]), what
    for what in ("parameter", "state", "generator", "reset", "make", "copy", "pickle", "look", "specialise"):
        assert tags[f"{what}, plain"] >= 50, what
    assert all(tags[name] >= 50 for name in RECIPES)


# Planted faults, each of which a story finds.


def a_look_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading the state puts it to where the model begins."""

    def shown_state(context: Context) -> Any:
        return context.state_store()

    monkeypatch.setattr(Context, "shown_state", shown_state)


def a_reset_leaves_the_generators(monkeypatch: pytest.MonkeyPatch) -> None:
    def restart(context: NativeContext) -> None:
        context.started = False

    monkeypatch.setattr(NativeContext, "restart", restart)


def a_copy_forgets_what_was_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of a context that has not begun forgets the states that were set."""
    twin = NativeContext.twin

    def without(context: NativeContext, name: str | None) -> NativeContext:
        other = twin(context, name)
        other.states_set = {}
        return other

    monkeypatch.setattr(NativeContext, "twin", without)


def replicates_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replicates and sweeps begin where runs have left the context."""
    monkeypatch.setattr(Compiled, "_begin", lambda compiled, asked, where, start: where)


def made_contexts_share_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    """The streams of a replicate do not depend on the context, as single runs do."""
    origin = replicates.root_of
    monkeypatch.setattr(replicates, "root_of", lambda seed, context=None, own=None: origin(seed, None, own))


PLANTS = {
    a_look_begins: 38,
    a_reset_leaves_the_generators: 17,
    a_copy_forgets_what_was_set: 5,
    replicates_go_on: 5,
    made_contexts_share_streams: 12,
}
"""With the first story that finds it, from which the search begins: what comes before only takes time."""


@pytest.mark.parametrize(("plant", "first"), PLANTS.items(), ids=[plant.__name__ for plant in PLANTS])
def test_planted_faults_are_found(plant: Callable[[pytest.MonkeyPatch], None], first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    assert any(differences(random_story(Random(number), Counter())) for number in range(first, first + 300))
