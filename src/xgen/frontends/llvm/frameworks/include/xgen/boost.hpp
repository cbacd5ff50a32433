// Boost.Test's macros, as tests use them
#pragma once
#include "tests.hpp"
#include <list>
#include <map>
#include <set>
#include <string>

namespace mpl_ {
struct na;  // what Boost's own lists of types are filled up with
}

namespace boost {
namespace unit_test {}  // tests say `using namespace boost::unit_test`, for names of decorators
namespace test_tools {}
}  // namespace boost

namespace xgen_tests {

// Types of a list that has them as its arguments, as std::tuple and boost::mpl::list have
template <template <class> class T, class Seen, class... Left> struct each_but_na;
template <template <class> class T, class... Seen> struct each_but_na<T, void(Seen *...)> : each_type<T, Seen...> {};
template <template <class> class T, class... Seen, class... Left>
struct each_but_na<T, void(Seen *...), mpl_::na, Left...> : each_but_na<T, void(Seen *...), Left...> {};
template <template <class> class T, class... Seen, class First, class... Left>
struct each_but_na<T, void(Seen *...), First, Left...> : each_but_na<T, void(Seen *..., First *), Left...> {};
template <template <class> class T, class List> struct each_of_boost;
template <template <class> class T, template <class...> class List, class... Types>
struct each_of_boost<T, List<Types...>> : each_but_na<T, void(), Types...> {};

// Texts of C are compared letter by letter
template <class A> constexpr bool is_text() {
  using B = std::decay_t<const A>;
  return std::is_same<B, char *>::value || std::is_same<B, const char *>::value;
}
template <class A> constexpr bool is_other_array() {
  using B = std::remove_cv_t<std::remove_pointer_t<std::decay_t<const A>>>;
  bool wide = std::is_same<B, wchar_t>::value && !std::is_same<std::remove_cv_t<A>, wchar_t>::value;
  return !is_text<A>() && (std::is_array<A>::value || wide);
}
template <class A, class B> std::enable_if_t<is_text<A>() && is_text<B>(), bool> boost_eq(const A &a, const B &b) {
  return same_text(a, b);
}
template <class A, class B> std::enable_if_t<!(is_text<A>() && is_text<B>()), bool> boost_eq(const A &a, const B &b) {
  static_assert(!is_other_array<A>() && !is_other_array<B>(), "xgen does not read a comparison of arrays");
  return static_cast<bool>(a == b);
}
template <class A, class B> bool boost_ne(const A &a, const B &b) { return !boost_eq(a, b); }
template <class I, class J> bool boost_all(I a, I a_end, J b, J b_end) {
  for (; a != a_end && b != b_end; ++a, ++b)
    if (!boost_eq(*a, *b)) return false;
  return a == a_end && b == b_end;
}

// The expression of BOOST_TEST: what stands on its left, until it is compared
template <class T> struct boost_left {
  T value;
  explicit operator bool() const { return static_cast<bool>(value); }
  template <class U> bool operator==(const U &b) const { return boost_eq(value, b); }
  template <class U> bool operator!=(const U &b) const {
    static_assert(!is_other_array<std::remove_reference_t<T>>(), "xgen does not read a comparison of arrays");
    return differs(b, std::integral_constant<bool, is_text<std::remove_reference_t<T>>() && is_text<U>()>());
  }
#define XGEN_ORDERED(op) \
  template <class U> bool operator op(const U &b) const { \
    using own = std::remove_reference_t<T>; \
    static_assert(!is_text<own>() && !is_other_array<own>(), "xgen does not read the order of texts of C, and arrays"); \
    return static_cast<bool>(value op b); \
  }
  XGEN_ORDERED(<) XGEN_ORDERED(<=) XGEN_ORDERED(>) XGEN_ORDERED(>=)
#undef XGEN_ORDERED
#define XGEN_COMPUTED(op) \
  template <class U> auto operator op(U &&b) const -> boost_left<decltype(std::declval<const T &>() op b)> { \
    return {value op b}; \
  }
  XGEN_COMPUTED(+) XGEN_COMPUTED(-) XGEN_COMPUTED(*) XGEN_COMPUTED(/) XGEN_COMPUTED(%)
  XGEN_COMPUTED(&) XGEN_COMPUTED(|) XGEN_COMPUTED(^) XGEN_COMPUTED(<<) XGEN_COMPUTED(>>)
#undef XGEN_COMPUTED
 private:
  template <class U> bool differs(const U &b, std::true_type) const { return boost_ne(value, b); }
  template <class U> bool differs(const U &b, std::false_type) const { return static_cast<bool>(value != b); }
};
struct boost_begin {
  template <class T> boost_left<T> operator->*(T &&value) const { return {std::forward<T>(value)}; }
};

// What a fixture may have
template <class F> auto boost_setup(F &f, int) -> decltype(f.setup()) { return f.setup(); }
template <class F> void boost_setup(F &, long) {}
template <class F> auto boost_teardown(F &f, int) -> decltype(f.teardown()) { return f.teardown(); }
template <class F> void boost_teardown(F &, long) {}
}  // namespace xgen_tests

namespace {
typedef ::xgen_tests::nothing xgen_boost_fixture;
}

// ---- tests: which suites one is in is seen from the name of a function there

#define XGEN_BOOST_BODY(fixture) \
  static constexpr int xgen_depth = 0; \
  void test_method(); \
  void xgen_body() { \
    ::xgen_tests::boost_setup(static_cast<fixture &>(*this), 0); \
    test_method(); \
    ::xgen_tests::boost_teardown(static_cast<fixture &>(*this), 0); \
  }
#define XGEN_BOOST_ENTRY(name, more, count, run) \
  struct name##_xgen_place { \
    static const char *place() { return __PRETTY_FUNCTION__; } \
  }; \
  static ::xgen_tests::test name##_xgen_entry("boost", name##_xgen_place::place(), #name, more, __FILE__, __LINE__, \
                                              count, run);
#define XGEN_BOOST_PLAIN(...) __VA_OPT__(static_assert(false, "xgen does not read decorators of Boost.Test");)
#define BOOST_FIXTURE_TEST_CASE(name, fixture, ...) \
  XGEN_BOOST_PLAIN(__VA_ARGS__) \
  struct name : public fixture { \
    XGEN_BOOST_BODY(fixture) \
  }; \
  XGEN_BOOST_ENTRY(name, "", 1, &::xgen_tests::with_case<name>) \
  void name::test_method()
#define BOOST_AUTO_TEST_CASE(name, ...) BOOST_FIXTURE_TEST_CASE(name, xgen_boost_fixture, __VA_ARGS__)
#define BOOST_FIXTURE_TEST_CASE_TEMPLATE(name, type, types, fixture) \
  template <class type> struct name : public fixture { \
    XGEN_BOOST_BODY(fixture) \
  }; \
  XGEN_BOOST_ENTRY(name, "<", (::xgen_tests::each_of_boost<name, types>::count), \
                   (&::xgen_tests::each_of_boost<name, types>::run)) \
  template <class type> void name<type>::test_method()
#define BOOST_AUTO_TEST_CASE_TEMPLATE(name, type, types) \
  BOOST_FIXTURE_TEST_CASE_TEMPLATE(name, type, types, xgen_boost_fixture)
#define BOOST_AUTO_TEST_SUITE(name, ...) \
  XGEN_BOOST_PLAIN(__VA_ARGS__) \
  namespace name {
#define BOOST_FIXTURE_TEST_SUITE(name, fixture, ...) \
  BOOST_AUTO_TEST_SUITE(name, __VA_ARGS__) \
  typedef fixture xgen_boost_fixture;
#define BOOST_AUTO_TEST_SUITE_END() }
#define BOOST_AUTO_TEST_CASE_EXPECTED_FAILURES(...) \
  static_assert(false, "xgen does not read BOOST_AUTO_TEST_CASE_EXPECTED_FAILURES")
#define BOOST_TEST_DECORATOR(...) static_assert(false, "xgen does not read BOOST_TEST_DECORATOR");
#define BOOST_GLOBAL_FIXTURE(F) static_assert(false, "xgen does not read BOOST_GLOBAL_FIXTURE")
#define BOOST_TEST_GLOBAL_FIXTURE(F) static_assert(false, "xgen does not read BOOST_TEST_GLOBAL_FIXTURE")
#define BOOST_GLOBAL_CONFIGURATION(F) static_assert(false, "xgen does not read BOOST_GLOBAL_CONFIGURATION")
#define BOOST_TEST_DONT_PRINT_LOG_VALUE(...) static_assert(true, "")

// ---- conditions: a test that fails one has come to its end, so that those that go on (CHECK) are as others are;
// WARN fails no test

#define BOOST_TEST_MESSAGE(...) static_cast<void>(0)
#define BOOST_TEST_CHECKPOINT(...) static_cast<void>(0)
#define BOOST_TEST_PASSPOINT() static_cast<void>(0)
#define BOOST_TEST_INFO(...) static_cast<void>(0)
#define BOOST_TEST_INFO_SCOPE(...) static_assert(true, "")
#define BOOST_TEST_CONTEXT(...) if (true)
#define BOOST_ERROR(...) ::xgen_failed("BOOST_ERROR(" #__VA_ARGS__ ")")
#define BOOST_FAIL(...) ::xgen_failed("BOOST_FAIL(" #__VA_ARGS__ ")")
// Behind the condition may stand how it is compared, or a message: not read
#define XGEN_BOOST_TEST(name, text, e, ...) \
  __VA_OPT__(if (true) ::xgen_refused(name " of a condition and more"); else) \
  XGEN_HOLDS(name "(" text ")", (::xgen_tests::boost_begin()->*e))
#define BOOST_CHECK(...) XGEN_HOLDS("BOOST_CHECK(" #__VA_ARGS__ ")", __VA_ARGS__)
#define BOOST_CHECK_EQUAL(a, b) XGEN_HOLDS("BOOST_CHECK_EQUAL(" #a ", " #b ")", ::xgen_tests::boost_eq(a, b))
#define BOOST_CHECK_NE(a, b) XGEN_HOLDS("BOOST_CHECK_NE(" #a ", " #b ")", ::xgen_tests::boost_ne(a, b))
#define BOOST_CHECK_LT(a, b) XGEN_HOLDS("BOOST_CHECK_LT(" #a ", " #b ")", ::xgen_tests::lt(a, b))
#define BOOST_CHECK_LE(a, b) XGEN_HOLDS("BOOST_CHECK_LE(" #a ", " #b ")", ::xgen_tests::le(a, b))
#define BOOST_CHECK_GT(a, b) XGEN_HOLDS("BOOST_CHECK_GT(" #a ", " #b ")", ::xgen_tests::gt(a, b))
#define BOOST_CHECK_GE(a, b) XGEN_HOLDS("BOOST_CHECK_GE(" #a ", " #b ")", ::xgen_tests::ge(a, b))
#define BOOST_CHECK_MESSAGE(c, ...) XGEN_HOLDS("BOOST_CHECK_MESSAGE(" #c ")", c)
#define BOOST_CHECK_EQUAL_COLLECTIONS(a, b, c, d) \
  XGEN_HOLDS("BOOST_CHECK_EQUAL_COLLECTIONS(" #a ", " #b ", " #c ", " #d ")", ::xgen_tests::boost_all(a, b, c, d))
#define BOOST_CHECK_THROW(s, E) XGEN_HOLDS("BOOST_CHECK_THROW(" #s ", " #E ")", ::xgen_tests::throws_a<E>(XGEN_DONE(s)))
#define BOOST_CHECK_NO_THROW(...) \
  XGEN_HOLDS("BOOST_CHECK_NO_THROW(" #__VA_ARGS__ ")", !::xgen_tests::throws(XGEN_DONE(__VA_ARGS__)))
#define BOOST_CHECK_EXCEPTION(...) XGEN_REFUSES("BOOST_CHECK_EXCEPTION")
#define BOOST_CHECK_PREDICATE(...) XGEN_REFUSES("BOOST_CHECK_PREDICATE")
#define BOOST_CHECK_CLOSE(...) XGEN_REFUSES("BOOST_CHECK_CLOSE")
#define BOOST_CHECK_CLOSE_FRACTION(...) XGEN_REFUSES("BOOST_CHECK_CLOSE_FRACTION")
#define BOOST_CHECK_SMALL(...) XGEN_REFUSES("BOOST_CHECK_SMALL")
#define BOOST_CHECK_BITWISE_EQUAL(...) XGEN_REFUSES("BOOST_CHECK_BITWISE_EQUAL")
#define BOOST_REQUIRE(...) XGEN_HOLDS("BOOST_REQUIRE(" #__VA_ARGS__ ")", __VA_ARGS__)
#define BOOST_REQUIRE_EQUAL(a, b) XGEN_HOLDS("BOOST_REQUIRE_EQUAL(" #a ", " #b ")", ::xgen_tests::boost_eq(a, b))
#define BOOST_REQUIRE_NE(a, b) XGEN_HOLDS("BOOST_REQUIRE_NE(" #a ", " #b ")", ::xgen_tests::boost_ne(a, b))
#define BOOST_REQUIRE_LT(a, b) XGEN_HOLDS("BOOST_REQUIRE_LT(" #a ", " #b ")", ::xgen_tests::lt(a, b))
#define BOOST_REQUIRE_LE(a, b) XGEN_HOLDS("BOOST_REQUIRE_LE(" #a ", " #b ")", ::xgen_tests::le(a, b))
#define BOOST_REQUIRE_GT(a, b) XGEN_HOLDS("BOOST_REQUIRE_GT(" #a ", " #b ")", ::xgen_tests::gt(a, b))
#define BOOST_REQUIRE_GE(a, b) XGEN_HOLDS("BOOST_REQUIRE_GE(" #a ", " #b ")", ::xgen_tests::ge(a, b))
#define BOOST_REQUIRE_MESSAGE(c, ...) XGEN_HOLDS("BOOST_REQUIRE_MESSAGE(" #c ")", c)
#define BOOST_REQUIRE_EQUAL_COLLECTIONS(a, b, c, d) \
  XGEN_HOLDS("BOOST_REQUIRE_EQUAL_COLLECTIONS(" #a ", " #b ", " #c ", " #d ")", ::xgen_tests::boost_all(a, b, c, d))
#define BOOST_REQUIRE_THROW(s, E) \
  XGEN_HOLDS("BOOST_REQUIRE_THROW(" #s ", " #E ")", ::xgen_tests::throws_a<E>(XGEN_DONE(s)))
#define BOOST_REQUIRE_NO_THROW(...) \
  XGEN_HOLDS("BOOST_REQUIRE_NO_THROW(" #__VA_ARGS__ ")", !::xgen_tests::throws(XGEN_DONE(__VA_ARGS__)))
#define BOOST_REQUIRE_EXCEPTION(...) XGEN_REFUSES("BOOST_REQUIRE_EXCEPTION")
#define BOOST_REQUIRE_PREDICATE(...) XGEN_REFUSES("BOOST_REQUIRE_PREDICATE")
#define BOOST_REQUIRE_CLOSE(...) XGEN_REFUSES("BOOST_REQUIRE_CLOSE")
#define BOOST_REQUIRE_CLOSE_FRACTION(...) XGEN_REFUSES("BOOST_REQUIRE_CLOSE_FRACTION")
#define BOOST_REQUIRE_SMALL(...) XGEN_REFUSES("BOOST_REQUIRE_SMALL")
#define BOOST_REQUIRE_BITWISE_EQUAL(...) XGEN_REFUSES("BOOST_REQUIRE_BITWISE_EQUAL")
#define BOOST_WARN(...) static_cast<void>((__VA_ARGS__))
#define BOOST_WARN_EQUAL(a, b) static_cast<void>(::xgen_tests::boost_eq(a, b))
#define BOOST_WARN_NE(a, b) static_cast<void>(::xgen_tests::boost_ne(a, b))
#define BOOST_WARN_LT(a, b) static_cast<void>(::xgen_tests::lt(a, b))
#define BOOST_WARN_LE(a, b) static_cast<void>(::xgen_tests::le(a, b))
#define BOOST_WARN_GT(a, b) static_cast<void>(::xgen_tests::gt(a, b))
#define BOOST_WARN_GE(a, b) static_cast<void>(::xgen_tests::ge(a, b))
#define BOOST_WARN_MESSAGE(c, ...) static_cast<void>((c))
#define BOOST_WARN_EQUAL_COLLECTIONS(a, b, c, d) static_cast<void>(::xgen_tests::boost_all(a, b, c, d))
#define BOOST_WARN_THROW(s, E) static_cast<void>(::xgen_tests::throws_a<E>(XGEN_DONE(s)))
#define BOOST_WARN_NO_THROW(...) static_cast<void>(!::xgen_tests::throws(XGEN_DONE(__VA_ARGS__)))
#define BOOST_WARN_EXCEPTION(...) XGEN_REFUSES("BOOST_WARN_EXCEPTION")
#define BOOST_WARN_PREDICATE(...) XGEN_REFUSES("BOOST_WARN_PREDICATE")
#define BOOST_WARN_CLOSE(...) XGEN_REFUSES("BOOST_WARN_CLOSE")
#define BOOST_WARN_CLOSE_FRACTION(...) XGEN_REFUSES("BOOST_WARN_CLOSE_FRACTION")
#define BOOST_WARN_SMALL(...) XGEN_REFUSES("BOOST_WARN_SMALL")
#define BOOST_WARN_BITWISE_EQUAL(...) XGEN_REFUSES("BOOST_WARN_BITWISE_EQUAL")
#define BOOST_TEST(...) XGEN_BOOST_TEST("BOOST_TEST", #__VA_ARGS__, __VA_ARGS__)
#define BOOST_TEST_CHECK(...) XGEN_BOOST_TEST("BOOST_TEST_CHECK", #__VA_ARGS__, __VA_ARGS__)
#define BOOST_TEST_REQUIRE(...) XGEN_BOOST_TEST("BOOST_TEST_REQUIRE", #__VA_ARGS__, __VA_ARGS__)
#define BOOST_TEST_WARN(e, ...) static_cast<void>(::xgen_tests::boost_begin()->*e)
#define XGEN_REFUSES(name) ::xgen_refused(name)
