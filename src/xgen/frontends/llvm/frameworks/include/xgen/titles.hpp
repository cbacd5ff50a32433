// What doctest and Catch2 share: conditions that are said in the same words
#pragma once
#include "tests.hpp"
#include <exception>
#include <iosfwd>
#include <string>

namespace xgen_tests {
struct approximate {  // a number that others are near to: `part` of its size, or `most`; with a `scale`, of both
  double value, part = 1.1920928955078125e-5, most = 0, scale = 0;
  explicit approximate(double v, double s = 0) : value(v), scale(s) {}
  approximate &epsilon(double e) { return part = e, *this; }
  approximate &margin(double m) { return most = m, *this; }
  approximate operator()(double v) const {
    approximate other = *this;
    return other.value = v, other;
  }
  bool is(double other) const {
    double far = other < value ? value - other : other - value;
    double size = value < 0 ? -value : value, others = other < 0 ? -other : other;
    if (scale == 0) return far <= most || far <= part * size;
    return far < part * (scale + (others > size ? others : size));
  }
  template <class T> friend bool operator==(const T &a, const approximate &b) { return b.is(static_cast<double>(a)); }
  template <class T> friend bool operator==(const approximate &b, const T &a) { return b.is(static_cast<double>(a)); }
  template <class T> friend bool operator!=(const T &a, const approximate &b) { return !b.is(static_cast<double>(a)); }
};
inline const char *text_of(const char *text) { return text; }
inline const char *text_of(const std::string &text) { return text.c_str(); }
}  // namespace xgen_tests

#define XGEN_NOT(text, ...) XGEN_HOLDS(text, !static_cast<bool>(__VA_ARGS__))
#define CHECK(...) XGEN_HOLDS("CHECK(" #__VA_ARGS__ ")", __VA_ARGS__)
#define REQUIRE(...) XGEN_HOLDS("REQUIRE(" #__VA_ARGS__ ")", __VA_ARGS__)
#define CHECK_FALSE(...) XGEN_NOT("CHECK_FALSE(" #__VA_ARGS__ ")", __VA_ARGS__)
#define REQUIRE_FALSE(...) XGEN_NOT("REQUIRE_FALSE(" #__VA_ARGS__ ")", __VA_ARGS__)
#define CHECK_NOTHROW(...) XGEN_HOLDS("CHECK_NOTHROW(" #__VA_ARGS__ ")", !::xgen_tests::throws(XGEN_DONE(__VA_ARGS__)))
#define REQUIRE_NOTHROW(...) \
  XGEN_HOLDS("REQUIRE_NOTHROW(" #__VA_ARGS__ ")", !::xgen_tests::throws(XGEN_DONE(__VA_ARGS__)))
#define CHECK_THROWS(...) XGEN_HOLDS("CHECK_THROWS(" #__VA_ARGS__ ")", ::xgen_tests::throws(XGEN_DONE(__VA_ARGS__)))
#define REQUIRE_THROWS(...) XGEN_HOLDS("REQUIRE_THROWS(" #__VA_ARGS__ ")", ::xgen_tests::throws(XGEN_DONE(__VA_ARGS__)))
#define XGEN_THROWS_AS(name, s, ...) \
  XGEN_HOLDS(name "(" #s ", " #__VA_ARGS__ ")", \
             ::xgen_tests::throws_a<std::remove_cv_t<std::remove_reference_t<__VA_ARGS__>>>(XGEN_DONE(s)))
#define CHECK_THROWS_AS(s, ...) XGEN_THROWS_AS("CHECK_THROWS_AS", s, __VA_ARGS__)
#define REQUIRE_THROWS_AS(s, ...) XGEN_THROWS_AS("REQUIRE_THROWS_AS", s, __VA_ARGS__)
#define XGEN_THROWS_WITH(name, s, what) \
  XGEN_HOLDS(name "(" #s ", " #what ")", ::xgen_tests::throws_with(XGEN_DONE(s), ::xgen_tests::text_of(what)))
#define CHECK_THROWS_WITH(s, what) XGEN_THROWS_WITH("CHECK_THROWS_WITH", s, what)
#define REQUIRE_THROWS_WITH(s, what) XGEN_THROWS_WITH("REQUIRE_THROWS_WITH", s, what)
#define WARN(...) static_cast<void>(0)
#define INFO(...) static_assert(true, "")
#define CAPTURE(...) static_assert(true, "")
#define FAIL(...) ::xgen_failed("FAIL(" #__VA_ARGS__ ")")
#define FAIL_CHECK(...) ::xgen_failed("FAIL_CHECK(" #__VA_ARGS__ ")")
#define XGEN_REFUSES(name) ::xgen_refused(name)
