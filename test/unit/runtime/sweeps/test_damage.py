"""Stores that were killed, damaged, or made twice: what is marked as done is there, bit for bit, or an error names what is not."""

from __future__ import annotations

import multiprocessing
import os
import random
import re
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.long import long

import cogir
from cogir import library
from cogir.runtime.sweeps import store as store_module
from cogir.runtime.sweeps.store import Store, owner_of

pytest.importorskip("zarr")
FORK = multiprocessing.get_context("fork")
INPUTS = {"d": [[1.0]]}


def decision() -> Any:
    m = cogir.Model("decision", seed=1)
    given = {"noise": 1.0, "threshold": 1.0, "time_step_size": 0.01, "execute_until_finished": True, "reset_each_trial": True}
    m.node("d", library.drift_diffusion_integrator, input=1, max_executions_before_finished=500, **given)
    return m.compile(unfinished="ignore")


def asked(path: Path | None, points: int = 6, replicates: int = 20) -> dict[str, Any]:
    rates = np.linspace(0.0, 2.0, points)
    return {"points": {"d/rate": rates}, "inputs": INPUTS, "replicates": replicates, "seed": 3, "reduce": ["mean", "sd"], "store": path}


def arrays(found: Any) -> dict[str, bytes]:
    held = found.dataset()
    return {name: one.values.tobytes() for name, one in {**held.variables, **held.beside}.items()}


def chunks(path: Path) -> list[Path]:
    return sorted(file for file in path.rglob("c.*") if file.parent.name != "done")


def lose(file: Path) -> None:
    file.unlink()


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-3])


def empty(file: Path) -> None:
    file.write_bytes(b"")


def flip(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0x10
    file.write_bytes(bytes(data))


def swap(file: Path) -> None:
    """A whole chunk, of another block."""
    other = next(held for held in sorted(file.parent.glob("c.*")) if held.read_bytes() != file.read_bytes())
    file.write_bytes(other.read_bytes())


def check_damage(damage: Any, tmp_path: Path) -> int:
    """Damages each chunk of a store in turn; the number of damages."""
    compiled, path = decision(), tmp_path / "s.zarr"
    expected = arrays(compiled.sweep(**asked(None)))
    assert arrays(compiled.sweep(**asked(path))) == expected
    count = 0
    for chunk in chunks(path):
        before = chunk.read_bytes()
        if damage is swap and len({held.read_bytes() for held in chunk.parent.glob("c.*")}) < 2:
            continue
        damage(chunk)
        name = chunk.relative_to(path)
        point = int(chunk.name.split(".")[1])
        with pytest.raises(cogir.CogirError, match=rf"store .*: point {point}: the file '.*{chunk.name}' (is|cannot)") as error:
            compiled.sweep(**asked(path))
        assert f"'{name}'" in str(error.value)
        assert f"or remove '{path / 'done' / f'c.{point}.0'}' and call sweep again, which then computes point {point}" in str(error.value)
        chunk.write_bytes(before)
        count += 1
    (path / "done" / "c.2.0").unlink()
    chunks(path)[2].unlink()
    assert arrays(compiled.sweep(**asked(path))) == expected
    assert arrays(compiled.sweep(**asked(path))) == expected
    return count


@pytest.mark.parametrize("damage", [lose, flip, *long(cut, empty, swap)])
def test_a_damaged_chunk_is_an_error_that_names_it(damage: Any, tmp_path: Path) -> None:
    count = check_damage(damage, tmp_path)
    assert count >= 24 if damage is swap else count == 42


@pytest.mark.parametrize("damage", [cut, empty, flip])
def test_damaged_marks_are_errors_too(damage: Any, tmp_path: Path) -> None:
    compiled, path = decision(), tmp_path / "s.zarr"
    compiled.sweep(**asked(path))
    damage(path / "done" / "c.3.0")
    with pytest.raises(cogir.CogirError, match=r"point 3: the file '.*c\.3.*' (cannot be read|is not what was written)"):
        compiled.sweep(**asked(path))
    (path / "done" / "c.3.0").unlink()
    assert arrays(compiled.sweep(**asked(path))) == arrays(compiled.sweep(**asked(None)))


def other_number(file: Path) -> None:
    """One digit is another one."""
    text = file.read_text()
    place = max(place for place, letter in enumerate(text) if letter in "2345678")
    file.write_text(text[:place] + "1" + text[place + 1 :])


def other_shape(file: Path) -> None:
    file.write_text(re.sub(r'("shape":\s*\[\s*)\d', r"\g<1>7", file.read_text()))


def other_name(file: Path) -> None:
    file.write_text(file.read_text().replace("present", "presant").replace("result", "resolt").replace("shape", "shap"))


def list_of_nothing(file: Path) -> None:
    file.write_text("[]")


@pytest.mark.parametrize("damage", [lose, cut, empty, flip, other_number, other_shape, other_name, list_of_nothing])
def test_damaged_descriptions_are_errors_that_name_them(damage: Any, tmp_path: Path) -> None:
    compiled, path = decision(), tmp_path / "s.zarr"
    expected = arrays(compiled.sweep(**asked(path)))
    files = sorted(path.glob("*/zarr.json"))
    assert len(files) == len({file.parent for file in path.rglob("c.*")}) == 8
    for file in files:
        before = file.read_bytes()
        damage(file)
        assert not file.exists() or file.read_bytes() != before
        with pytest.raises(cogir.CogirError, match=r"store .*: the file .* (is missing|cannot be read|is not what was written)") as error:
            compiled.sweep(**asked(path))
        assert f"the file '{file.relative_to(path)}' " in str(error.value)
        assert f"put it back, or remove the folder '{path}' and call sweep again, which then computes all points" in str(error.value)
        file.write_bytes(before)
    assert arrays(compiled.sweep(**asked(path))) == expected


def test_a_store_without_any_description_of_marks_is_not_taken_for_a_new_one(tmp_path: Path) -> None:
    compiled, path = decision(), tmp_path / "s.zarr"
    compiled.sweep(**asked(path))
    for file in path.glob("done/*"):
        file.unlink()
    with pytest.raises(cogir.CogirError, match=r"the file 'done/zarr\.json' is missing"):
        compiled.sweep(**asked(path))


@pytest.mark.parametrize("damage", [lose, cut, empty, list_of_nothing])
def test_a_damaged_description_of_the_store_is_an_error(damage: Any, tmp_path: Path) -> None:
    compiled, path = decision(), tmp_path / "s.zarr"
    compiled.sweep(**asked(path))
    damage(path / "zarr.json")
    with pytest.raises(cogir.InputError, match=r"s\.zarr' is not a store of a sweep"):
        compiled.sweep(**asked(path))


@pytest.mark.parametrize("most", [0, 10**6])
def test_chunks_are_on_the_disk_before_they_are_marked(most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "s.zarr"
    synced: list[Path] = []
    marks = 0
    put = store_module.put_on_disk

    def noted(paths: Any) -> None:
        nonlocal marks
        files = list(paths)
        now = {file for file in path.rglob("done/c.*") if ".partial" not in file.name}
        if files and files[0].parent.name == "done" and files[0].name != "zarr.json":
            marks += 1
            block = int(files[0].name.split(".")[1])
            assert {file for file in chunks(path) if int(file.name.split(".")[1]) == block} <= set(synced)
        else:
            for file in files:
                if file.name.startswith("c."):
                    assert path / "done" / f"c.{file.name.split('.')[1]}.0" not in now
        put(files)
        synced.extend(files)

    monkeypatch.setattr(store_module, "MOST_FILES", most)
    monkeypatch.setattr(store_module, "put_on_disk", noted)
    compiled = decision()
    assert arrays(compiled.sweep(**asked(path))) == arrays(compiled.sweep(**asked(None)))
    assert marks >= 1
    assert set(chunks(path)) <= set(synced)


def test_a_store_that_another_process_makes_meanwhile_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "s.zarr"
    compiled = decision()
    rename = Path.rename

    def late(made: Path, target: Path) -> Any:
        if not target.exists() and target == path:
            monkeypatch.setattr(Path, "rename", rename)
            compiled.sweep(**asked(path))
        return rename(made, target)

    monkeypatch.setattr(Path, "rename", late)
    other = decision()
    assert arrays(other.sweep(**asked(path))) == arrays(other.sweep(**asked(None)))
    assert [file.name for file in tmp_path.iterdir()] == ["s.zarr"]


def begin_at_once(path: Path, number: int) -> None:
    begun = path.with_suffix(f".{number}")
    compiled = decision()
    begun.touch()
    while len(list(path.parent.glob("s.[01]"))) < 2:
        time.sleep(0.001)
    compiled.sweep(**asked(path))


def test_two_processes_make_one_store(tmp_path: Path) -> None:
    path = tmp_path / "s.zarr"
    both = [FORK.Process(target=begin_at_once, args=(path, number)) for number in range(2)]
    for process in both:
        process.start()
    for process in both:
        process.join()
    assert [process.exitcode for process in both] == [0, 0]
    compiled = decision()
    assert arrays(compiled.sweep(**asked(path))) == arrays(compiled.sweep(**asked(None)))


def test_what_killed_processes_leave_is_removed(tmp_path: Path) -> None:
    dead = FORK.Process(target=int)
    dead.start()
    dead.join()
    assert dead.pid is not None
    left = tmp_path / f".s.zarr.{owner_of(dead.pid)}.abcd"
    kept = [tmp_path / f".s.zarr.{owner_of(os.getpid())}.abcd", tmp_path / ".s.zarr.elsewhere-17.abcd", tmp_path / ".s.zarr.mine"]
    for folder in (left, *kept):
        (folder / "inside").mkdir(parents=True)
    path = tmp_path / "s.zarr"
    compiled = decision()
    compiled.sweep(**asked(path))
    assert not left.exists()
    assert all(folder.exists() for folder in kept)
    elsewhere = kept[1]
    os.utime(elsewhere, (0, 0))
    compiled.sweep(**asked(path))
    assert not elsewhere.exists(), "it never became a store for so long that its process is gone"
    old, new = path / "present" / "c.0.x.partial", path / "present" / "c.1.x.partial"
    for file in (old, new):
        file.touch()
    os.utime(old, (0, 0))
    compiled.sweep(**asked(path))
    assert (old.exists(), new.exists()) == (False, True)


def test_another_container_of_the_same_name_is_somebody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dead = FORK.Process(target=int)
    dead.start()
    dead.join()
    assert dead.pid is not None
    with monkeypatch.context() as patch:
        patch.setattr(store_module, "boot_and_namespace", lambda: "another one")
        other = tmp_path / f".s.zarr.{owner_of(dead.pid)}.abcd"
    other.mkdir()
    decision().sweep(**asked(tmp_path / "s.zarr"))
    assert other.exists(), "it is somebody else's"


def sweep_in_child(path: Path) -> None:
    decision().sweep(**asked(path, 60, 3000))


def test_a_store_whose_processes_are_killed_holds_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "s.zarr"
    expected = arrays(decision().sweep(**asked(None, 60, 3000)))
    rng = random.Random(4)
    for _ in range(5):
        child = FORK.Process(target=sweep_in_child, args=(path,))
        child.start()
        time.sleep(rng.uniform(0.05, 0.5))
        assert child.pid is not None
        os.kill(child.pid, signal.SIGKILL)
        child.join()
    loaded: list[Any] = []
    load = Store.load

    def noted(store: Store, collected: Any) -> Any:
        loaded.append(load(store, collected))
        return loaded[-1]

    monkeypatch.setattr(Store, "load", noted)
    assert arrays(decision().sweep(**asked(path, 60, 3000))) == expected
    assert arrays(decision().sweep(**asked(path, 60, 3000))) == expected
    assert loaded[-1] == []
    assert [file.name for file in tmp_path.iterdir()] == ["s.zarr"]
