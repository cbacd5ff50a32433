/* What the Linux kernel's own headers are made of, for programs that are checked as a part of it (--kernel).
 *
 * All headers of this folder say the same: what is needed of them. What is no macro or type here is known by its name,
 * as smp_mb, smp_load_acquire, xchg, cmpxchg, atomic_inc_return, spin_lock and their families are: see
 * frontends/library/kernel.py for what each is to the kernel's memory model. Other headers are the tree's own. */
#pragma once
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- types and words of the compiler */
typedef uint8_t u8; typedef uint16_t u16; typedef uint32_t u32; typedef uint64_t u64;
typedef int8_t s8; typedef int16_t s16; typedef int32_t s32; typedef int64_t s64;
typedef u8 __u8; typedef u16 __u16; typedef u32 __u32; typedef u64 __u64;
typedef s8 __s8; typedef s16 __s16; typedef s32 __s32; typedef s64 __s64;
typedef unsigned gfp_t;
#define GFP_KERNEL 0u
#define GFP_ATOMIC 0u
#define __GFP_ZERO 256u
#define __percpu
#define __rcu
#define __user
#define __force
#define __init
#define __exit
#define __must_check
#define __maybe_unused __attribute__((unused))
#define __always_unused __attribute__((unused))
#define __always_inline inline
#define noinline
#define notrace
#define __sched
#define __lockfunc
#define __read_mostly
#define __ro_after_init
#define __cold
#define __pure
#define __printf(a, b)
#define __acquires(x)
#define __releases(x)
#define __must_hold(x)
#define __acquire(x) ((void)0)
#define __release(x) ((void)0)
#define ____cacheline_aligned
#define ____cacheline_aligned_in_smp
#define ____cacheline_internodealigned_in_smp
#define __cacheline_aligned_in_smp
#define fallthrough
#define asmlinkage
#define likely(x) (x)
#define unlikely(x) (x)
#define BITS_PER_LONG 64
#define BIT(n) (1UL << (n))
#define BIT_MASK(nr) (1UL << ((nr) % BITS_PER_LONG))
#define BIT_WORD(nr) ((nr) / BITS_PER_LONG)
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#ifndef container_of
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
#endif
#define min(a, b) ({ __typeof__(a) _one = (a); __typeof__(b) _other = (b); _one < _other ? _one : _other; })
#define max(a, b) ({ __typeof__(a) _one = (a); __typeof__(b) _other = (b); _one > _other ? _one : _other; })
#define min_t(t, a, b) ({ t _one = (a); t _other = (b); _one < _other ? _one : _other; })
#define max_t(t, a, b) ({ t _one = (a); t _other = (b); _one > _other ? _one : _other; })
#define EXPORT_SYMBOL(x)
#define EXPORT_SYMBOL_GPL(x)
#define EXPORT_SYMBOL_NS(x, space)
#define EXPORT_SYMBOL_NS_GPL(x, space)
#define THIS_MODULE ((struct module *)0)
#define MODULE_LICENSE(text)
#define MODULE_AUTHOR(text)
#define MODULE_DESCRIPTION(text)
#define MODULE_VERSION(text)
#define MODULE_ALIAS(text)
#define MODULE_SOFTDEP(text)
#define MODULE_FIRMWARE(text)
#define MODULE_IMPORT_NS(space)
#define MODULE_DEVICE_TABLE(type, name)
#define module_init(f)
#define module_exit(f)
#define early_initcall(f)
#define core_initcall(f)
#define subsys_initcall(f)
#define device_initcall(f)
#define late_initcall(f)
#define IS_ENABLED(x) 0
#define BUILD_BUG_ON(c) ((void)0)
#define static_assert _Static_assert
#define cpu_relax() ((void)0)
#define prefetch(p) ((void)(p))
#define prefetchw(p) ((void)(p))
#define lockdep_assert_held(l) ((void)0)
#define lockdep_init_map(m, n, k, s) ((void)0)
#define seqcount_acquire(m, a, b, c) ((void)0)
#define seqcount_release(m, c) ((void)0)
#define lockdep_assert_preemption_disabled() ((void)0)
#define might_sleep() __xgen_sleeps()
#define pr_debug(...) ((void)0)
#define pr_info(...) ((void)0)
#define pr_notice(...) ((void)0)
#define pr_warn(...) ((void)0)
#define pr_err(...) ((void)0)
#define pr_crit(...) ((void)0)
#define printk(...) ((void)0)
#define SMP_CACHE_BYTES 64
#define L1_CACHE_BYTES 64
#define __bitwise
#define KMALLOC_MAX_SIZE (1UL << 20)
#define kvfree(p) kfree(p)
#define RCU_LOCKDEP_WARN(c, s) ((void)0)
#define EINTR 4
#define EINVAL 22
#define EBUSY 16
#define ENOMEM 12
#define EAGAIN 11
#define ENOSPC 28
#define EEXIST 17

/* ---- what is wrong. BUG_ON does not come back: what follows depends on it. WARN_ON does, and orders nothing, as
 * assert does. */
#define BUG_ON(c) __xgen_bug_on(c)
#define BUG() __xgen_bug_on(1)
#define VM_BUG_ON(c) BUG_ON(c)
#define WARN_ON(c) ({ int _wrong = !!(c); __xgen_assert(!_wrong); _wrong; })
#define WARN_ON_ONCE(c) WARN_ON(c)
#define WARN_ONCE(c, ...) WARN_ON(c)
#define WARN(c, ...) WARN_ON(c)

/* ---- accesses */
#define READ_ONCE(x) __xgen_read_once(&(x))
#define WRITE_ONCE(x, v) __xgen_write_once(&(x), (v))
#define smp_store_mb(x, v) do { WRITE_ONCE(x, v); smp_mb(); } while (0)
#define rcu_dereference(p) READ_ONCE(p)
#define rcu_dereference_check(p, c) READ_ONCE(p)
#define rcu_dereference_raw(p) READ_ONCE(p)
#define rcu_dereference_protected(p, c) (p)
#define rcu_access_pointer(p) READ_ONCE(p)
#define rcu_assign_pointer(p, v) smp_store_release(&(p), (v))
#define RCU_INIT_POINTER(p, v) WRITE_ONCE(p, v)
#define mb() smp_mb()
#define rmb() smp_rmb()
#define wmb() smp_wmb()

/* ---- KCSAN. Its assertions say something with --races kcsan, and are nothing else; what it is not to look at is in no
 * race, and what it is to take as marked is marked, with all --races. */
#define data_race(e) __xgen_data_race(e)
#define kcsan_atomic_next(n) __xgen_marked_next(n)
#define kcsan_nestable_atomic_begin() __xgen_marked_begin()
#define kcsan_nestable_atomic_end() __xgen_marked_end()
#define kcsan_flat_atomic_begin() __xgen_marked_flat_begin()
#define kcsan_flat_atomic_end() __xgen_marked_flat_end()
#define kcsan_disable_current() __xgen_unwatched_begin()
#define kcsan_enable_current() __xgen_unwatched_end()
#define ASSERT_EXCLUSIVE_WRITER(x) ((void)__xgen_writer(&(x)))
#define ASSERT_EXCLUSIVE_ACCESS(x) ((void)__xgen_access(&(x)))
#define _xgen_glued(a, b) a##b
#define _xgen_at_end(f) __attribute__((cleanup(f)))
#define _xgen_from(x, kind, at) __typeof__(&(x)) at _xgen_at_end(__xgen_##kind##_ends) = __xgen_##kind##_begins(&(x))
#define _xgen_scope(x, kind, n) _xgen_from(x, kind, _xgen_glued(_xgen_scope_, n))
#define ASSERT_EXCLUSIVE_WRITER_SCOPED(x) _xgen_scope(x, writer, __LINE__)
#define ASSERT_EXCLUSIVE_ACCESS_SCOPED(x) _xgen_scope(x, access, __LINE__)
#define _xgen_read_twice(x, one, two) __typeof__(x) one = data_race(x), two = data_race(x)
#define _xgen_same_bits(x, m) ({ _xgen_read_twice(x, _one, _two); __xgen_assert(!((_one ^ _two) & (m))); })
#define ASSERT_EXCLUSIVE_BITS(x, m) do { if (__xgen_kcsan()) _xgen_same_bits(x, m); kcsan_atomic_next(1); } while (0)

/* ---- waiting: the last round's read counts */
#define _xgen_until(p, how, c) ({ __typeof__(p) _at = (p); __typeof__(*_at) VAL; do VAL = how; while (!(c)); VAL; })
#define smp_cond_load_relaxed(p, cond) _xgen_until(p, READ_ONCE(*_at), cond)
#define smp_cond_load_acquire(p, cond) _xgen_until(p, smp_load_acquire(_at), cond)
#define atomic_cond_read_acquire(v, c) smp_cond_load_acquire(&(v)->counter, (c))
#define atomic_cond_read_relaxed(v, c) smp_cond_load_relaxed(&(v)->counter, (c))

/* ---- atomic_t and its like */
typedef struct { int counter; } atomic_t;
typedef struct { s64 counter; } atomic64_t;
typedef atomic64_t atomic_long_t;
#define ATOMIC_INIT(n) { (n) }
#define ATOMIC64_INIT(n) { (n) }
#define ATOMIC_LONG_INIT(n) { (n) }
#define _xgen_found(found, e, wanted) ({ if ((found) != (wanted)) *(e) = (found); (found) == (wanted); })
#define _xgen_tried(op, p, e, w, n) ({ __typeof__(*(e)) w = *(e), _f = op((p), w, (n)); _xgen_found(_f, e, w); })
#define _xgen_try(op, p, e, n) ({ __typeof__(e) _e = (e); _xgen_tried(op, p, _e, _w, n); })
#define try_cmpxchg(p, e, n) _xgen_try(cmpxchg, p, e, n)
#define try_cmpxchg_relaxed(p, e, n) _xgen_try(cmpxchg_relaxed, p, e, n)
#define try_cmpxchg_acquire(p, e, n) _xgen_try(cmpxchg_acquire, p, e, n)
#define try_cmpxchg_release(p, e, n) _xgen_try(cmpxchg_release, p, e, n)
#define atomic_try_cmpxchg(v, e, n) _xgen_try(atomic_cmpxchg, v, e, n)
#define atomic_try_cmpxchg_relaxed(v, e, n) _xgen_try(atomic_cmpxchg_relaxed, v, e, n)
#define atomic_try_cmpxchg_acquire(v, e, n) _xgen_try(atomic_cmpxchg_acquire, v, e, n)
#define atomic_try_cmpxchg_release(v, e, n) _xgen_try(atomic_cmpxchg_release, v, e, n)

/* ---- bits of words */
#define _xgen_word(nr, p) (((unsigned long *)(p)) + BIT_WORD(nr))
#define test_bit(nr, p) ((READ_ONCE(*_xgen_word(nr, p)) & BIT_MASK(nr)) != 0)
#define set_bit(nr, p) atomic_long_or(BIT_MASK(nr), _xgen_word(nr, p))
#define clear_bit(nr, p) atomic_long_and(~BIT_MASK(nr), _xgen_word(nr, p))
#define test_and_set_bit(nr, p) ((atomic_long_fetch_or(BIT_MASK(nr), _xgen_word(nr, p)) & BIT_MASK(nr)) != 0)
#define test_and_clear_bit(nr, p) ((atomic_long_fetch_and(~BIT_MASK(nr), _xgen_word(nr, p)) & BIT_MASK(nr)) != 0)
#define _xgen_took(m, w) ((READ_ONCE(*(w)) & (m)) || (atomic_long_fetch_or_acquire(m, w) & (m)))
#define test_and_set_bit_lock(nr, p) ({ unsigned long *_w = _xgen_word(nr, p); _xgen_took(BIT_MASK(nr), _w); })
#define _xgen_without(nr, w) (READ_ONCE(*(w)) & ~BIT_MASK(nr))
#define _xgen_free_bit(nr, at) ({ unsigned long *_w = (at); smp_store_release(_w, _xgen_without(nr, _w)); })
#define __clear_bit_unlock(nr, p) _xgen_free_bit(nr, _xgen_word(nr, p))
#define __set_bit(nr, p) ((void)(*_xgen_word(nr, p) |= BIT_MASK(nr)))
#define __clear_bit(nr, p) ((void)(*_xgen_word(nr, p) &= ~BIT_MASK(nr)))
#define clear_bit_unlock(nr, p) ((void)atomic_long_fetch_and_release(~BIT_MASK(nr), _xgen_word(nr, p)))

/* ---- locks */
typedef struct { int taken; } raw_spinlock_t;
typedef struct { raw_spinlock_t rlock; } spinlock_t;
#define __RAW_SPIN_LOCK_UNLOCKED(n) { 0 }
#define __SPIN_LOCK_UNLOCKED(n) { { 0 } }
#define DEFINE_SPINLOCK(n) spinlock_t n
#define DEFINE_RAW_SPINLOCK(n) raw_spinlock_t n
#define raw_spin_lock_init(l) ((void)((l)->taken = 0))
#define spin_lock_init(l) ((void)((l)->rlock.taken = 0))
#define raw_spin_lock(l) spin_lock(l)
#define raw_spin_unlock(l) spin_unlock(l)
#define raw_spin_trylock(l) spin_trylock(l)
#define spin_is_locked(l) (__xgen_read_once(l) != 0)
#define raw_spin_is_locked(l) spin_is_locked(l)
struct mutex { raw_spinlock_t lock; };
#define DEFINE_MUTEX(n) struct mutex n
#define mutex_init(m) ((void)((m)->lock.taken = 0))
#define mutex_lock(m) (__xgen_sleeps(), spin_lock(m))
#define mutex_unlock(m) spin_unlock(m)
#define mutex_trylock(m) spin_trylock(m)
#define spin_lock_bh(l) (__xgen_bottom_begin(), spin_lock(l))
#define spin_unlock_bh(l) (spin_unlock(l), __xgen_bottom_end())
#define spin_lock_irq(l) (__xgen_set_irqs(1), spin_lock(l))
#define spin_unlock_irq(l) (spin_unlock(l), __xgen_set_irqs(0))
#define spin_lock_irqsave(l, f) ((f) = __xgen_irqs_off(), __xgen_set_irqs(1), spin_lock(l))
#define spin_unlock_irqrestore(l, f) (spin_unlock(l), __xgen_set_irqs(f))
#define raw_spin_lock_bh(l) spin_lock_bh(l)
#define raw_spin_unlock_bh(l) spin_unlock_bh(l)
#define raw_spin_lock_irq(l) spin_lock_irq(l)
#define raw_spin_unlock_irq(l) spin_unlock_irq(l)
#define raw_spin_lock_irqsave(l, f) spin_lock_irqsave(l, f)
#define raw_spin_unlock_irqrestore(l, f) spin_unlock_irqrestore(l, f)
#define assert_spin_locked(l) assert(spin_is_locked(l))

/* ---- interrupts: where they are off, and who runs. A handler is INTERRUPT or SOFTIRQ of a driver. */
#define local_irq_disable() __xgen_set_irqs(1)
#define local_irq_enable() __xgen_set_irqs(0)
#define local_irq_save(f) ((f) = __xgen_irqs_off(), __xgen_set_irqs(1))
#define local_irq_restore(f) __xgen_set_irqs(f)
#define local_save_flags(f) ((void)((f) = __xgen_irqs_off()))
#define irqs_disabled() ((int)__xgen_irqs_off())
#define irqs_disabled_flags(f) ((f) != 0)
#define local_bh_disable() __xgen_bottom_begin()
#define local_bh_enable() __xgen_bottom_end()
#define in_hardirq() __xgen_in_hard()
#define in_irq() in_hardirq()
#define in_serving_softirq() __xgen_in_soft()
#define in_softirq() (__xgen_bottom_off() != 0)
#define in_interrupt() (in_hardirq() || in_softirq())
#define in_nmi() 0
#define in_task() (!in_hardirq() && !in_serving_softirq())
#define preempt_disable() ((void)0)
#define preempt_enable() ((void)0)
#ifndef need_resched
#define need_resched() 0
#endif
#define cond_resched() 0
#define vcpu_is_preempted(cpu) ((void)(cpu), 0)

/* ---- memory */
#define kmalloc(n, f) (((f) & __GFP_ZERO) ? calloc(1, (n)) : malloc(n))
#define kmalloc_array(n, s, f) kmalloc((n) * (s), (f))
#define kvmalloc_array(n, s, f) kmalloc_array(n, s, f)
#define kcalloc(n, s, f) ((void)(f), calloc((n), (s)))
#define kzalloc(n, f) ((void)(f), calloc(1, (n)))
#define kfree(p) free((void *)(p))

/* ---- CPUs: a thread is one. A variable of each CPU has NR_CPUS copies, which stand __XGEN_APART bytes from each other:
 * its name is the first one. xgen knows such a variable by its alignment, which names __xgen_cpus so that it is kept. */
#ifndef NR_CPUS
#define NR_CPUS 4
#endif
#ifndef CONFIG_NR_CPUS
#define CONFIG_NR_CPUS NR_CPUS
#endif
#define __XGEN_APART 65536
enum { __xgen_cpus = NR_CPUS };
#define smp_processor_id() __xgen_cpu()
#define raw_smp_processor_id() __xgen_cpu()
#define DEFINE_PER_CPU(type, name) _Alignas(__XGEN_APART + 0 * __xgen_cpus) __typeof__(type) name
#define DECLARE_PER_CPU(type, name) extern DEFINE_PER_CPU(type, name)
#define DEFINE_PER_CPU_ALIGNED DEFINE_PER_CPU
#define DEFINE_PER_CPU_SHARED_ALIGNED DEFINE_PER_CPU
#define per_cpu_ptr(p, cpu) ((__typeof__(p))((char *)(p) + (cpu) * __XGEN_APART))
#define this_cpu_ptr(p) per_cpu_ptr(p, __xgen_cpu())
#define raw_cpu_ptr(p) this_cpu_ptr(p)
#define per_cpu(v, cpu) (*per_cpu_ptr(&(v), cpu))
#define __this_cpu_read(v) (*this_cpu_ptr(&(v)))
#define __this_cpu_write(v, n) ((void)(*this_cpu_ptr(&(v)) = (n)))
#define __this_cpu_add(v, n) ((void)(*this_cpu_ptr(&(v)) += (n)))
#define __this_cpu_inc(v) __this_cpu_add(v, 1)
#define __this_cpu_dec(v) __this_cpu_add(v, -1)
#define __this_cpu_sub(v, n) __this_cpu_add(v, -(__typeof__(v))(n))
#define __this_cpu_or(v, n) ((void)(*this_cpu_ptr(&(v)) |= (n)))
#define __this_cpu_and(v, n) ((void)(*this_cpu_ptr(&(v)) &= (n)))
#define __this_cpu_add_return(v, n) (*this_cpu_ptr(&(v)) += (n))
#define raw_cpu_read __this_cpu_read
#define raw_cpu_write __this_cpu_write
#define raw_cpu_add __this_cpu_add
#define raw_cpu_inc __this_cpu_inc
#define raw_cpu_dec __this_cpu_dec
/* Without underscores an interrupt comes before or after the whole operation, but its operands are computed before; other
 * CPUs are not kept from what is this one's. */
#define _xgen_quiet(e) unsigned long _irq; local_irq_save(_irq); _got = (e); local_irq_restore(_irq); _got
#define _xgen_whole(v, n, e) ({ __typeof__(v) _with = (n), *_own = this_cpu_ptr(&(v)), _got; _xgen_quiet(e); })
#define this_cpu_read(v) READ_ONCE(*this_cpu_ptr(&(v)))
#define this_cpu_write(v, n) ((void)_xgen_whole(v, n, *_own = _with))
#define this_cpu_add_return(v, n) _xgen_whole(v, n, *_own += _with)
#define this_cpu_sub_return(v, n) _xgen_whole(v, n, *_own -= _with)
#define this_cpu_inc_return(v) this_cpu_add_return(v, 1)
#define this_cpu_dec_return(v) this_cpu_sub_return(v, 1)
#define this_cpu_add(v, n) ((void)this_cpu_add_return(v, n))
#define this_cpu_sub(v, n) ((void)this_cpu_sub_return(v, n))
#define this_cpu_inc(v) this_cpu_add(v, 1)
#define this_cpu_dec(v) this_cpu_sub(v, 1)
#define this_cpu_or(v, n) ((void)_xgen_whole(v, n, *_own |= _with))
#define this_cpu_and(v, n) ((void)_xgen_whole(v, n, *_own &= _with))
#define this_cpu_xchg(v, n) _xgen_whole(v, n, ({ __typeof__(v) _old = *_own; *_own = _with; _old; }))
#define this_cpu_cmpxchg(v, o, n) ({ __typeof__(v) _if = (o); _xgen_whole(v, n, _xgen_swap_if(_if)); })
#define _xgen_swap_if(o) ({ __typeof__(_with) _old = *_own; if (_old == (o)) *_own = _with; _old; })
#define alloc_percpu(type) ((type *)__alloc_percpu(sizeof(type), _Alignof(type)))
#define get_cpu() __xgen_cpu()
#define put_cpu() ((void)0)
#define get_cpu_var(v) (*this_cpu_ptr(&(v)))
#define put_cpu_var(v) ((void)&(v))
#define get_cpu_ptr(p) this_cpu_ptr(p)
#define put_cpu_ptr(p) ((void)(p))

/* ---- lists: what they are made of; what is done with them is in the tree's own headers */
struct list_head { struct list_head *next, *prev; };
struct hlist_head { struct hlist_node *first; };
struct hlist_node { struct hlist_node *next, **pprev; };
struct callback_head { struct callback_head *next; void (*func)(struct callback_head *); };
#define rcu_head callback_head
static void *_xgen_free_later(void *_freed) { synchronize_rcu(); kfree(_freed); return 0; }
static void *_xgen_call_later(void *_at) { struct callback_head *_h = _at; synchronize_rcu(); _h->func(_h); return 0; }
#define kfree_rcu(p, h) ({ pthread_t _l; __xgen_later(pthread_create(&_l, 0, _xgen_free_later, (void *)(p))); })
#define call_rcu(h, f) ({ pthread_t _l; (h)->func = (f); __xgen_later(pthread_create(&_l, 0, _xgen_call_later, (h))); })
#define rcu_read_lock_held() 1
#define rcu_read_lock_any_held() 1

/* ---- SRCU. A section is from a lock to the unlock that gets what it has given. `ended` is a cell of each CPU. */
struct srcu_struct { int given; int ended[NR_CPUS]; };
#define DEFINE_SRCU(n) struct srcu_struct n
#define DEFINE_STATIC_SRCU(n) static struct srcu_struct n
#define init_srcu_struct(s) ((void)(s), 0)
#define cleanup_srcu_struct(s) ((void)(s))
#define srcu_read_lock_nmisafe(s) srcu_read_lock(s)
#define srcu_read_unlock_nmisafe(s, i) srcu_read_unlock(s, i)
#define srcu_read_lock_notrace(s) srcu_read_lock(s)
#define srcu_read_unlock_notrace(s, i) srcu_read_unlock(s, i)
#define srcu_dereference(p, s) READ_ONCE(p)
#define srcu_dereference_check(p, s, c) READ_ONCE(p)
#define srcu_read_lock_held(s) 1
#define _xgen_waits() synchronize_srcu((struct srcu_struct *)__xgen_waits_for())
static void *_xgen_call_srcu(void *_at) { struct callback_head *_h = _at; _xgen_waits(); _h->func(_h); return 0; }
#define _xgen_start_srcu(s, l, h) __xgen_srcu_later(s, pthread_create(l, 0, _xgen_call_srcu, (h)))
#define call_srcu(s, h, f) ({ pthread_t _l; (h)->func = (f); _xgen_start_srcu(s, &_l, (h)); })

/* ---- sleeping: a CPU's task is `current`; what wakes it is a full barrier before it looks at the state, and schedule
 * waits for the state to be TASK_RUNNING. Nothing else wakes a task: no signal comes, no time passes. */
struct completion { unsigned int done; raw_spinlock_t lock; };
struct task_struct { unsigned int __state; unsigned int stops; int result; struct completion exited; };
static struct task_struct _xgen_tasks[NR_CPUS];
#define current (&_xgen_tasks[__xgen_task()])
#define TASK_RUNNING 0u
#define TASK_INTERRUPTIBLE 1u
#define TASK_UNINTERRUPTIBLE 2u
#define TASK_NORMAL 3u
#define __set_current_state(s) WRITE_ONCE(current->__state, (s))
#define set_current_state(s) smp_store_mb(current->__state, (s))
#define get_current_state() READ_ONCE(current->__state)
#define _xgen_runs(at) ((void)smp_cond_load_acquire((at), VAL == TASK_RUNNING))
#define schedule() (__xgen_sleeps(), smp_mb(), _xgen_runs(&current->__state))
static inline int _xgen_wake(struct task_struct *_p, unsigned int _states) {
	smp_mb();
	if (!(READ_ONCE(_p->__state) & _states)) return 0;
	WRITE_ONCE(_p->__state, TASK_RUNNING);
	return 1;
}
#define wake_up_process(p) _xgen_wake((p), TASK_NORMAL)
#define wake_up_state(p, s) _xgen_wake((p), (s))

/* ---- completions: what is done is counted under a lock */
#define DECLARE_COMPLETION(n) struct completion n
#define DECLARE_COMPLETION_ONSTACK(n) struct completion n = { 0 }
#define init_completion(x) ((void)((x)->done = 0, (x)->lock.taken = 0))
#define reinit_completion(x) ((void)WRITE_ONCE((x)->done, 0))
#define _xgen_all_done 2147483647u
static inline void _xgen_done(struct completion *_x, unsigned int _all) {
	unsigned long _f;
	unsigned int _was;
	raw_spin_lock_irqsave(&_x->lock, _f);
	_was = READ_ONCE(_x->done);
	WRITE_ONCE(_x->done, _all ? _xgen_all_done : _was + (_was < _xgen_all_done));
	raw_spin_unlock_irqrestore(&_x->lock, _f);
}
#define complete(x) _xgen_done((x), 0)
#define complete_all(x) _xgen_done((x), 1)
static inline bool try_wait_for_completion(struct completion *_x) {
	unsigned long _f;
	unsigned int _was;
	if (!READ_ONCE(_x->done)) return false;
	raw_spin_lock_irqsave(&_x->lock, _f);
	_was = READ_ONCE(_x->done);
	if (_was && _was < _xgen_all_done) WRITE_ONCE(_x->done, _was - 1);
	raw_spin_unlock_irqrestore(&_x->lock, _f);
	return _was != 0;
}
#define _xgen_some_done(x) ((void)smp_cond_load_relaxed(&(x)->done, VAL != 0))
#define _xgen_wait_done(c) do _xgen_some_done(c); while (!try_wait_for_completion(c))
#define wait_for_completion(x) ({ struct completion *_c = (x); __xgen_sleeps(); _xgen_wait_done(_c); })
#define completion_done(x) (READ_ONCE((x)->done) != 0)

/* ---- threads of the kernel: each has a CPU of its own, and is known by the task of that CPU. One that is stopped
 * before it runs never calls its function. */
#define _xgen_stops() (READ_ONCE(current->stops) != 0)
static void *_xgen_kthread(void *_data) {
	int (*_f)(void *) = (int (*)(void *))__xgen_kthread_runs();
	int _result = -EINTR;
	if (__xgen_kthread_waits()) _xgen_runs(&current->__state);
	if (!_xgen_stops()) _result = _f(_data);
	current->result = _result;
	complete(&current->exited);
	return 0;
}
#define _xgen_task_of(n) (&_xgen_tasks[(n)])
#define _xgen_begin(d) __xgen_later(pthread_create(&_l, 0, _xgen_kthread, (void *)(d)))
#define _xgen_begun(how, f, d, n) ({ pthread_t _l; _xgen_task_of(__xgen_kthread_##how(f, n, NR_CPUS, _xgen_begin(d))); })
#define _xgen_first() (__xgen_sleeps(), smp_mb())
#define _xgen_first_of(n) WRITE_ONCE(_xgen_task_of(__xgen_next_cpu(n, NR_CPUS))->__state, TASK_UNINTERRUPTIBLE)
#define _xgen_made(f, d, n) ({ __xgen_sleeps(); _xgen_first_of(n); _xgen_begun(made, f, d, n); })
#define kthread_run(f, d, ...) ({ _xgen_first(); _xgen_begun(run, f, d, -1); })
#define kthread_run_on_cpu(f, d, n, ...) ({ _xgen_first(); _xgen_begun(run, f, d, n); })
#define kthread_create(f, d, ...) _xgen_made(f, d, -1)
#define kthread_create_on_node(f, d, node, ...) ((void)(node), _xgen_made(f, d, -1))
#define kthread_create_on_cpu(f, d, n, ...) _xgen_made(f, d, n)
#define _xgen_stop(k) WRITE_ONCE((k)->stops, 1); wake_up_process(k); wait_for_completion(&(k)->exited); (k)->result
#define kthread_stop(p) ({ struct task_struct *_k = (p); _xgen_stop(_k); })
#define kthread_should_stop() _xgen_stops()
#define get_task_struct(p) (p)
#define put_task_struct(p) ((void)(p))
#define IS_ERR(p) ((unsigned long)(p) >= (unsigned long)-4095)
#define IS_ERR_OR_NULL(p) (!(p) || IS_ERR(p))
#define PTR_ERR(p) ((long)(p))
#define ERR_PTR(n) ((void *)(long)(n))
#define ERR_CAST(p) ((void *)(p))
#define PTR_ERR_OR_ZERO(p) (IS_ERR(p) ? PTR_ERR(p) : 0)

/* ---- wait queues: which CPUs wait is said under a lock */
struct wait_queue_head { raw_spinlock_t lock; unsigned int waits[NR_CPUS]; };
typedef struct wait_queue_head wait_queue_head_t;
#define DECLARE_WAIT_QUEUE_HEAD(n) struct wait_queue_head n
#define init_waitqueue_head(q) ((void)((q)->lock.taken = 0))
static inline void _xgen_enqueue(struct wait_queue_head *_q, unsigned int _state) {
	unsigned long _f;
	raw_spin_lock_irqsave(&_q->lock, _f);
	WRITE_ONCE(_q->waits[__xgen_cpu()], 1);
	set_current_state(_state);
	raw_spin_unlock_irqrestore(&_q->lock, _f);
}
static inline void _xgen_dequeue(struct wait_queue_head *_q) {
	unsigned long _f;
	__set_current_state(TASK_RUNNING);
	if (!READ_ONCE(_q->waits[__xgen_cpu()])) return;
	raw_spin_lock_irqsave(&_q->lock, _f);
	WRITE_ONCE(_q->waits[__xgen_cpu()], 0);
	raw_spin_unlock_irqrestore(&_q->lock, _f);
}
static inline void _xgen_wake_all(struct wait_queue_head *_q, unsigned int _states) {
	unsigned long _f;
	raw_spin_lock_irqsave(&_q->lock, _f);
	for (int _n = 0; _n < NR_CPUS; _n++)
		if (READ_ONCE(_q->waits[_n]) && _xgen_wake(&_xgen_tasks[_n], _states)) WRITE_ONCE(_q->waits[_n], 0);
	raw_spin_unlock_irqrestore(&_q->lock, _f);
}
static inline bool waitqueue_active(struct wait_queue_head *_q) {
	for (int _n = 0; _n < NR_CPUS; _n++)
		if (READ_ONCE(_q->waits[_n])) return true;
	return false;
}
#define wq_has_sleeper(q) (smp_mb(), waitqueue_active(q))
#define _xgen_round(q, c, s) ({ _xgen_enqueue((q), (s)); bool _c = (c); if (!_c) schedule(); !_c; })
#define _xgen_rounds(q, c, s) do { while (_xgen_round((q), c, s)) ; _xgen_dequeue(q); } while (0)
#define _xgen_wait_event(q, c, s) do { __xgen_sleeps(); if (!(c)) _xgen_rounds(&(q), c, s); } while (0)
#define wait_event(q, c) _xgen_wait_event(q, c, TASK_UNINTERRUPTIBLE)
#define wake_up(q) _xgen_wake_all((q), TASK_NORMAL)
#define wake_up_all(q) wake_up(q)
#define wake_up_interruptible(q) _xgen_wake_all((q), TASK_INTERRUPTIBLE)
