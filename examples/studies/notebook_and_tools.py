"""
A notebook and the shell: cells that are run again, what objects show, and models as text in the command-line tools.

    python examples/studies/notebook_and_tools.py [FOLDER]
"""

import contextlib
import io
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np

import cogir
from cogir.tools.cog_opt import main as cog_opt
from cogir.tools.cog_run import main as cog_run

MODEL = """
import cogir
from cogir import library

model = cogir.Model("choice", seed=1)
model.node("ddm", library.drift_diffusion_decision, time_step_size=0.01, execute_until_finished=True, reset_each_trial=True)
"""
"""A model file, as the tools take it."""


def cells(model: cogir.Model, gain: float) -> cogir.Compiled:
    """The cells of a notebook, which can be run again on the same model."""

    def scaled(x, *, gain=gain):
        return gain * x

    # running.md: "In a notebook, whose cells are run again, write `replace=True`:"
    stimulus = model.node("stimulus", input=1, replace=True)
    node = model.node("scaled", scaled, input=1, replace=True)
    model.project(stimulus, node, replace=True)
    return model.compile()


def notebook() -> dict[str, object]:
    """What cells show and say."""
    model = cogir.Model("notebook")
    first = cells(model, 2.0).run({"stimulus": [[1.0]]})["scaled"].item()
    compiled = cells(model, 3.0)
    found: dict[str, object] = {"cell run twice": (first, compiled.run({"stimulus": [[1.0]]})["scaled"].item())}
    try:
        model.node("scaled")
    except cogir.ModelError as error:
        found["same name again"] = str(error)
    # running.md: "`m.remove` takes a node, an instance, a projection or a controller"
    found["removed"] = model.remove(model["scaled"])
    result = compiled.run({"stimulus": [[1.0], [2.0]]})
    shown = {"compiled": compiled, "params": compiled.params, "generators": compiled.generators, "result": result, "model": model}
    shown |= {"summary": result.summary(), "node": model["stimulus"], "context": compiled.context()}
    found["plain"] = {name: repr(one) for name, one in shown.items()}
    found["html"] = {name: one._repr_html_() for name, one in shown.items() if hasattr(one, "_repr_html_")}
    return found


def printed(tool, *arguments: str) -> str:
    """What a command prints, as a shell would show it."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        tool(list(arguments))
    return out.getvalue()


def shell(folder: Path) -> dict[str, str]:
    """What commands print."""
    file = folder / "choice.py"
    file.write_text(MODEL)
    rows = folder / "trials.csv"
    rows.write_text("ddm\n" + "\n".join(str(value) for value in np.linspace(-1.0, 1.0, 5)) + "\n")
    return {
        "text": printed(cog_opt, str(file)),
        "machine": printed(cog_opt, str(file), "--emit=machine"),
        # running.md: "comma-separated columns, decimal points, a header line with names, and one line per trial:"
        "run": printed(cog_run, str(file), "--inputs", str(rows)),
        # tools.md: "`cog-run` also calls `replicates`, `sweep` and `cogir.fit`"
        "replicates": printed(cog_run, str(file), "--inputs", '{"ddm": 1.0}', "--replicates", "200", "--seed", "1"),
        "sweep": printed(cog_run, str(file), "--inputs", '{"ddm": 1.0}', "--sweep", "ddm.drift=0.5,2", "--replicates", "50", "--all"),
    }


def study(folder: Path) -> tuple[dict[str, object], dict[str, str]]:
    """The notebook and the shell."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cogir.ReplacedWarning)
        return notebook(), shell(folder)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        cells_found, commands = study(Path(sys.argv[1] if len(sys.argv) > 1 else temporary))
        for name in ("cell run twice", "same name again", "removed"):
            print(f"{name}: {cells_found[name]}")
        for name, text in commands.items():
            print(f"--- {name}\n" + "\n".join(text.splitlines()[:4]))
