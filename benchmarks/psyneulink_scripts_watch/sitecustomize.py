"""
Python imports this module as it starts, where `psyneulink_scripts.py` puts its folder on the path: it notes the outermost calls of
Compositions with their processor seconds, and at exit writes them and the results of all Compositions into the file `WATCHED`.
"""

import importlib.abc
import importlib.util
import os
import sys
import time

WATCHED = os.environ.pop("WATCHED", None)
METHODS = ("run", "execute", "evaluate")
calls: list[tuple[str, str, str, str, float]] = []
"""Of each call the Composition, the method, where it was executed, why, and its processor seconds."""


def watch_psyneulink(module):
    """Gives all generators a seed, and notes calls without cogir, by the methods that `accelerate()` replaces."""
    import functools
    import random

    import numpy as np
    from psyneulink.core.globals.utilities import set_global_seed

    set_global_seed(0)
    random.seed(0)
    np.random.seed(0)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(0)
    if os.environ.get("WATCH_CALLS") != "true":
        return

    within = [False]

    def noted(original, name):
        @functools.wraps(original)
        def method(composition, *args, **kwargs):
            if within[0]:
                return original(composition, *args, **kwargs)
            within[0], began = True, time.process_time()
            try:
                return original(composition, *args, **kwargs)
            finally:
                within[0] = False
                calls.append((composition.name, name, "plain", "", time.process_time() - began))

        return method

    for name in METHODS:
        setattr(module.Composition, name, noted(getattr(module.Composition, name), name))


def watch_history(module):
    """Notes calls with cogir, where it notes them itself."""
    enter, leave = module.NotedCall.__enter__, module.NotedCall.__exit__
    began = {}

    def entered(call):
        began[id(call)] = time.process_time()
        return enter(call)

    def left(call, *error):
        outermost, seconds = call.token is not None, time.process_time() - began.pop(id(call))
        leave(call, *error)
        if outermost:
            calls.append((call.composition.name, call.method, str(call.way), call.message, seconds))

    module.NotedCall.__enter__, module.NotedCall.__exit__ = entered, left


WATCHES = {"psyneulink": watch_psyneulink, "cogir.psyneulink.history": watch_history}


class Watching(importlib.abc.Loader):
    """Loads a module, then watches it."""

    def __init__(self, loader, watch):
        self.loader, self.watch = loader, watch

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        self.loader.exec_module(module)
        self.watch(module)

    def __getattr__(self, name):
        return getattr(self.loader, name)


class Finder(importlib.abc.MetaPathFinder):
    """Finds the modules that are watched."""

    def find_spec(self, name, path, target=None):
        if name not in WATCHES:
            return None
        watch = WATCHES.pop(name)
        spec = importlib.util.find_spec(name)
        spec.loader = Watching(spec.loader, watch)
        return spec


def write():
    """Writes what was noted, and the results of all Compositions that exist."""
    import gc
    import pickle

    results = {}
    if "psyneulink" in sys.modules:
        import numpy as np

        kind = sys.modules["psyneulink"].Composition
        for one in (held for held in gc.get_objects() if isinstance(held, kind)):
            for context, trials in (one.parameters.results.values or {}).items():
                results[one.name, str(context)] = [
                    [np.array(port).tolist() for port in trial] for trial in (trials if trials is not None else [])
                ]
    with open(WATCHED, "wb") as file:
        pickle.dump((calls, results), file)


if WATCHED:
    import atexit

    process = os.getpid()
    sys.meta_path.insert(0, Finder())
    atexit.register(lambda: write() if os.getpid() == process else None)
