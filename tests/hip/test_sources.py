"""Files in HIP: what programs/hip says of itself, what is compiled, and what is said of what is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.fake import run
from llvm.compiling import compiles

import xgen
from tests.ptx.kernels import kind
from xgen.analyses.claims.run import check_file
from xgen.errors import ProgramError
from xgen.frontends.process import CompilerError
from xgen.resources import shipped

KERNELS = sorted((shipped("programs") / "hip").glob("*.hip"))
HEAD = "#include <hip/hip_runtime.h>\n"


@pytest.fixture(autouse=True)
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


@compiles
@pytest.mark.parametrize("name", [path.stem for path in KERNELS])
def test_a_kernel(name: str) -> None:
    found = check_file(str(shipped("programs") / "hip" / f"{name}.hip"), xgen.load)
    assert found.errors == found.mistakes == ()
    assert len(found.checked) >= 2
    assert [(each.claim.said, each.found) for each in found.checked if not each.kept] == []


def test_twins_say_the_same() -> None:
    """Those of programs/cuda of the same name, but for what only one of the languages has."""
    assert len(KERNELS) >= 4
    for path in KERNELS:
        twin = shipped("programs") / "cuda" / f"{path.stem}.cu"
        for claim in ("safe", "violation race (-D UNSAFE)"):
            said = f"// verdict: {claim}\n"
            assert (said in path.read_text("utf-8")) == (said in twin.read_text("utf-8")), path.stem


def check(
    body: str, launch: str = "k<<<1,1>>>(x[4])", final: str | None = None, head: str = "", **options: object
) -> str:
    text = f"{HEAD}{head}\n__global__ void k(int *x) {{ {body} }}\n"
    return kind(xgen.check(xgen.parse(text, "hip", "k.hip", launch=launch, final=final, **options)))


FUNCTIONS = [
    (
        "x[0] = threadIdx.x + 2 * blockIdx.x + 4 * blockDim.x + 8 * gridDim.x; x[1] = dim3(blockDim).y;",
        "x[0] == 12 && x[1] == 1",
    ),
    ("x[0] = 3; x[1] = atomicAdd(x, 4); x[2] = atomicSub(&x[0], 2);", "x[0] == 5 && x[1] == 3 && x[2] == 7"),
    (
        "x[1] = atomicExch(x, -4); x[2] = atomicMin(x, -6); x[3] = atomicMax(x, 2);",
        "x[0] == 2 && x[2] == -4 && x[3] == -6",
    ),
    ("auto u = (unsigned *)x; atomicMax(u, 5u); x[1] = atomicMax(u, 0xffffffffu);", "x[0] == -1 && x[1] == 5"),
    (
        "x[0] = 12; atomicAnd(x, 10); x[1] = atomicOr(x, 3); x[2] = atomicXor_system(x, 1);",
        "x[0] == 10 && x[1] == 8 && x[2] == 11",
    ),
    ("x[1] = atomicCAS(x, 0, 7); x[2] = atomicCAS_system(x, 0, 8);", "x[0] == 7 && x[1] == 0 && x[2] == 7"),
    ("auto u = (unsigned *)x; atomicInc(u, 1); atomicInc(u, 1); x[1] = atomicDec(u, 9);", "x[0] == 9 && x[1] == 0"),
    ("auto f = (float *)x; *f = 0.5f; x[1] = (int)(4 * atomicAdd(f, 0.5f)); x[0] = (int)*f;", "x[0] == 1 && x[1] == 2"),
    (
        "int e = 0; x[1] = __hip_atomic_compare_exchange_strong(x, &e, 5, 4, 0, 4); x[2] = e;",
        "x[0] == 5 && x[1] == 1 && x[2] == 0",
    ),
    (
        "int e = 1; x[1] = __hip_atomic_compare_exchange_weak(x, &e, 5, 4, 0, 4); x[2] = e;",
        "x[0] == 0 && x[1] == 0 && x[2] == 0",
    ),
    ("__hip_atomic_fetch_max(x, 3, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);", "x[0] == 3"),
    (
        "__atomic_store_n(x, 3, __ATOMIC_RELEASE); x[1] = __atomic_fetch_add(x, 2, __ATOMIC_SEQ_CST);",
        "x[0] == 5 && x[1] == 3",
    ),
    ("x[1] = __scoped_atomic_exchange_n(x, 3, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_WRKGRP);", "x[0] == 3 && x[1] == 0"),
    ("unsigned long long n = 0; *(int **)x = 0; int **p = (int **)x; atomicExch(p, x); x[2] = *p == x;", "x[2] == 1"),
    (
        "switch (x[0]) { case 0: x[1] = 1; break; case 1: x[1] = 2; break; case 2: x[1] = 3; break; case 3: x[1] = 4;}",
        "x[1] == 1",
    ),
    ('x[0] = min(3, 2) + max(5u, 4u); printf("%d", x[0]); __builtin_amdgcn_s_sleep(1);', "x[0] == 7"),
]


@compiles
@pytest.mark.parametrize(("body", "final"), FUNCTIONS, ids=[body[:40] for body, _ in FUNCTIONS])
def test_functions(body: str, final: str) -> None:
    assert check(body, final=final) == "safe"
    assert check(body, final=f"!({final})") == "final"


FENCES = [
    ("__threadfence()", "safe"),
    ("__threadfence_system()", "safe"),
    ("__threadfence_block()", "race"),
    ('__builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "agent")', "safe"),
    ('__builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "")', "safe"),
    ('__builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup")', "race"),
    ('__builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "singlethread")', "race"),
    ("__atomic_thread_fence(__ATOMIC_ACQ_REL)", "safe"),
    ("__atomic_thread_fence(__ATOMIC_RELAXED)", "race"),
    ("__scoped_atomic_thread_fence(__ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE)", "safe"),
    ("__scoped_atomic_thread_fence(__ATOMIC_ACQ_REL, __MEMORY_SCOPE_WRKGRP)", "race"),
]


@compiles
@pytest.mark.parametrize(("fence", "expected"), FENCES)
def test_fences(fence: str, expected: str) -> None:
    body = f"""
        if (blockIdx.x == 0) {{ x[0] = 42; {fence}; atomicExch(&x[1], 1); }}
        else if (atomicAdd(&x[1], 0)) {{ {fence}; x[2] = x[0]; }}"""
    assert check(body, "k<<<2,1>>>(x[4])") == expected


@compiles
def test_what_is_not_atomic_races() -> None:
    """Volatile accesses as well; and shared memory belongs to a block."""
    body = "if (blockIdx.x == 0) { y = 1; } else { x[0] = y; }"
    assert check(body, "k<<<2,1>>>(x[1])", head="__device__ int y;") == "race"
    assert check(body, "k<<<2,1>>>(x[1])", head="__device__ volatile int y;") == "race"
    assert check(f"__shared__ int y; {body}", "k<<<2,1>>>(x[1])") == "uninitialised"
    assert check(f"__shared__ int y; y = 0; {body}", "k<<<2,1>>>(x[1])") == "safe"
    assert check("extern __shared__ int y[]; y[1] = 1;", "k<<<2,1,8>>>(x[1])") == "safe"
    assert check("HIP_DYNAMIC_SHARED(int, y) y[2] = 1;", "k<<<2,1,8>>>(x[1])") == "out-of-bounds"


@compiles
def test_atomic_accesses_to_shared_memory() -> None:
    body = """
        __shared__ unsigned n;
        if (threadIdx.x == 0) n = 0;
        __syncthreads();
        __hip_atomic_fetch_add(&n, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
        __syncthreads();
        if (threadIdx.x == 0) x[blockIdx.x] = n;"""
    assert check(body, "k<<<2,2>>>(x[2])", "x[0] == 2 && x[1] == 2") == "safe"
    assert check(body.replace("_WORKGROUP", "_SINGLETHREAD"), "k<<<2,2>>>(x[2])") == "race"
    assert check(body.replace("&n", "&x[2]"), "k<<<2,2>>>(x[3])") == "race"


@compiles
def test_what_fails() -> None:
    assert check("assert(x[0] == 1);", head="#include <cassert>") == "assertion"
    assert check("assert(x[0] == 1);", head="#define NDEBUG\n#include <assert.h>") == "safe"
    assert check("assert(x[0] == 1);", head="#include <cassert>", defines=("NDEBUG",)) == "safe"
    assert check("__builtin_trap();") == "exit"
    assert check("x[4] = 1;") == "out-of-bounds"
    assert check("if (threadIdx.x) __syncthreads();", "k<<<1,2>>>(x[1])") == "await"


@compiles
def test_there_are_no_clusters() -> None:
    with pytest.raises(ProgramError, match="HIP has no clusters"):
        check("x[0] = 1;", "k<<<2,1,cluster(2)>>>(x[1])")


REFUSED = [
    ("x[0] = __shfl_down(x[1], 1);", "xgen does not read what the lanes of a wavefront tell each other"),
    ("x[0] = __ballot(1);", "xgen does not read what the lanes of a wavefront tell each other"),
    ("x[0] = warpSize;", "xgen knows no wavefronts"),
    ("__builtin_amdgcn_s_barrier();", "xgen reads __syncthreads(), which is this barrier with its fences"),
    ("x[0] = clock64();", "xgen knows no time"),
    ("x[0] = __builtin_amdgcn_workitem_id_x();", "use of undeclared identifier '__builtin_amdgcn_workitem_id_x'"),
    ("x[0] = nothing;", "use of undeclared identifier 'nothing'"),
]


@compiles
@pytest.mark.parametrize(("body", "message"), REFUSED)
def test_what_the_compiler_refuses(body: str, message: str) -> None:
    with pytest.raises(CompilerError) as caught:
        check(body)
    assert message in caught.value.message
    assert "sm_70" not in str(caught.value.report())
    assert (caught.value.file, caught.value.line) == ("k.hip", 3)


@compiles
@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("__atomic_load(x, x + 1, __ATOMIC_ACQUIRE);", "the instruction `ld.acquire.sys.b32` is not supported in HIP"),
        ("__hip_atomic_load(x, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_WAVEFRONT);", "the scope of a wavefront"),
        ("__hip_atomic_load(x, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);", "the order release makes no sense"),
        ("int y; atomicAdd(&y, 1);", "an atomic access to memory of the thread alone is not supported"),
        ('asm volatile("s_barrier");', "the instruction `s_barrier` is not supported"),
    ],
)
def test_what_the_reader_refuses(body: str, message: str) -> None:
    with pytest.raises(xgen.UnsupportedError) as caught:
        check(f"x[0] = 1; {body}")
    error = caught.value
    assert error.message.startswith(message)
    assert (error.position.source.name if error.position and error.position.source else error.file, error.line) == (
        "k.hip",
        3,
    )


@compiles
def test_atomic_accesses_of_two_bytes_are_refused() -> None:
    with pytest.raises(CompilerError, match="xgen reads atomic accesses of 4 and of 8 bytes"):
        check("atomicAdd((short *)x, (short)1);")


@compiles
def test_host_code() -> None:
    host = "#include <vector>\nint main() { std::vector<int> v; }"
    with pytest.raises(CompilerError) as caught:
        check("", head=host)
    assert "__HIP_DEVICE_COMPILE__" in str(caught.value.hint)
    assert check("", head=f"#ifndef __HIP_DEVICE_COMPILE__\n{host}\n#endif") == "safe"


@compiles
def test_what_the_preprocessor_says_of_the_gpu() -> None:
    """It is one of AMD: of what a program has for several GPUs, that is read which is for these."""
    head = "#if !defined(__AMDGCN__) || defined(__PTX__) || defined(__NVPTX__)\n#error\n#endif"
    assert check("", head=head) == "safe"


@compiles
def test_files_that_are_included_and_flags() -> None:
    Path("inc").mkdir()
    Path("inc/lock.h").write_text("__device__ inline void give(int *x) {\n    *x = N;\n}\n", encoding="utf-8")
    Path("k.hip").write_text(f'{HEAD}#include "lock.h"\n__global__ void k(int *x) {{ give(x); }}\n', encoding="utf-8")
    words = ("check", "k.hip", "--launch", "k<<<2,1>>>(x[1])", "-I", "inc", "-D", "N=2", "--format", "json")
    for _ in range(2):  # compiled, and kept
        done = run(*words)
        found = json.loads(done.stdout)
        assert (found["model"], found["verdict"], done.exit_code) == ("hip", "violation", 1)
        assert "inc/lock.h:2:8: error: data race on x" in done.stderr
    Path("inc/lock.h").write_text("__device__ inline void give(int *x) {}\n", encoding="utf-8")
    assert run(*words).exit_code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--as-compiled",), "k.hip: error: the option `as_compiled` is not for HIP"),
        (("--warp", "2"), "k.hip: error: the option `warp` is not for HIP"),
        (("--on", "armv8"), "--on is for programs in C, C++ and Rust"),
        (("--cones",), "--cones cannot be used with --liveness, which HIP turns on (--no-liveness): "),
        (("other.hip",), "other.hip: error: a kernel is in one file"),
        (("--launch", "k<int><<<1,1>>>()"), "--launch:1:1: error: an instance of a template is no kernel here"),
        (("--launch", "k<<<1>>>()"), "--launch:1:6: error: unexpected `>>>()`, expected `,`"),
    ],
)
def test_what_is_refused(words: tuple[str, ...], said: str) -> None:
    Path("k.hip").write_text(f"// xgen: launch k<<<1,1>>>()\n{HEAD}__global__ void k() {{}}\n", encoding="utf-8")
    done = run("check", "k.hip", *words)
    assert (done.exit_code, said in done.stderr) == (2, True), done.stderr


def test_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xgen.frontends.hip.compiling.own_compiler", lambda: None)
    with pytest.raises(
        xgen.UsageError, match="HIP is read with the clang of ziglang, which is not installed"
    ) as caught:
        check("")
    assert "ziglang" in str(caught.value.hint)


def test_the_language_of_a_text() -> None:
    from xgen.frontends.language import language_model, language_of

    assert language_of(f"{HEAD}__global__ void k() {{}}\n", "<text>") == "hip"
    assert language_of("__global__ void k() {}\n", "<text>") == "cu"
    assert language_model("k.hip", {}) == "hip"
