"""Faults that are put into stores and contexts are found by the tests beside this file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cogir.pyfunc.reachable import Reach
from cogir.runtime.context import Context, States
from cogir.runtime.sweeps import identity, subject
from cogir.runtime.sweeps import store as store_module
from cogir.runtime.sweeps.identity import CalledReach
from cogir.runtime.sweeps.store import Store

from . import test_damage, test_identity

Plant = Callable[[pytest.MonkeyPatch], None]


def left_out(module: Any, name: str, value: Any) -> Plant:
    return lambda patch: patch.setattr(module, name, value)


def without_globals(patch: pytest.MonkeyPatch) -> None:
    chain = Reach._chain

    def only_cells(self: Reach, chain_: Any, value: Any) -> None:
        if not isinstance(value, float):
            chain(self, chain_, value)

    patch.setattr(Reach, "_chain", only_cells)


def without_defaults(patch: pytest.MonkeyPatch) -> None:
    value = CalledReach.value
    patch.setattr(CalledReach, "value", lambda self, held: None if held == (0.5,) or held == (0.6,) else value(self, held))


def without_objects(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(identity, "_attributes", lambda value: iter(()))


def same_owner(patch: pytest.MonkeyPatch) -> None:
    for module in (store_module, test_damage):
        patch.setattr(module, "owner_of", lambda pid: f"machine-{pid}")


def without_axes(job: Any) -> Iterator[Any]:
    for axis in job.points.axes:
        for held in axis.quantities:
            yield held.kind, held.paths
            yield held.values


PLANTS: dict[str, tuple[Plant, str, Callable[[Path, pytest.MonkeyPatch], None]]] = {
    "globals": (
        without_globals,
        "!=",
        lambda path, patch: test_identity.test_a_change_of_what_a_function_reaches_is_seen("global", patch),
    ),
    "defaults": (
        without_defaults,
        "!=",
        lambda path, patch: test_identity.test_functions_that_differ_have_other_identities("default argument"),
    ),
    "what objects hold": (
        without_objects,
        "!=",
        lambda path, patch: test_identity.test_functions_that_differ_have_other_identities("callable object"),
    ),
    "attributes of functions": (
        left_out(CalledReach, "_set_on", lambda self, value: None),
        "!=",
        lambda path, patch: test_identity.test_a_change_of_what_a_function_reaches_is_seen("attribute of a decorator", patch),
    ),
    "what libraries take from outside": (
        left_out(identity, "outside", lambda value: None),
        "DID NOT RAISE",
        lambda path, patch: test_identity.test_what_depends_on_more_than_arguments_is_refused("time.time"),
    ),
    "generators without a seed": (
        left_out(identity, "is_called_without_arguments", lambda code, name: False),
        "DID NOT RAISE",
        lambda path, patch: test_identity.test_what_depends_on_more_than_arguments_is_refused("default_rng without a seed"),
    ),
    "state": (
        left_out(subject, "named_values", lambda values: iter(())),
        "DID NOT RAISE",
        lambda path, patch: test_identity.test_a_state_that_was_set_by_hand_makes_another_sweep(path),
    ),
    "contract": (
        left_out(subject, "SAME_BITS", (*subject.SAME_BITS, "contract")),
        "DID NOT RAISE",
        lambda path, patch: test_identity.test_options_that_change_bits_make_another_sweep(path),
    ),
    "axes": (
        left_out(subject, "points_in", without_axes),
        "DID NOT RAISE",
        lambda path, patch: test_identity.test_quantities_along_other_axes_make_another_sweep(path),
    ),
    "checksums": (
        left_out(store_module, "checksum", lambda values: 1),
        "DID NOT RAISE",
        lambda path, patch: test_damage.test_a_damaged_chunk_is_an_error_that_names_it(test_damage.swap, path),
    ),
    "descriptions of arrays": (
        left_out(Store, "names", lambda self: [name for name, _ in self.array("done").attrs["arrays"]]),
        "too many indices",
        lambda path, patch: test_damage.test_damaged_descriptions_are_errors_that_name_them(test_damage.other_shape, path),
    ),
    "containers": (
        same_owner,
        "it is somebody",
        lambda path, patch: test_damage.test_another_container_of_the_same_name_is_somebody_else(path, patch),
    ),
    "marks before chunks": (
        left_out(Store, "write", lambda self, first, last, arrays: marked_first(self, first, last, arrays)),
        "assert",
        lambda path, patch: test_damage.test_chunks_are_on_the_disk_before_they_are_marked(10**6, path, patch),
    ),
}


def marked_first(store: Store, first: int, last: int, arrays: dict[str, Any]) -> None:
    """Writes the marks of blocks before their chunks."""
    held = {store_module.escaped(name): np.ascontiguousarray(values) for name, values in arrays.items()}
    if "done" not in store.group:
        store.make_arrays(held)
    store.group["done"][first:last] = np.array(
        [[store_module.checksum(v[at : at + 1]) for v in held.values()] for at in range(last - first)]
    )
    for name, values in held.items():
        store.group[name][first:last] = values
        store_module.put_on_disk(store.chunk(name, block) for block in range(first, last))


@pytest.mark.parametrize("fault", PLANTS)
def test_a_planted_fault_is_found(fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, message, check = PLANTS[fault]
    check(*beside(tmp_path / "right", monkeypatch))
    plant(monkeypatch)
    with pytest.raises((AssertionError, IndexError, pytest.fail.Exception), match=message):
        check(*beside(tmp_path / "wrong", monkeypatch))


def beside(path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, pytest.MonkeyPatch]:
    path.mkdir()
    return path, monkeypatch


def test_a_missing_chunk_that_is_read_as_zero_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unchecked(store: Store, name: str, first: int, last: int, sums: Any) -> Any:
        return np.asarray(store.group[name][first:last])

    monkeypatch.setattr(Store, "part", unchecked)
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        test_damage.test_a_damaged_chunk_is_an_error_that_names_it(test_damage.lose, tmp_path)


def test_a_look_that_begins_a_context_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from test.unit.runtime import test_reading

    def begins(states: States) -> Any:
        context: Context = states._context
        return context.state_store()

    monkeypatch.setattr(States, "_store", property(begins))
    with pytest.raises(AssertionError):
        test_reading.test_what_is_swept_or_set_after_a_look_counts("run")
