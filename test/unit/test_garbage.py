"""The garbage collector is disabled while a model is compiled, and works again afterwards, whatever happens."""

import gc
import os
import threading
from collections.abc import Iterator

import pytest

from cogir.garbage import count_as_old, without_garbage_collection


@pytest.fixture
def nothing_frozen() -> Iterator[None]:
    """What conftest.py has frozen is not, during a test."""
    gc.unfreeze()
    yield
    gc.freeze()


def test_it_is_disabled_and_enabled_again():
    def fail():
        with without_garbage_collection():
            with without_garbage_collection():
                pass
            assert not gc.isenabled()
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        fail()
    assert gc.isenabled()


def test_who_switched_it_off_finds_it_off():
    gc.disable()
    try:
        with without_garbage_collection():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_what_counts_as_old_is_not_young(nothing_frozen: None):
    young = [[] for _ in range(10)]
    count_as_old()
    old = {id(each) for each in gc.get_objects(generation=2)}
    assert all(id(each) in old for each in young)
    assert gc.get_freeze_count() == 0


def test_objects_that_somebody_froze_stay_frozen(nothing_frozen: None):
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        count_as_old()
        assert gc.get_freeze_count() > frozen / 2 > 0  # other threads may let go of a few meanwhile
    finally:
        gc.unfreeze()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of fork beside threads, which is what this is about
def test_a_child_forked_while_a_thread_compiles_collects():
    inside, done = threading.Event(), threading.Event()

    def compile_slowly():
        with without_garbage_collection():
            inside.set()
            done.wait()

    thread = threading.Thread(target=compile_slowly)
    thread.start()
    inside.wait()
    child = os.fork()
    if child == 0:
        os._exit(0 if gc.isenabled() else 1)
    done.set()
    thread.join()
    assert os.waitpid(child, 0)[1] == 0
    assert gc.isenabled()
