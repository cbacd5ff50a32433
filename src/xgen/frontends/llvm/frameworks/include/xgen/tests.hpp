// Tests of C++ as the reader sees them: a list that static objects make of themselves, and what it is asked and told.
#pragma once
#include <cstddef>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <memory>
#include <ostream>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

extern "C" {
// The number of the test that is to run (0; less than 0: all are to be told of), and which of its values or types (1).
int xgen_asked(int what);
// A test: its framework's way of naming it, suite, name, values or types, file, line, how many it has of them.
void xgen_told(const char *kind, const char *suite, const char *name, const char *more, const char *file, int line,
               int count);
// Whether a part of a test (SUBCASE, SECTION) is to run; `depth`: how many parts it stands in.
int xgen_part(const char *name, int line, int depth);
[[noreturn]] void xgen_failed(const char *condition);
[[noreturn]] void xgen_refused(const char *what);
void xgen_skips(void);
}

constexpr int xgen_depth = 1000;  // in no test; the bodies of tests have a 0 of this name, the parts in them more

namespace xgen_tests {

struct instance {  // values that tests of a suite are run with
  const char *prefix;
  int (*count)();
  void (*set)(int);
  instance *next;
  instance(instance *&first, const char *p, int (*c)(), void (*s)(int)) : prefix(p), count(c), set(s), next(nullptr) {
    instance **end = &first;
    while (*end) end = &(*end)->next;
    *end = this;
  }
};

struct test {
  const char *kind, *suite, *name, *more, *file;
  int line, count;
  void (*run)(int);
  instance **values;
  test *next;
  test(const char *k, const char *s, const char *n, const char *m, const char *f, int l, int c, void (*r)(int),
       instance **v = nullptr);
};

inline test *first = nullptr, *last = nullptr;

inline test::test(const char *k, const char *s, const char *n, const char *m, const char *f, int l, int c,
                  void (*r)(int), instance **v)
    : kind(k), suite(s), name(n), more(m), file(f), line(l), count(c), run(r), values(v), next(nullptr) {
  (last ? last->next : first) = this;
  last = this;
}

inline bool same_text(const char *a, const char *b) {
  if (!a || !b) return a == b;
  while (*a && *a == *b) ++a, ++b;
  return *a == *b;
}
inline bool has_text(const char *a, const char *part) {
  for (; *a; ++a) {
    int k = 0;
    while (part[k] && a[k] == part[k]) ++k;
    if (!part[k]) return true;
  }
  return false;
}

inline void run_one(const test &t, int number) {
  if (t.values)
    for (instance *i = *t.values; i; i = i->next) {
      int count = i->count();
      if (number < count) {
        i->set(number);
        break;
      }
      number -= count;
    }
  if (same_text(t.kind, "fails") || has_text(t.more, "[!shouldfail]")) ::xgen_refused("a test that is to fail");
  t.run(number);
}

inline int run() {
  int wanted = ::xgen_asked(0), number = 0;
  const test *found = nullptr;
  for (test *t = first; t; t = t->next, ++number) {
    if (wanted == number) found = t;
    if (wanted >= 0) continue;
    ::xgen_told(t->kind, t->suite, t->name, t->more, t->file, t->line, t->count);
    if (t->values)
      for (instance *i = *t->values; i; i = i->next) ::xgen_told("values", "", "", i->prefix, "", 0, i->count());
  }
  if (found) run_one(*found, ::xgen_asked(1));  // in no loop, whose rounds might not be known behind the test
  return 0;
}

// What is streamed behind a condition: it comes after the end, so that nothing of it is compiled.
struct sink {
  template <class T> sink &operator<<(const T &) { return *this; }
  sink &operator<<(std::ostream &(*)(std::ostream &)) { return *this; }
};
struct drop {
  template <class T> void operator=(const T &) {}
};
struct nothing {};

template <class A, class B> bool eq(const A &a, const B &b) { return static_cast<bool>(a == b); }
template <class B> bool eq(const long &, B *const &b) { return b == nullptr; }  // NULL
template <class A, class B> bool ne(const A &a, const B &b) { return static_cast<bool>(a != b); }
template <class B> bool ne(const long &, B *const &b) { return b != nullptr; }
template <class A, class B> bool lt(const A &a, const B &b) { return static_cast<bool>(a < b); }
template <class A, class B> bool le(const A &a, const B &b) { return static_cast<bool>(a <= b); }
template <class A, class B> bool gt(const A &a, const B &b) { return static_cast<bool>(a > b); }
template <class A, class B> bool ge(const A &a, const B &b) { return static_cast<bool>(a >= b); }

inline char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
inline bool same_letters(const char *a, const char *b) {
  if (!a || !b) return a == b;
  while (*a && lower(*a) == lower(*b)) ++a, ++b;
  return lower(*a) == lower(*b);
}
template <class D> bool near(D a, D b, D most) { return a == b || (a - b <= most && b - a <= most); }
template <class D, class I> bool in_four(D a, D b) {  // at most four numbers of that type further
  if (a != a || b != b) return false;
  if (a == b) return true;
  I x, y;
  __builtin_memcpy(&x, &a, sizeof a);
  __builtin_memcpy(&y, &b, sizeof b);
  if ((x < 0) != (y < 0)) return (x & ~(I(1) << (8 * sizeof(I) - 1))) + (y & ~(I(1) << (8 * sizeof(I) - 1))) <= 4;
  return (x < y ? y - x : x - y) <= 4;
}

#if __cpp_exceptions
template <class F> bool throws(const F &f) {
  try {
    f();
  } catch (...) {
    return true;
  }
  return false;
}
template <class E, class F> bool throws_a(const F &f) {
  try {
    f();
  } catch (const E &) {
    return true;
  } catch (...) {
  }
  return false;
}
template <class F> bool throws_with(const F &f, const char *what) {
  try {
    f();
  } catch (const std::exception &e) {
    return same_text(e.what(), what);
  } catch (...) {
  }
  return false;
}

template <class E, class F> bool throws_a_with(const F &f, const char *what) {
  try {
    f();
  } catch (const E &e) {
    return same_text(e.what(), what);
  } catch (...) {
  }
  return false;
}
#else  // nothing is thrown then
template <class F> bool throws(const F &f) { return f(), false; }
template <class E, class F> bool throws_a(const F &f) { return f(), false; }
template <class F> bool throws_with(const F &f, const char *) { return f(), false; }
template <class E, class F> bool throws_a_with(const F &f, const char *) { return f(), false; }
#endif

template <class T> void with_case(int) {
  T test;
  test.xgen_body();
}
template <template <class> class T, class... Types> struct each_type {
  static constexpr int count = sizeof...(Types);
  static void run(int number) {
    using function = void (*)(int);
    static constexpr function runs[] = {&with_case<T<Types>>...};
    runs[number](0);
  }
};
template <template <class> class T, class List> struct each_listed;
template <template <class> class T, template <class...> class List, class... Types>
struct each_listed<T, List<Types...>> : each_type<T, Types...> {};

}  // namespace xgen_tests

extern "C" __attribute__((weak)) int xgen_tests_main() { return xgen_tests::run(); }
extern "C" inline int xgen_tests_in_main() { return xgen_tests::run(); }  // which only a main of the tests has in it

#define XGEN_JOIN2(a, b) a##b
#define XGEN_JOIN(a, b) XGEN_JOIN2(a, b)
// m(a, x) for each x
#define XGEN_EACH(m, a, ...) __VA_OPT__(XGEN_SEEN3(XGEN_EACH1(m, a, __VA_ARGS__)))
#define XGEN_EACH1(m, a, x, ...) m(a, x) __VA_OPT__(XGEN_MORE XGEN_NONE()(m, a, __VA_ARGS__))
#define XGEN_MORE() XGEN_EACH1
#define XGEN_NONE() ()
#define XGEN_SEEN3(...) XGEN_SEEN2(XGEN_SEEN2(XGEN_SEEN2(XGEN_SEEN2(__VA_ARGS__))))
#define XGEN_SEEN2(...) XGEN_SEEN1(XGEN_SEEN1(XGEN_SEEN1(XGEN_SEEN1(__VA_ARGS__))))
#define XGEN_SEEN1(...) XGEN_SEEN0(XGEN_SEEN0(XGEN_SEEN0(XGEN_SEEN0(__VA_ARGS__))))
#define XGEN_SEEN0(...) __VA_ARGS__
#define XGEN_FAILED(text) ::xgen_failed(text), ::xgen_tests::sink()
#define XGEN_HOLDS(text, ...) \
  if (static_cast<bool>(__VA_ARGS__)) { \
  } else \
    XGEN_FAILED(text)
#define XGEN_DONE(...) [&]() { __VA_ARGS__; }
#define XGEN_PART(name) \
  if (constexpr int xgen_outer = xgen_depth; false) { \
  } else if (constexpr int xgen_depth = xgen_outer + 1; ::xgen_part(name, __LINE__, xgen_depth - 1))
// A test by its title, of a fixture
#define XGEN_CASE(kind, id, fixture, title, more) \
  namespace { \
  struct XGEN_JOIN(xgen_case_, id) : fixture { \
    static constexpr int xgen_depth = 0; \
    void xgen_body(); \
  }; \
  } \
  static ::xgen_tests::test XGEN_JOIN(xgen_entry_, id)(kind, "", title, more, __FILE__, __LINE__, 1, \
                                                       &::xgen_tests::with_case<XGEN_JOIN(xgen_case_, id)>); \
  void XGEN_JOIN(xgen_case_, id)::xgen_body()
#define XGEN_CASE_OF_TYPES(kind, id, type, title, more, count, run, base) \
  namespace { \
  template <class type> struct XGEN_JOIN(xgen_case_, id) : base { \
    static constexpr int xgen_depth = 0; \
    void xgen_body(); \
  }; \
  } \
  static ::xgen_tests::test XGEN_JOIN(xgen_entry_, id)(kind, "", title, more, __FILE__, __LINE__, count, run); \
  template <class type> void XGEN_JOIN(xgen_case_, id)<type>::xgen_body()
