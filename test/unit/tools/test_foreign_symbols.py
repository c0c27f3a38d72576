"""No text reaches code of the process that is not the runtime's, at whatever stage it is given to whichever tool."""

import ctypes
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import cogir
from cogir.backend.emit_llvm_ir import emit_llvm_ir
from cogir.backend.jit import compile_module, compile_to_object
from cogir.dialects.text import parse_text
from cogir.errors import BackendError, ExecutionError, ModelError
from cogir.interpreters.func import c_function
from cogir.library.numerics import libm
from cogir.library.numerics.math import FUNCTIONS
from cogir.tools import cog_opt, cog_run, cog_translate

LIBC = """
    system popen execl execle execlp execv execvp execve fork vfork posix_spawn exit _exit _Exit abort atexit quick_exit raise kill killpg
    malloc calloc realloc free memcpy memmove memset memcmp strcpy strcat strlen strdup printf puts putchar fputs fwrite fread fopen fclose
    fdopen freopen remove rename unlink unlinkat rmdir mkdir chdir chmod chown link symlink open openat creat read write pread pwrite lseek
    close dup dup2 pipe fcntl ioctl mmap munmap mprotect mremap brk sbrk dlopen dlsym dlclose getenv setenv putenv unsetenv clearenv signal
    sigaction setjmp longjmp socket connect bind listen accept send recv sendto recvfrom getaddrinfo gethostname setuid setgid seteuid
    setsid getpid ptrace prctl syscall sleep usleep pause alarm pthread_create sched_yield select poll time clock rand srand qsort bsearch
    environ truncate ftruncate tmpfile mkstemp shm_open sem_open wait waitpid
""".split()
"""Names of the C library that models have no business with."""

COG = """
cog.model @m {{
  cog.node @a (%v: f64) -> (value: f64 = 0.0) {{
    %i = arith.fptosi %v : f64 to i64
    %0 = func.call @{name}(%i) : (i64) -> i64
    %1 = arith.sitofp %0 : i64 to f64
    cog.yield %1
  }}
  cog.input @a
  cog.output @a
}}
func.func private @{name}(i64) -> i64 {attributes}
"""

FUNC = """
func.func private @{name}(i64) -> i64 {attributes}
func.func @f(%x: i64) -> i64 {{
  %0 = func.call @{name}(%x) : (i64) -> i64
  func.return %0 : i64
}}
"""

LLVM = """
llvm.func @{name}(i64) -> i64
llvm.func @f(%x: i64) -> i64 {{
  %0 = llvm.call @{name}(%x) : (i64) -> i64
  llvm.return %0 : i64
}}
"""

RUN = (
    [],
    *(["--mode", mode] for mode in ("run", "exec", "per_node", "python")),
    *(["--stage", stage] for stage in ("machine", "loops", "cf")),
)
LOWERED = ("scheduled", "machine", "loops", "cf")


def refused(tool, arguments: list[str], name: str, capsys: pytest.CaptureFixture[str]) -> bool:
    """True if a tool gives one message that names the symbol, and exit code 1."""
    code = tool.main(arguments)
    out, err = capsys.readouterr()
    return code == 1 and not out and err.count("error:") == 1 and f"@{name} " in err


def test_there_are_a_hundred_names() -> None:
    assert len(set(LIBC)) == len(LIBC) >= 100


@pytest.mark.parametrize("attributes", ["", "attributes {cog.libm}"])
def test_cog_run_calls_no_function_of_the_c_library(attributes: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.mlir"
    for name in LIBC:
        path.write_text(COG.format(name=name, attributes=attributes))
        for options in RUN if name == "system" else RUN[:1]:
            assert refused(cog_run, [str(path), *options], name, capsys), (name, options)


@pytest.mark.parametrize(
    ("attributes", "names"),
    [("", LIBC[::3]), *(pytest.param(way, LIBC, marks=pytest.mark.full) for way in ("", "attributes {cog.libm}"))],
    ids=["one in three", "all", "all, with libm"],
)
def test_no_stage_of_the_tools_takes_a_function_of_the_c_library(
    attributes: str, names: Sequence[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.mlir"
    for name in names:
        path.write_text(COG.format(name=name, attributes=attributes))
        assert refused(cog_opt, [str(path), "--emit=llvm-ir"], name, capsys), name
        assert refused(cog_translate, [str(path), "--emit=obj", "-o", str(tmp_path / "o")], name, capsys), name
        path.write_text(FUNC.format(name=name, attributes=attributes))
        for stage in LOWERED:
            assert refused(cog_opt, [str(path), f"--from={stage}", "--emit=llvm-ir"], name, capsys), (name, stage)
            assert refused(cog_translate, [str(path), f"--from={stage}", "--emit=asm"], name, capsys), (name, stage)
        path.write_text(LLVM.format(name=name))
        assert refused(cog_opt, [str(path), "--from=llvm", "--emit=llvm-ir"], name, capsys), name
        assert refused(cog_translate, [str(path), "--from=llvm", "--emit=obj", "-o", str(tmp_path / "o")], name, capsys), name


def test_the_emitter_refuses_them_without_the_verifier(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.mlir"
    for name in LIBC:
        text = LLVM.format(name=name)
        with pytest.raises(BackendError, match=f"@{name} has no body"):
            emit_llvm_ir(parse_text(text))
        path.write_text(text)
    assert refused(cog_opt, [str(path), "--disable-verify", "--from=llvm", "--emit=llvm-ir"], name, capsys)


def test_the_backend_refuses_them_without_the_emitter() -> None:
    for name in LIBC:
        if name in ("malloc", "free", "puts", "abort"):  # what lowering itself declares, with other types: the emitter has looked at those
            continue
        with pytest.raises(BackendError, match=f"refers to @{name}, which has no body"):
            compile_to_object(f"declare i64 @{name}(i64)\ndefine i64 @f(i64 %x) {{\n %r = call i64 @{name}(i64 %x)\n ret i64 %r\n}}\n")


@pytest.mark.parametrize(
    "declaration",
    [
        "@environ = external global ptr",
        "declare extern_weak i64 @environ(i64)",
        "@environ = available_externally global ptr null",
        "define available_externally i64 @environ(i64 %x) {\n ret i64 %x\n}",
    ],
)
def test_the_backend_refuses_other_ways_to_name_them(declaration: str) -> None:
    with pytest.raises(BackendError, match="refers to @environ"):
        compile_to_object(f"{declaration}\ndefine ptr @f() {{\n ret ptr @environ\n}}\n")


def test_the_interpreter_calls_no_function_of_the_c_library() -> None:
    for name in LIBC:
        with pytest.raises(ExecutionError, match=f"@{name} has no body"):
            c_function(name, (), None)  # type: ignore[arg-type]


def test_the_list_holds_the_elementary_functions() -> None:
    """What `math="libm"` calls, and nothing else."""
    assert set(libm.ARITIES) == set(FUNCTIONS)


@pytest.mark.parametrize(
    "declaration",
    [
        "func.func private @log(i64) -> f64 attributes {cog.libm}",
        "func.func private @log(f64) -> f64",
        "func.func private @log(f64, f64) -> f64 attributes {cog.libm}",
        "func.func private @cogir_rng_mt19937_normal(i64) -> f64",
        "func.func private @cogir_stop_requested(i64) -> i1",
        'func.func private @"system\\00"(i64) -> i64',
        'func.func private @"\\22; declare"(i64) -> i64',
        "llvm.func @system(!llvm.ptr) -> i32",
        "llvm.mlir.global external @environ() : !llvm.ptr",
        '"memref.global"() <{sym_name = "environ", sym_visibility = "public", type = memref<4xi64>, initial_value}> : () -> ()',
        "func.func @f(%x: i64) -> i64 {\n %0 = func.call @f(%x) : (i64) -> i64\n func.return %0 : i64\n}",
    ],
)
def test_a_model_that_declares_more_than_mathematics_is_refused(declaration: str) -> None:
    model = "cog.model @m {\n cog.node @a (%v: f64) -> (value: f64 = 0.0) {\n cog.yield %v\n }\n cog.input @a\n cog.output @a\n}\n"
    assert cogir.compile(model).run({"a": [[2.0]]})["a"].item() == 2.0
    with pytest.raises(ModelError, match=r"<model>:8:\d+: |<model>:9:\d+: "):
        cogir.compile(model + declaration)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("%p = llvm.inttoptr %i : i64 to !llvm.ptr\n func.return %i : i64", "llvm.inttoptr is not supported in models"),
        ("%p = builtin.unrealized_conversion_cast %i : i64 to memref<4xf64>\n func.return %i : i64", "builtin.unrealized_conversion_cast"),
        ("%p = memref.alloc() : memref<4xi64>\n func.return %i : i64", "memref.alloc is not supported in models"),
        ('%c = arith.constant false\n cf.assert %c, "no"\n func.return %i : i64', "cf.assert ends the process"),
        (
            '"llvm.inline_asm"() <{asm_string = "ud2", constraints = ""}> : () -> ()\n func.return %i : i64',
            "llvm.inline_asm is not supported in models",
        ),
        ("%0 = func.call @g(%i) {cog.parallel} : (i64) -> i64\n func.return %0 : i64", "has the attribute cog.parallel"),
        ("%0 = func.call @g(%i) {cog.helped} : (i64) -> i64\n func.return %0 : i64", "has the attribute cog.helped"),
        ("%0 = func.call @h(%i) : (i64) -> i64\n func.return %0 : i64", "a function must not call itself: @g calls @h calls @g"),
    ],
)
def test_what_works_on_memory_or_on_the_process_is_no_part_of_a_model(body: str, found: str) -> None:
    text = COG.format(name="g", attributes="").replace(
        "func.func private @g(i64) -> i64",
        f"func.func private @g(%i: i64) -> i64 {{\n {body}\n}}\n"
        "func.func private @h(%i: i64) -> i64 {\n %0 = func.call @g(%i) : (i64) -> i64\n func.return %0 : i64\n}",
    )
    if "@h" not in body:
        text = text[: text.index("func.func private @h")]
    with pytest.raises(ModelError) as error:
        cogir.compile(text)
    assert found in str(error.value)


def test_arguments_say_nothing_about_memory() -> None:
    text = COG.format(name="g", attributes="").replace(
        "func.func private @g(i64) -> i64",
        "func.func private @g(%i: i64 {llvm.dereferenceable = 1000000000 : i64}) -> i64 {\n func.return %i : i64\n}",
    )
    with pytest.raises(ModelError, match=r"has the attribute llvm\.dereferenceable"):
        cogir.compile(text)


def test_text_in_names_and_attributes_stays_text() -> None:
    """Quotes in what becomes LLVM IR do not end the string that they stand in, or are refused."""
    source = r"""
    llvm.func @"a\22 b"(%x: i64) -> i64 attributes {passthrough = [ATTRIBUTES]} {
      llvm.return %x : i64
    }"""
    with pytest.raises(BackendError, match="has other characters than letters, digits"):
        emit_llvm_ir(parse_text(source.replace("ATTRIBUTES", r'"x\22 }\ndefine i64 @evil() {", ["k\22", "v\22"]')))
    module = parse_text(source.replace("ATTRIBUTES", '"x", ["k", "v"]'))
    text = emit_llvm_ir(module)
    assert "\ndefine i64 @evil" not in text
    code = compile_module(module)
    assert len(code.symbols) == 1
    assert code.function(code.symbols[0], ctypes.c_int64, ctypes.c_int64)(5) == 5


def test_a_function_with_a_body_may_have_any_name(tmp_path: Path) -> None:
    """A model's own `@exit` or `@malloc` is the model's: it is called in the place of C's, by the model alone."""
    path = tmp_path / "m.mlir"
    for name in ("exit", "malloc", "memset", "log", "exp", "abs", "cogir_parallel", "run", "init"):
        body = " {\n %c = arith.constant 3 : i64\n %0 = arith.addi %i, %c : i64\n func.return %0 : i64\n}"
        text = COG.format(name=name, attributes="").replace(f"private @{name}(i64) -> i64", f"private @{name}(%i: i64) -> i64{body}")
        path.write_text(text)
        for mode in ("run", "per_node", "python"):
            assert cogir.compile(text, mode=mode).run({"a": [[4.0]]})["a"].item() == 7.0, (name, mode)
    command = [sys.executable, "-m", "cogir.tools.cog_run", str(path), "-i", '{"a": [[1.0]]}']
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[-1] == "4"
