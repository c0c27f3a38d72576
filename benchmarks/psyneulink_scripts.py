"""
Whole scripts, unchanged, in PsyNeuLink alone and by `python -m cogir.psyneulink`: processor seconds, and whether the results are the same.

    python benchmarks/psyneulink_scripts.py --folder FOLDER [--ways plain,cold,warm] [--again] [--limit 900] script.py ...
    python benchmarks/psyneulink_scripts.py --folder FOLDER [--origins FILE] [--table FILE]    # the table of what FOLDER holds

A script runs in its folder, in processes of its own: `plain`, by `python script.py`; `cold`, by cogir with an empty cache;
`warm`, once more with the cache that the one before has filled. Seconds are processor time of the process and of those that it has started,
with the import of PsyNeuLink (3 s) and of cogir. What was measured in FOLDER before is kept; with `--again`, it is measured once more, and
the least counts. `--origins`: a JSON file that says where each script is from, as {name: {"from": text, "changes": [text], "sum": text}}:
what was changed in its copy, and a sum in which it counts, beside that of all.

Compared are the results of all Compositions that exist at the end, and what is printed, numbers to 1e-9. A script is within the limit if it
takes at most 5 % or 0.4 s more than plain, whichever is more. `share`: of the processor time of outermost calls in PsyNeuLink alone, the
part of those that were native in the warm run, or stayed in PsyNeuLink as they were shorter than compiling. Scripts that fail in PsyNeuLink
itself are left out. All generators of a process begin with one seed; PsyNeuLink draws the seeds of its own in each process otherwise.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from compileall import compile_dir
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
WATCH = Path(__file__).with_name("psyneulink_scripts_watch")
WAYS = ("plain", "cold", "warm")
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
OF_PROCESS = re.compile(
    r"0x[0-9a-f]{6,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+(?:\.\d+)? ?\(?(?:s|sec|seconds|\w+/s(?:econd)?)\b|\b[Tt]ime = [\d.]+"
)
"""What is another text in each process: addresses, names of simulations, and times."""
TOLERANCE = 1e-9
BEGINNING, END = "<!-- public scripts -->", "<!-- end of public scripts -->"


def run(script: Path, way: str, folder: Path, limit: float) -> dict[str, Any]:
    """Runs a script in one way: its exit status and processor seconds."""
    cache = folder / "cache" / script.stem
    if way == "cold":
        shutil.rmtree(cache, ignore_errors=True)
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(WATCH), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]),
        "PYTHONHASHSEED": "0",  # PsyNeuLink walks through sets of names
        "MPLBACKEND": "Agg",
        "OMP_NUM_THREADS": "1",
        "COGIR_CACHE_DIR": str(cache),
        "WATCHED": str(folder / f"{script.stem}.{way}.pickle"),
        "WATCH_CALLS": str(way == "plain").lower(),
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    runner = [] if way == "plain" else ["-m", "cogir.psyneulink"]
    began, stopped = time.monotonic(), False
    with (folder / f"{script.stem}.{way}.out").open("wb") as out, (folder / f"{script.stem}.{way}.err").open("wb") as err:
        process = subprocess.Popen(
            [sys.executable, *runner, str(script)],
            cwd=script.parent,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        while True:
            ended, status, used = os.wait4(process.pid, os.WNOHANG)
            if ended:
                break
            if not stopped and time.monotonic() - began > limit:
                os.killpg(process.pid, signal.SIGKILL)
                stopped = True
            time.sleep(0.02)
    process.returncode = os.waitstatus_to_exitcode(status)
    return {"status": process.returncode, "stopped": stopped, "seconds": used.ru_utime + used.ru_stime}


def measured(script: Path, ways: list[str], folder: Path, again: bool, limit: float) -> None:
    """Measures a script in each way, and notes what was found."""
    note = folder / f"{script.stem}.json"
    found: dict[str, Any] = json.loads(note.read_text()) if note.exists() else {}
    if found.setdefault("script", str(script)) != str(script):
        raise SystemExit(f"{script} has the name of {found['script']}, which was measured in {folder}; give another folder")
    for way in ways:
        if (way in found and not again) or (way != "plain" and found.get("plain", {}).get("status")):
            continue
        before = found.get(way, {}).get("seconds", float("inf"))
        found[way] = run(script, way, folder, limit)
        found[way]["seconds"] = min(before, found[way]["seconds"])
        note.write_text(json.dumps(found))
        print(f"{script.stem} {way}: {found[way]}", flush=True)


def held(folder: Path, name: str, way: str) -> tuple[list[tuple[str, str, str, str, float]], dict[Any, Any]]:
    """The calls of a script, and the results that it has left; nothing if it has ended otherwise than by itself."""
    noted = folder / f"{name}.{way}.pickle"
    if noted.exists():
        return pickle.loads(noted.read_bytes())
    if json.loads((folder / f"{name}.json").read_text())[way]["status"] == 0:
        raise SystemExit(f"{noted} is missing, so that results cannot be compared; measure the script anew with --again")
    return [], {}


def near(one: Any, other: Any) -> bool:
    """True if two results, or texts, are the same."""
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(near, one, other))
    if isinstance(one, int | float) and isinstance(other, int | float):
        return one == other or (one != one and other != other) or abs(one - other) <= TOLERANCE * max(abs(one), abs(other), 1e-3)
    return one == other


def printed(folder: Path, name: str, way: str) -> tuple[list[str], list[float]]:
    """What a script has printed, its text and its numbers."""
    text = OF_PROCESS.sub("<...>", (folder / f"{name}.{way}.out").read_text(errors="replace"))
    return NUMBER.split(text), [float(one) for one in NUMBER.findall(text)]


def by_place(results: dict[tuple[str, str], Any]) -> dict[tuple[str, str, int], Any]:
    """Results by Composition, context, and place among contexts of one name: those of simulations differ from process to process."""
    seen: Counter[tuple[str, str]] = Counter()
    found: dict[tuple[str, str, int], Any] = {}
    for (name, context), value in results.items():
        key = name, OF_PROCESS.sub("<...>", context)
        found[*key, seen[key]] = value
        seen[key] += 1
    return found


def differs(folder: Path, name: str, way: str) -> str:
    """What is not the same as in PsyNeuLink; "" if nothing."""
    expected, found = (by_place(held(folder, name, one)[1]) for one in ("plain", way))
    status = json.loads((folder / f"{name}.json").read_text())[way]["status"]
    if status:
        return f"exit status {status}"
    wrong = [f"results of {key[0]}" for key in expected if not near(expected[key], found.get(key))]
    if not near(printed(folder, name, "plain"), printed(folder, name, way)):
        wrong.append("output")
    return ", ".join(wrong[:3])


def shares(folder: Path, name: str) -> tuple[float, float]:
    """Processor seconds of plain outermost calls, and those of calls that were native or short in the warm run."""
    plain, warm = held(folder, name, "plain")[0], held(folder, name, "warm")[0]
    ways: dict[str, Counter[str]] = {}
    for composition, _, way, _, _ in warm:
        ways.setdefault(composition, Counter())[way] += 1
    total = sum(one[4] for one in plain)
    if len(plain) == len(warm):
        return total, sum(one[4] for one, other in zip(plain, warm, strict=True) if other[2] in ("native", "short"))
    good = 0.0
    for composition, _, _, _, seconds in plain:
        counts = ways.get(composition, Counter())
        good += seconds * (counts["native"] + counts["short"]) / max(counts.total(), 1)
    return total, good


def reason_of(folder: Path, name: str) -> str:
    """The first reason for which a call was left to PsyNeuLink."""
    calls = held(folder, name, "warm")[0]
    return next((message.partition("; ")[0] for *_, way, message, _ in calls if way in ("fell back", "partly native")), "")


def line_of_sums(what: str, count: int, sums: Counter[str]) -> str:
    """The sums of some scripts, in words."""
    plain, calls = sums["plain"] or 1.0, sums["calls"] or 1.0
    ways = ", ".join(f"{way} {sums[way]:.0f} s ({sums[way] / plain:.2f})" for way in ("cold", "warm"))
    good = f"{sums['good'] / calls:.0%} in calls that were native or short"
    return f"{what}, {count} scripts: plain {sums['plain']:.0f} s, {ways}; of {sums['calls']:.0f} s in plain outermost calls {good}."


def table(folder: Path, origins: dict[str, Any]) -> str:
    """The table of all that was measured in a folder."""
    lines = ["| script | plain | cold | warm | share | first reason to fall back |", "|---|---|---|---|---|---|"]
    sums: dict[str, Counter[str]] = {"All": Counter()}
    counted = Counter[str]()
    beyond: list[str] = []
    unequal: list[str] = []
    for note in sorted(folder.glob("*.json"), key=lambda note: (origins.get(note.stem, {}).get("from", ""), note.stem)):
        found, name = json.loads(note.read_text()), note.stem
        if not all(way in found for way in WAYS) or found["plain"]["status"]:
            continue
        seconds = {way: found[way]["seconds"] for way in WAYS}
        limit = max(0.4, 0.05 * seconds["plain"])
        late = [way for way in ("cold", "warm") if seconds[way] - seconds["plain"] > limit]
        wrong = {way: what for way in ("cold", "warm") if (what := differs(folder, name, way))}
        total, good = shares(folder, name)
        origin = origins.get(name, {})
        for kind in filter(None, ("All", origin.get("sum"))):
            counted[kind] += 1
            sums.setdefault(kind, Counter()).update({**seconds, "calls": total, "good": good})
        title = origin.get("from", name) + "".join(f" ({', '.join(changes)})" for changes in [origin.get("changes")] if changes)
        more = ", ".join(f"{way} +{seconds[way] - seconds['plain']:.1f} s" for way in late)
        beyond += [f"{name} ({more})"] * bool(late)
        unequal += [f"{name} ({way}: {what})" for way, what in wrong.items()]
        cells = [f"{seconds[way]:.1f}{' (!)' if way in late else ''}" for way in WAYS]
        shown = f"{good / total:.0%}" if total else ""
        lines.append(f"| {title} | {' | '.join(cells)} | {shown} | {reason_of(folder, name).replace('|', '/')} |")
    lines += [
        "",
        *(line_of_sums(kind, counted[kind], found) for kind, found in sums.items()),
        f"Beyond the limit: {'; '.join(beyond) or 'none'}.",
        f"Not equal: {'; '.join(unequal) or 'none'}.",
    ]
    return "\n".join(lines)


def write(page: Path, text: str) -> None:
    """Writes the table into a page, between its marks."""
    before, mark, rest = page.read_text().partition(BEGINNING)
    _, end, after = rest.partition(END)
    if not end:
        raise SystemExit(f"{page} does not hold {BEGINNING!r} and {END!r}; put them where the table belongs")
    page.write_text(f"{before}{mark}\n{text}\n{end}{after}")


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scripts", nargs="*", type=Path)
    parser.add_argument("--folder", type=Path, required=True, help="where caches and what was measured are kept")
    parser.add_argument("--ways", default=",".join(WAYS), help="the ways in which scripts are run (default: plain,cold,warm)")
    parser.add_argument("--again", action="store_true", help="measure again what was measured before")
    parser.add_argument("--limit", type=float, default=900.0, help="seconds by the clock after which a process is stopped (default: 900)")
    parser.add_argument("--origins", type=Path, help="a JSON file that says where the scripts are from")
    parser.add_argument("--table", type=Path, help="a page with marks, between which the table is written")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    compile_dir(ROOT / "cogir", quiet=2)  # as installing does
    ways = given.ways.split(",")
    if not set(ways) <= set(WAYS):
        parser.error(f"--ways: give some of {', '.join(WAYS)}")
    for script in given.scripts:
        if not script.is_file():
            parser.error(f"{script}: there is no such file")
        measured(script.resolve(), ways, given.folder.resolve(), given.again, given.limit)
    text = table(given.folder, {} if given.origins is None else json.loads(given.origins.read_text()))
    print(text)
    if given.table is not None:
        write(given.table, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
