"""
Random networks: native code gives the numbers of a re-implementation in plain NumPy, and a replicate is a run by itself.

Network `n` is `random_network(Random(n))`, the same each time. `make test` tries a sample; `make check-full` 2,000 networks beside NumPy,
and the replicates of 200.
"""

from collections import Counter
from collections.abc import Iterable
from random import Random

import numpy as np
import pytest
from support.long import long
from support.random.built_networks import built, farthest
from support.random.numpy_networks import KINDS, Network, Simulation, Vector, random_inputs, random_network

import cogir
from cogir.library.random.generators import keyed_words
from cogir.streams import key_of

TRIALS = (3, 2)
"""Of one run after the other."""
REPLICATES = 3
QUICK, FULL = range(6), long(*(range(first, first + 500) for first in range(0, 2000, 500)))


def network_of(seed: int, noise: bool) -> tuple[Network, dict[str, Vector]]:
    """A network and inputs for it."""
    source = Random(seed)
    network = random_network(source, noise)
    return network, random_inputs(source, network)


def compiled_of(network: Network) -> cogir.Compiled:
    """The network in native code. Of trials that are cut off, which random networks have, nothing is said."""
    return built(network).compile(mode="run", cache=False)


def differences(seeds: Iterable[int], seen: Counter[str]) -> list[str]:
    """Says which networks are farther from NumPy than they may be; every third one draws random numbers."""
    far: list[str] = []
    for seed in seeds:
        network, inputs = network_of(seed, noise=seed % 3 == 0)
        simulation, compiled = Simulation(network), compiled_of(network)
        for trials in TRIALS:
            expected = simulation.run(inputs, trials)
            share, port = farthest(compiled.run(inputs, num_trials=trials), expected)
            if not share <= 1.0:
                far.append(f"network {seed}: {port} is {share:.3g} times as far from NumPy as it may be")
        seen["recurrent" if network.is_recurrent else "feed-forward"] += 1
        seen.update({unit.kind for unit in network.units})
        seen.update({f"ends by {network.ending[0]}", *(f"runs {unit.condition[0]}" for unit in network.units)})
        seen["until finished"] += any(unit.limit for unit in network.units)
        seen["modulated"] += bool(network.influences)
        seen["reset"] += any(unit.resets for unit in network.units)
    return far


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seeds", [QUICK, *FULL], ids=str)
def test_networks_are_what_numpy_makes_of_them(seeds: range) -> None:
    seen: Counter[str] = Counter()
    far = differences(seeds, seen)
    assert not far, "\n".join(far)
    assert seen["recurrent"] >= 0.4 * len(seeds)
    assert seen["feed-forward"] >= 0.2 * len(seeds)
    if len(seeds) > len(QUICK):
        assert all(seen[kind] >= 20 for kind in KINDS)
        print(f"{len(seeds)} random networks ({seeds}) as NumPy says: {dict(seen.most_common())}")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seeds", [range(2), *long(range(200))], ids=str)
def test_a_replicate_is_a_run_by_itself(seeds: range) -> None:
    for seed in seeds:
        network, inputs = network_of(seed, noise=True)
        in_numpy = seed % 2 == 0
        if not in_numpy:
            for unit in network.units:
                unit.generator = unit.generator and ("xoshiro256", unit.generator[1])
        compiled = compiled_of(network)
        found = compiled.replicates(inputs, count=REPLICATES, num_trials=2, seed=seed)
        for replicate in range(REPLICATES):
            alone = compiled.context(f"replicate {replicate}")
            for place, path in enumerate(compiled.generators):
                kind = compiled.plan.generators[path].kind
                alone.generators[path] = keyed_words(kind, seed, key_of(kind, place, path), replicate)
            again = compiled.run(inputs, num_trials=2, context=alone)
            for path in found.outputs:
                np.testing.assert_array_equal(found[path][replicate], again[path], err_msg=f"network {seed}, {path}")
            if in_numpy:
                expected = Simulation(network, key=(seed, replicate)).run(inputs, 2)
                share, port = farthest(again, expected)
                assert share <= 1.0, f"network {seed}: {port} is {share:.3g} times as far from NumPy as it may be"
