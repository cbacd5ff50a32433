"""From CUDA to PTX: what compilers are told, what they say is wrong, and when they are asked again."""

from __future__ import annotations

import os
import stat
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from xgen.errors import Source, UsageError, XgenError
from xgen.frontends.c.text.files import FileOptions, files_of
from xgen.frontends.process import CompilerError
from xgen.frontends.ptx import sources
from xgen.frontends.ptx.compiling import compile as compiling
from xgen.frontends.ptx.compiling.compilers import find_compiler
from xgen.frontends.ptx.launch import Request, read_request

NVCC = """
import os, sys
words = sys.argv[1:]
out, seen, name = words[words.index("-o") + 1], words[words.index("-MF") + 1], words[-1]
text = open(name).read()
open(os.environ["ASKED"], "a").write("asked\\n")
for number, line in enumerate(text.split("\\n"), 1):
    if "nothing" in line:
        shown = line.replace("__global__", "__attribute__((global))")
        print(f'{name}({number}): error: identifier "nothing" is undefined', file=sys.stderr)
        print(f"  {shown}\\n  {' ' * shown.index('nothing')}^\\n\\n1 error detected.", file=sys.stderr)
        sys.exit(1)
included = [os.path.join(os.path.dirname(name), "q.cuh")] if "q.cuh" in text else []
open(seen, "w").write(" : ".join([out, " \\\\\\n  ".join([name, *included])]))
open(out, "w").write("// " + " ".join(words[:-1]) + "\\n")
"""
TEXT = "// xgen: launch k<<<1,1>>>(x[1])\n__global__ void k(int *x) { *x = 1; }\n"
Compile = Callable[..., tuple[str, Request]]


@pytest.fixture
def by_nvcc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Compile:
    """What a program makes of a text that is called as nvcc is, and found on PATH."""
    if os.name == "nt":
        pytest.skip("a script is no command there")
    nvcc = tmp_path / "bin" / "nvcc"
    nvcc.parent.mkdir()
    nvcc.write_text(f"#!{sys.executable}\n{textwrap.dedent(NVCC)}", encoding="utf-8")
    nvcc.chmod(nvcc.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", f"{nvcc.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("ASKED", str(tmp_path / "asked"))
    monkeypatch.chdir(tmp_path)

    def compiled(text: str, optimised: bool = False, **options: tuple[str, ...]) -> tuple[str, Request]:
        Path("k.cu").write_text(text, encoding="utf-8")
        source = Source("k.cu", text)
        (file,) = files_of(source, FileOptions(**options))  # type: ignore[arg-type]
        return sources._compiled(file, read_request(source), optimised, None)

    return compiled


def asked() -> int:
    """How often the compiler was."""
    return Path("asked").read_text().count("asked")


def test_what_nvcc_is_told(by_nvcc: Compile) -> None:
    options: dict[str, tuple[str, ...]] = {"defines": ("A=1",), "undefines": ("B",), "folders": ("inc",)}
    text, request = by_nvcc(TEXT, **options, flags=("-std=gnu++20", "--expt-relaxed-constexpr"))
    words = text.split()
    assert words[1:6] == ["-ptx", "-arch=sm_90", "-std=c++20", "-D__xgen__=1", "-w"]
    for word in ("-lineinfo", "-DA=1", "-UB", "-Iinc", "--expt-relaxed-constexpr"):
        assert word in words
    assert words[words.index("-Xcicc") + 1] == "-O0"
    assert request.launch.kernel == "k"
    assert set(request.sources) == {"k.cu", os.path.abspath("k.cu")}
    text, _ = by_nvcc(TEXT, optimised=True)
    assert "-Xcicc" not in text
    assert "-lineinfo" in text


def test_what_is_wrong_stands_where_it_is_in_the_text(by_nvcc: Compile) -> None:
    with pytest.raises(CompilerError) as caught:
        by_nvcc(TEXT.replace("*x = 1", "*x = nothing"))
    error = caught.value
    assert (error.file, error.line, error.column) == ("k.cu", 2, 34)
    assert error.message == 'identifier "nothing" is undefined'
    assert str(error).startswith('k.cu:2:34: error: identifier "nothing" is undefined\n')


def test_it_is_kept_until_something_is_other(by_nvcc: Compile) -> None:
    Path("q.cuh").write_text("// one\n", encoding="utf-8")
    text = f'#include "q.cuh"\n{TEXT}'
    _, request = by_nvcc(text)
    assert os.path.abspath("q.cuh") in request.sources
    by_nvcc(text)
    assert asked() == 1
    Path("q.cuh").write_text("// other\n", encoding="utf-8")
    by_nvcc(text)
    assert asked() == 2
    by_nvcc(text, optimised=True)
    by_nvcc(text, defines=("A",))
    by_nvcc(text + "\n")
    assert asked() == 5
    by_nvcc(text, defines=("A",))
    assert asked() == 5


def test_what_a_macro_includes_is_compiled_each_time(by_nvcc: Compile) -> None:
    for _ in range(2):
        by_nvcc(f"#define QUEUE <queue.h>\n#include QUEUE\n{TEXT}")
        by_nvcc(f'#if __has_include("queue.h")\n#endif\n{TEXT}')
    assert asked() == 4


def test_files_that_are_included_whatever_conditions_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("inc").mkdir()
    Path("a.cuh").write_text('#if 0\n#include "b.cuh"\n#endif\n', encoding="utf-8")
    Path("b.cuh").write_text('#include "a.cuh"\n', encoding="utf-8")
    Path("inc/c.cuh").write_text("", encoding="utf-8")
    Path("d.cuh").write_text("", encoding="utf-8")
    source = Source("k.cu", '#include "a.cuh"\n#  include <c.cuh>\n#include <vector>\n')
    (file,) = files_of(source, FileOptions(folders=("inc",), includes=("d.cuh",)))
    found = {os.path.relpath(name) for name in compiling.files_included(file)}
    assert found == {"a.cuh", "b.cuh", os.path.join("inc", "c.cuh"), "d.cuh"}


def test_no_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("xgen.frontends.ptx.compiling.compilers.find_spec", lambda _: None)
    monkeypatch.setattr("sys.platform", "linux")
    with pytest.raises(UsageError, match="CUDA is read with NVRTC or nvcc, which is not installed") as caught:
        find_compiler()
    assert "pip install nvidia-cuda-nvrtc" in str(caught.value.hint).replace("'", "")
    monkeypatch.setattr("sys.platform", "darwin")
    with pytest.raises(UsageError) as caught:
        find_compiler()
    assert "pip install" not in str(caught.value.hint)
    with pytest.raises(UsageError, match="there is no compiler `nvcc-13`"):
        find_compiler("nvcc-13")


# ---- with the extra


@pytest.fixture
def by_nvrtc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Compile:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("shutil.which", lambda _: None)
    try:
        find_compiler()
    except XgenError:
        pytest.skip("the extra `cuda` is not installed")

    def compiled(text: str, optimised: bool = False, **options: tuple[str, ...]) -> tuple[str, Request]:
        Path("k.cu").write_text(text, encoding="utf-8")
        source = Source("k.cu", text)
        (file,) = files_of(source, FileOptions(**options))  # type: ignore[arg-type]
        return sources._compiled(file, read_request(source), optimised, None)

    return compiled


HOSTED = """
#include <cassert>
#include <cstdint>
#include <cstdio>
#include <cuda/atomic>
#include <cooperative_groups.h>
// xgen: launch sum<int, 3><<<1,1>>>(x[1])
template <typename T, int N> __global__ void sum(T *x) {
  std::uint32_t y = N;
  cuda::atomic_ref<T, cuda::thread_scope_device>(*x).store(y, cuda::memory_order_release);
  assert(*x == N);
  printf("%d", *x);
}
"""


def test_headers_and_instances_of_templates(by_nvrtc: Compile) -> None:
    text, request = by_nvrtc(HOSTED)
    assert request.launch.kernel == "_Z3sumIiLi3EEvPT_"
    assert ".entry _Z3sumIiLi3EEvPT_(" in text
    assert ".target sm_90, debug" in text
    again, _ = by_nvrtc(HOSTED)
    assert again == text
    optimised, request = by_nvrtc(HOSTED, optimised=True)
    assert request.launch.kernel == "_Z3sumIiLi3EEvPT_"
    assert len(optimised) < len(text) / 4
    assert "st.release.gpu" in optimised


def test_what_nvrtc_says_is_wrong(by_nvrtc: Compile) -> None:
    with pytest.raises(CompilerError) as caught:
        by_nvrtc(TEXT.replace("*x = 1", "*x = nothing; y = 1"))
    error = caught.value
    assert (error.file, error.line, error.column) == ("k.cu", 2, 34)
    assert [(other.line, other.column) for other in error.others] == [(2, 43)]
    with pytest.raises(CompilerError) as caught:
        by_nvrtc(f"#include <vector>\n{TEXT}")
    assert (caught.value.line, "#ifndef __CUDACC_RTC__" in str(caught.value)) == (1, True)
    with pytest.raises(UsageError, match="unrecognized option"):
        by_nvrtc(TEXT, flags=("--not-an-option",))
