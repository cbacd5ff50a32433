// HIP, as far as xgen reads it: what runs on the device. See docs/hip.md.
//
// An atomic access is an instruction of its own, `xgen.load.b32`, which says its order and its scope by their numbers;
// frontends/hip/thread.py reads it. All else is what clang makes of it.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#undef __CUDA__
#undef __CUDACC__
#undef __CUDA_ARCH__
#undef __CUDA_ARCH_LIST__
#undef __NVPTX__
#undef __PTX__
#define __AMD__ 1
#define __AMDGPU__ 1
#define __AMDGCN__ 1
#define __HIP__ 1
#define __HIPCC__ 1
#define __HIP_PLATFORM_AMD__ 1
#define __HIP_DEVICE_COMPILE__ 1

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];

#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT 2
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5

struct dim3 {
    unsigned x, y, z;
    constexpr __host__ __device__ dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

namespace __xgen {

#define __XGEN_AXES(name, read)                                                                                        \
    struct name {                                                                                                      \
        __declspec(property(get = get_x)) unsigned x;                                                                  \
        __declspec(property(get = get_y)) unsigned y;                                                                  \
        __declspec(property(get = get_z)) unsigned z;                                                                  \
        static __device__ unsigned get_x() { return __nvvm_read_ptx_sreg_##read##_x(); }                              \
        static __device__ unsigned get_y() { return __nvvm_read_ptx_sreg_##read##_y(); }                              \
        static __device__ unsigned get_z() { return __nvvm_read_ptx_sreg_##read##_z(); }                              \
        __device__ operator dim3() const { return dim3(get_x(), get_y(), get_z()); }                                   \
    }
__XGEN_AXES(Thread, tid);
__XGEN_AXES(ThreadCount, ntid);
__XGEN_AXES(Block, ctaid);
__XGEN_AXES(BlockCount, nctaid);
#undef __XGEN_AXES

template <typename T> struct Plain { using type = T; };
template <typename T> struct Plain<const T> { using type = T; };
template <typename T> struct Plain<volatile T> { using type = T; };
template <typename T> struct Plain<const volatile T> { using type = T; };

template <int bytes> struct Bits;
template <> struct Bits<4> { using type = unsigned; };
template <> struct Bits<8> { using type = unsigned long long; };

// The type of the location, and of the bits that are in it.
template <typename P> struct Cell;
template <typename T> struct Cell<T *> {
    using type = typename Plain<T>::type;
    static_assert(sizeof(type) == 4 || sizeof(type) == 8, "xgen reads atomic accesses of 4 and of 8 bytes");
    using bits = typename Bits<sizeof(type)>::type;
};

template <typename T> constexpr bool is_float = false;
template <> constexpr bool is_float<float> = true;
template <> constexpr bool is_float<double> = true;

template <typename P> __device__ auto load(P place, int order, int scope) {
    using T = typename Cell<P>::type;
    typename Cell<P>::bits found;
    if constexpr (sizeof(T) == 4)
        asm volatile("xgen.load.b32 %0, [%1], %2, %3;" : "=r"(found) : "l"(place), "r"(order), "r"(scope) : "memory");
    else
        asm volatile("xgen.load.b64 %0, [%1], %2, %3;" : "=l"(found) : "l"(place), "r"(order), "r"(scope) : "memory");
    return __builtin_bit_cast(T, found);
}

template <typename P>
__device__ void store(P place, typename Cell<P>::type value, int order, int scope) {
    auto bits = __builtin_bit_cast(typename Cell<P>::bits, value);
    if constexpr (sizeof(value) == 4)
        asm volatile("xgen.store.b32 [%0], %1, %2, %3;" ::"l"(place), "r"(bits), "r"(order), "r"(scope) : "memory");
    else
        asm volatile("xgen.store.b64 [%0], %1, %2, %3;" ::"l"(place), "l"(bits), "r"(order), "r"(scope) : "memory");
}

template <typename P>
__device__ bool exchange_if(
    P place, typename Cell<P>::type *expected, typename Cell<P>::type wanted, int success, int failure, int scope
) {
    using T = typename Cell<P>::type;
    auto before = __builtin_bit_cast(typename Cell<P>::bits, *expected), found = before;
    auto bits = __builtin_bit_cast(typename Cell<P>::bits, wanted);
    if constexpr (sizeof(T) == 4)
        asm volatile("xgen.cas.b32 %0, [%1], %2, %3, %4, %5, %6;"
                     : "=r"(found)
                     : "l"(place), "r"(before), "r"(bits), "r"(success), "r"(failure), "r"(scope)
                     : "memory");
    else
        asm volatile("xgen.cas.b64 %0, [%1], %2, %3, %4, %5, %6;"
                     : "=l"(found)
                     : "l"(place), "l"(before), "l"(bits), "r"(success), "r"(failure), "r"(scope)
                     : "memory");
    if (found == before)
        return true;
    *expected = __builtin_bit_cast(T, found);
    return false;
}

#define __XGEN_AS(name, kind, letter)                                                                                  \
    asm volatile("xgen." #name "." kind " %0, [%1], %2, %3, %4;"                                                       \
                 : "=" letter(found)                                                                                   \
                 : "l"(place), letter(bits), "r"(order), "r"(scope)                                                    \
                 : "memory")
#define __XGEN_UPDATE(name)                                                                                            \
    template <typename P> __device__ auto name(P place, typename Cell<P>::type value, int order, int scope) {          \
        using T = typename Cell<P>::type;                                                                              \
        auto bits = __builtin_bit_cast(typename Cell<P>::bits, value), found = bits;                                   \
        if constexpr (is_float<T> && sizeof(T) == 4)                                                                   \
            __XGEN_AS(name, "f32", "r");                                                                               \
        else if constexpr (is_float<T>)                                                                                \
            __XGEN_AS(name, "f64", "l");                                                                               \
        else if constexpr (sizeof(T) == 4 && __is_signed(T))                                                           \
            __XGEN_AS(name, "s32", "r");                                                                               \
        else if constexpr (sizeof(T) == 4)                                                                             \
            __XGEN_AS(name, "u32", "r");                                                                               \
        else if constexpr (__is_signed(T))                                                                             \
            __XGEN_AS(name, "s64", "l");                                                                               \
        else                                                                                                           \
            __XGEN_AS(name, "u64", "l");                                                                               \
        return __builtin_bit_cast(T, found);                                                                           \
    }
__XGEN_UPDATE(exchange)
__XGEN_UPDATE(fetch_add)
__XGEN_UPDATE(fetch_sub)
__XGEN_UPDATE(fetch_and)
__XGEN_UPDATE(fetch_or)
__XGEN_UPDATE(fetch_xor)
__XGEN_UPDATE(fetch_min)
__XGEN_UPDATE(fetch_max)
__XGEN_UPDATE(fetch_inc)
__XGEN_UPDATE(fetch_dec)
#undef __XGEN_UPDATE
#undef __XGEN_AS

inline __device__ void fence(int order, int scope) {
    asm volatile("xgen.fence _, %0, %1;" ::"r"(order), "r"(scope) : "memory");
}

inline __device__ void meet() { asm volatile("bar.sync 0;" ::: "memory"); }

// A scope by the name that LLVM has for it; 0: there is none.
constexpr bool same(const char *one, const char *other) {
    while (*one && *one == *other)
        ++one, ++other;
    return *one == *other;
}
constexpr int scope_of(const char *name) {
    return same(name, "")               ? __HIP_MEMORY_SCOPE_SYSTEM
           : same(name, "agent")        ? __HIP_MEMORY_SCOPE_AGENT
           : same(name, "workgroup")    ? __HIP_MEMORY_SCOPE_WORKGROUP
           : same(name, "wavefront")    ? __HIP_MEMORY_SCOPE_WAVEFRONT
           : same(name, "singlethread") ? __HIP_MEMORY_SCOPE_SINGLETHREAD
                                        : 0;
}
template <int scope> __device__ void fence_of(int order) { fence(order, scope); }

} // namespace __xgen

#define threadIdx (::__xgen::Thread())
#define blockDim (::__xgen::ThreadCount())
#define blockIdx (::__xgen::Block())
#define gridDim (::__xgen::BlockCount())

// clang's atomics with scopes, those without, which reach the whole system, and those with the scopes of its own.
#define __hip_atomic_load(p, o, s) (::__xgen::load(p, o, s))
#define __hip_atomic_store(p, v, o, s) (::__xgen::store(p, v, o, s))
#define __hip_atomic_exchange(p, v, o, s) (::__xgen::exchange(p, v, o, s))
#define __hip_atomic_compare_exchange_strong(p, e, v, o, f, s) (::__xgen::exchange_if(p, e, v, o, f, s))
#define __hip_atomic_compare_exchange_weak(p, e, v, o, f, s) (::__xgen::exchange_if(p, e, v, o, f, s))
#define __hip_atomic_fetch_add(p, v, o, s) (::__xgen::fetch_add(p, v, o, s))
#define __hip_atomic_fetch_sub(p, v, o, s) (::__xgen::fetch_sub(p, v, o, s))
#define __hip_atomic_fetch_and(p, v, o, s) (::__xgen::fetch_and(p, v, o, s))
#define __hip_atomic_fetch_or(p, v, o, s) (::__xgen::fetch_or(p, v, o, s))
#define __hip_atomic_fetch_xor(p, v, o, s) (::__xgen::fetch_xor(p, v, o, s))
#define __hip_atomic_fetch_min(p, v, o, s) (::__xgen::fetch_min(p, v, o, s))
#define __hip_atomic_fetch_max(p, v, o, s) (::__xgen::fetch_max(p, v, o, s))

#define __atomic_load_n(p, o) (::__xgen::load(p, o, __HIP_MEMORY_SCOPE_SYSTEM))
#define __atomic_store_n(p, v, o) (::__xgen::store(p, v, o, __HIP_MEMORY_SCOPE_SYSTEM))
#define __atomic_exchange_n(p, v, o) (::__xgen::exchange(p, v, o, __HIP_MEMORY_SCOPE_SYSTEM))
#define __atomic_compare_exchange_n(p, e, v, w, o, f) (::__xgen::exchange_if(p, e, v, o, f, __HIP_MEMORY_SCOPE_SYSTEM))
#define __atomic_fetch_add(p, v, o) (::__xgen::fetch_add(p, v, o, __HIP_MEMORY_SCOPE_SYSTEM))
#define __atomic_fetch_sub(p, v, o) (::__xgen::fetch_sub(p, v, o, __HIP_MEMORY_SCOPE_SYSTEM))
#define __atomic_fetch_and(p, v, o) (::__xgen::fetch_and(p, v, o, __HIP_MEMORY_SCOPE_SYSTEM))
#define __atomic_fetch_or(p, v, o) (::__xgen::fetch_or(p, v, o, __HIP_MEMORY_SCOPE_SYSTEM))
#define __atomic_fetch_xor(p, v, o) (::__xgen::fetch_xor(p, v, o, __HIP_MEMORY_SCOPE_SYSTEM))
#define __atomic_thread_fence(o) (::__xgen::fence(o, __HIP_MEMORY_SCOPE_SYSTEM))

#define __scoped_atomic_load_n(p, o, s) (::__xgen::load(p, o, 5 - (s)))
#define __scoped_atomic_store_n(p, v, o, s) (::__xgen::store(p, v, o, 5 - (s)))
#define __scoped_atomic_exchange_n(p, v, o, s) (::__xgen::exchange(p, v, o, 5 - (s)))
#define __scoped_atomic_compare_exchange_n(p, e, v, w, o, f, s) (::__xgen::exchange_if(p, e, v, o, f, 5 - (s)))
#define __scoped_atomic_fetch_add(p, v, o, s) (::__xgen::fetch_add(p, v, o, 5 - (s)))
#define __scoped_atomic_fetch_sub(p, v, o, s) (::__xgen::fetch_sub(p, v, o, 5 - (s)))
#define __scoped_atomic_thread_fence(o, s) (::__xgen::fence(o, 5 - (s)))

#define __builtin_amdgcn_fence(o, s) (::__xgen::fence_of<::__xgen::scope_of(s)>(o))
inline __device__ void __builtin_amdgcn_s_sleep(int) {}

// HIP's own functions: relaxed, and for the device.
#define __XGEN_ATOMIC(name, as)                                                                                        \
    template <typename T> __device__ T name(T *place, typename ::__xgen::Plain<T>::type value) {                       \
        return ::__xgen::as(place, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);                                 \
    }                                                                                                                  \
    template <typename T> __device__ T name##_system(T *place, typename ::__xgen::Plain<T>::type value) {              \
        return ::__xgen::as(place, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);                                \
    }
__XGEN_ATOMIC(atomicAdd, fetch_add)
__XGEN_ATOMIC(atomicSub, fetch_sub)
__XGEN_ATOMIC(atomicExch, exchange)
__XGEN_ATOMIC(atomicMin, fetch_min)
__XGEN_ATOMIC(atomicMax, fetch_max)
__XGEN_ATOMIC(atomicAnd, fetch_and)
__XGEN_ATOMIC(atomicOr, fetch_or)
__XGEN_ATOMIC(atomicXor, fetch_xor)
#undef __XGEN_ATOMIC
inline __device__ unsigned atomicInc(unsigned *place, unsigned value) {
    return __xgen::fetch_inc(place, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
inline __device__ unsigned atomicDec(unsigned *place, unsigned value) {
    return __xgen::fetch_dec(place, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <typename T>
__device__ T atomicCAS(T *place, typename __xgen::Plain<T>::type expected, typename __xgen::Plain<T>::type value) {
    __xgen::exchange_if(place, &expected, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    return expected;
}
template <typename T>
__device__ T atomicCAS_system(
    T *place, typename __xgen::Plain<T>::type expected, typename __xgen::Plain<T>::type value
) {
    __xgen::exchange_if(place, &expected, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
    return expected;
}

#define __syncthreads() (::__xgen::meet())
inline __device__ void __threadfence() { __xgen::fence(__ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_AGENT); }
inline __device__ void __threadfence_block() { __xgen::fence(__ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_WORKGROUP); }
inline __device__ void __threadfence_system() { __xgen::fence(__ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_SYSTEM); }

#define __XGEN_EXTREMES(type)                                                                                          \
    constexpr __host__ __device__ type min(type a, type b) { return b < a ? b : a; }                                   \
    constexpr __host__ __device__ type max(type a, type b) { return a < b ? b : a; }
__XGEN_EXTREMES(int)
__XGEN_EXTREMES(unsigned)
__XGEN_EXTREMES(long)
__XGEN_EXTREMES(unsigned long)
__XGEN_EXTREMES(long long)
__XGEN_EXTREMES(unsigned long long)
#undef __XGEN_EXTREMES

// What xgen does not read says so where it is called.
#define __XGEN_NOT(name, why) template <typename... A> __device__ __attribute__((unavailable(why))) int name(A...);
#define __XGEN_NO_LANES(name) __XGEN_NOT(name, "xgen does not read what the lanes of a wavefront tell each other")
__XGEN_NO_LANES(__shfl)
__XGEN_NO_LANES(__shfl_up)
__XGEN_NO_LANES(__shfl_down)
__XGEN_NO_LANES(__shfl_xor)
__XGEN_NO_LANES(__shfl_sync)
__XGEN_NO_LANES(__shfl_up_sync)
__XGEN_NO_LANES(__shfl_down_sync)
__XGEN_NO_LANES(__shfl_xor_sync)
__XGEN_NO_LANES(__ballot)
__XGEN_NO_LANES(__ballot_sync)
__XGEN_NO_LANES(__any)
__XGEN_NO_LANES(__any_sync)
__XGEN_NO_LANES(__all)
__XGEN_NO_LANES(__all_sync)
__XGEN_NO_LANES(__activemask)
__XGEN_NO_LANES(__match_any_sync)
__XGEN_NO_LANES(__match_all_sync)
__XGEN_NO_LANES(__lane_id)
__XGEN_NO_LANES(__syncwarp)
__XGEN_NO_LANES(__builtin_amdgcn_wave_barrier)
__XGEN_NO_LANES(__builtin_amdgcn_readfirstlane)
__XGEN_NO_LANES(__builtin_amdgcn_ds_bpermute)
__XGEN_NOT(__builtin_amdgcn_s_barrier, "xgen reads __syncthreads(), which is this barrier with its fences")
__XGEN_NOT(__syncthreads_count, "xgen reads __syncthreads() only")
__XGEN_NOT(__syncthreads_and, "xgen reads __syncthreads() only")
__XGEN_NOT(__syncthreads_or, "xgen reads __syncthreads() only")
__XGEN_NOT(clock, "xgen knows no time")
__XGEN_NOT(clock64, "xgen knows no time")
__XGEN_NOT(wall_clock64, "xgen knows no time")
__XGEN_NOT(unsafeAtomicAdd, "xgen reads atomicAdd() and __hip_atomic_fetch_add()")
__XGEN_NOT(safeAtomicAdd, "xgen reads atomicAdd() and __hip_atomic_fetch_add()")
#undef __XGEN_NO_LANES
#undef __XGEN_NOT
extern __device__ const int warpSize __attribute__((unavailable("xgen knows no wavefronts")));
