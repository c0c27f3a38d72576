"""Faults in what the playground refuses are found by its tests."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from cogir.tools import cog_play
from cogir.tools.cog_play import Arriving, PlayServer
from test.unit.tools import test_cog_play
from test.unit.tools.test_cog_play import serving

Plant = Callable[[pytest.MonkeyPatch], None]


def any_secret_will_do(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(secrets, "compare_digest", lambda one, other: True)


def one_secret_for_all(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(secrets, "token_urlsafe", lambda count: "a" * count)


@contextmanager
def the_address_itself(address: str) -> Iterator[str]:
    yield address


def others_see_the_address(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(cog_play, "pointer_to", the_address_itself)


def requests_may_take_for_ever(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Arriving, "readinto", lambda self, buffer: self.connection.recv_into(buffer))


def any_number_of_connections(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(PlayServer, "verify_request", lambda self, request, address: True)


def asked(check: Callable[[PlayServer], Any], **options: Any) -> Callable[[], None]:
    """A check of a server of its own."""

    def of_server() -> None:
        with serving(**options) as server:
            check(server)

    return of_server


PLANTS: dict[Plant, Callable[[], None]] = {
    any_secret_will_do: asked(lambda server: test_cog_play.test_who_does_not_know_the_secret_is_refused(server, "wrong")),
    one_secret_for_all: asked(test_cog_play.test_every_server_has_a_secret_of_its_own),
    others_see_the_address: test_cog_play.test_the_browser_is_not_told_the_address_by_its_command_line,
    requests_may_take_for_ever: asked(lambda server: test_cog_play.test_half_sent_requests_end(server, "headers"), arrival=0.5),
    any_number_of_connections: asked(test_cog_play.test_many_half_sent_requests_keep_few_threads_and_nobody_out),
}


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__)
def test_a_planted_fault_is_found(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(test_cog_play, "PATIENCE", 1.0)
    plant(monkeypatch)
    with pytest.raises((AssertionError, TimeoutError)):
        PLANTS[plant]()
