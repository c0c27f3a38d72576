"""
Results for others: files that need no cogir, results from other processes, a resumable store, and the model as a program in C.

    python examples/studies/sharing.py [FOLDER]
"""

import multiprocessing
import pickle
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

import cogir
from cogir import library
from cogir.tools.cog_translate import main as cog_translate

PROGRAM = """
#include <stdio.h>
#include "race.h"

int main(void) {
    static race_model model;
    double in[1][RACE_IN] = {{1.0, 0.5}}, out[5][RACE_OUT];
    race_start(&model);
    if (race_run_trials(&model, &in[0][0], 1, &out[0][0], 5) != RACE_FINISHED) return 1;
    for (int t = 0; t < 5; t++) printf("%.17g\\n", out[t][RACE_OUT_RACE_RESPONSE_TIME]);
}
"""
"""Five trials of the model, by the header that `cog-translate` writes."""


def build() -> cogir.Model:
    """A race between two accumulators."""
    model = cogir.Model("race", seed=3)
    # results.md: "**Labels** name the elements along the last axis of an output"
    model.node(
        "race",
        library.race_decision,
        input=2,
        time_step_size=0.01,
        execute_until_finished=True,
        max_executions_before_finished=2000,
        reset_each_trial=True,
        units={"response_time": "s"},
    )
    return model


def there(text: str, inputs: Any) -> Any:
    """Results of a model that was sent as a text; runs in another process."""
    # results.md: "Results can be pickled, so that functions which joblib or multiprocessing call in other processes can return them."
    return cogir.compile(text).run(inputs, num_trials=50)


def study(folder: Path) -> dict[str, bool]:
    """Which ways of passing results on give the same bits."""
    model = build()
    compiled = model.compile()
    inputs = {"race": [[1.0, 0.5]]}
    same: dict[str, bool] = {}

    found = compiled.replicates(inputs, count=200)
    expected = found["race", "response_time"]
    # results.md: "`.npz` needs NumPy only, and `numpy.load` reads its arrays"
    found.save(folder / "race.npz", overwrite=True)
    with np.load(folder / "race.npz") as arrays:
        same["numpy.load"] = any(np.array_equal(arrays[name], expected) for name in arrays if arrays[name].shape == expected.shape)
    # results.md: "All formats keep all axes, labels, units, flags and attributes, and all bits"
    for kind in ("npz", "nc", "zarr"):
        found.save(folder / f"race.{kind}", overwrite=True)
        loaded = cogir.load(folder / f"race.{kind}")
        same[f".{kind}"] = np.array_equal(loaded["race", "response_time"], expected) and loaded.attributes["model"] == "race"
    # results.md: "`model_text` (the IR, which `cogir.compile` takes"
    again = cogir.compile(cogir.load(folder / "race.nc").attributes["model_text"])
    same["from the text in a file"] = np.array_equal(again.replicates(inputs, count=200)["race", "response_time"], expected)
    same["pickle"] = np.array_equal(pickle.loads(pickle.dumps(found))["race", "response_time"], expected)

    # running.md: "To run a model in another process, send `str(m.ir())` and the contexts to it, and compile there"
    here = model.compile().run(inputs, num_trials=50)["race", "response_time"]
    points = {"race/threshold": [0.75, 1.0]}
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        same["another process"] = np.array_equal(pool.submit(there, str(model.ir()), inputs).result()["race", "response_time"], here)
        plain = compiled.sweep(points, inputs, replicates=20)
        # sweeps.md: "any executor of concurrent.futures"
        elsewhere = compiled.sweep(points, inputs, replicates=20, executor=pool)
    same["a pool"] = np.array_equal(elsewhere["race", "response_time"], plain["race", "response_time"])
    # sweeps.md: "With `store`, finished blocks of points are written to a folder in zarr's format"
    for attempt in ("a store", "a store that is done"):
        stored = compiled.sweep(points, inputs, replicates=20, store=folder / "sweep.zarr")
        same[attempt] = np.array_equal(stored["race", "response_time"], plain["race", "response_time"])

    # c.md: "A program in C or C++ (or in any language that calls C) runs it without Python and without cogir"
    if (compiler := shutil.which("cc")) is not None:
        (folder / "race.mlir").write_text(str(model.ir()))
        (folder / "main.c").write_text(PROGRAM)
        for emit, name in (("obj", "race.o"), ("c-header", "race.h")):
            assert cog_translate([str(folder / "race.mlir"), f"--emit={emit}", "--prefix=race", "-o", str(folder / name)]) == 0
        command = [compiler, f"-I{folder}", str(folder / "main.c"), str(folder / "race.o"), "-lm", "-o", str(folder / "race")]
        subprocess.run(command, check=True)
        printed = subprocess.run([str(folder / "race")], check=True, capture_output=True, text=True).stdout.split()
        same["a program in C"] = np.array_equal(np.array(printed, float), here[:5])
    return same


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        for way, is_same in study(Path(sys.argv[1] if len(sys.argv) > 1 else temporary)).items():
            print(f"{way:24} {'the same bits' if is_same else 'OTHER BITS'}")
