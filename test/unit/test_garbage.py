"""The garbage collector is held still while a model is compiled, and works again afterwards, whatever happens."""

import gc
import os
import threading

import pytest

from cogir.garbage import without_garbage_collection


def test_it_is_held_still_and_let_go():
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
