// doctest's macros, as tests use them
#pragma once
#include "../xgen/titles.hpp"

namespace doctest {
struct Approx : ::xgen_tests::approximate {
  explicit Approx(double v) : approximate(v, 1) {}
};
using String = std::string;
struct title {  // of a test, with what is said of it behind
  const char *text;
  bool skipped, fails;
  constexpr title(const char *t, bool s = false, bool f = false) : text(t), skipped(s), fails(f) {}
};
struct decorator {
  bool skipped, fails;
};
constexpr title operator*(const title &a, const decorator &b) {
  return title(a.text, a.skipped || b.skipped, a.fails || b.fails);
}
constexpr decorator skip(bool is = true) { return {is, false}; }
constexpr decorator should_fail(bool is = true) { return {false, is}; }
constexpr decorator expected_failures(int) { return {false, true}; }
constexpr decorator may_fail(bool = true) { return {false, false}; }
constexpr decorator timeout(double) { return {false, false}; }
constexpr decorator description(const char *) { return {false, false}; }
constexpr decorator test_suite(const char *) { return {false, false}; }
constexpr decorator no_breaks(bool = true) { return {false, false}; }
constexpr decorator no_output(bool = true) { return {false, false}; }

class Context {
 public:
  Context(int = 0, const char *const * = nullptr) {}
  void applyCommandLine(int, const char *const *) {}
  template <class T> void addFilter(const char *, const T &) {}
  void clearFilters() {}
  template <class T> void setOption(const char *, const T &) {}
  template <class T> void overrideOption(const char *, const T &) {}
  bool shouldExit() { return false; }
  void setAsDefaultForAssertsOutOfTestCases() {}
  void setCout(std::ostream *) {}
  int run() { return ::xgen_tests_in_main(); }
};
}  // namespace doctest

// `"title" * decorator * ...`: what is first in it becomes a title that decorators can be multiplied with
struct xgen_titled {};
constexpr ::doctest::title operator*(const ::xgen_titled &, const char *text) { return ::doctest::title(text); }
#define XGEN_TITLE(...) (::xgen_titled() * __VA_ARGS__)
#define XGEN_WAY(title) ((title).fails ? "fails" : (title).skipped ? "skipped" : "doctest")
#define XGEN_DOCTEST(id, fixture, ...) XGEN_DOCTEST2(id, fixture, XGEN_TITLE(__VA_ARGS__))
#define XGEN_DOCTEST2(id, fixture, title) XGEN_CASE(XGEN_WAY(title), id, fixture, (title).text, "")
#define TEST_CASE(...) XGEN_DOCTEST(__COUNTER__, ::xgen_tests::nothing, __VA_ARGS__)
#define TEST_CASE_FIXTURE(fixture, ...) XGEN_DOCTEST(__COUNTER__, fixture, __VA_ARGS__)
#define SCENARIO(text) TEST_CASE("  Scenario: " text)
#define XGEN_DOCTEST_TYPES(id, title, type, ...) XGEN_DOCTEST_TYPES2(id, title, type, #__VA_ARGS__, __VA_ARGS__)
#define XGEN_DOCTEST_TYPES2(id, title, type, texts, ...) \
  namespace { \
  template <class type> struct XGEN_JOIN(xgen_case_, id); \
  using XGEN_JOIN(xgen_types_, id) = ::xgen_tests::each_type<XGEN_JOIN(xgen_case_, id), __VA_ARGS__>; \
  } \
  XGEN_CASE_OF_TYPES(XGEN_WAY(XGEN_TITLE(title)), id, type, XGEN_TITLE(title).text, "<" texts, \
                     XGEN_JOIN(xgen_types_, id)::count, &XGEN_JOIN(xgen_types_, id)::run, ::xgen_tests::nothing)
#define TEST_CASE_TEMPLATE(title, type, ...) XGEN_DOCTEST_TYPES(__COUNTER__, title, type, __VA_ARGS__)
#define SCENARIO_TEMPLATE(title, type, ...) XGEN_DOCTEST_TYPES(__COUNTER__, "  Scenario: " title, type, __VA_ARGS__)
#define TEST_CASE_TEMPLATE_DEFINE(title, type, id) XGEN_DEFINED2(title, type, id)
#define XGEN_DEFINED2(title, type, id) \
  namespace { \
  template <class type> struct xgen_case_##id : ::xgen_tests::nothing { \
    static constexpr int xgen_depth = 0; \
    void xgen_body(); \
  }; \
  constexpr const char *xgen_title_##id = XGEN_TITLE(title).text; \
  } \
  template <class type> void xgen_case_##id<type>::xgen_body()
#define TEST_CASE_TEMPLATE_INVOKE(id, ...) XGEN_INVOKED(__COUNTER__, id, #__VA_ARGS__, __VA_ARGS__)
#define TEST_CASE_TEMPLATE_APPLY(id, ...) static_assert(false, "TEST_CASE_TEMPLATE_APPLY is not read")
#define XGEN_INVOKED(number, id, texts, ...) \
  using XGEN_JOIN(xgen_types_, number) = ::xgen_tests::each_type<xgen_case_##id, __VA_ARGS__>; \
  static ::xgen_tests::test XGEN_JOIN(xgen_entry_, number)("doctest", "", xgen_title_##id, "<" texts, __FILE__, \
                                                           __LINE__, XGEN_JOIN(xgen_types_, number)::count, \
                                                           &XGEN_JOIN(xgen_types_, number)::run)
#define TEST_SUITE(...) namespace XGEN_JOIN(xgen_suite_, __LINE__)
#define TEST_SUITE_BEGIN(...) static_assert(true, "")
#define TEST_SUITE_END(...) static_assert(true, "")
#define SUBCASE(...) XGEN_PART(::xgen_tests::text_of(__VA_ARGS__))
#define GIVEN(text) SUBCASE("   Given: " text)
#define WHEN(text) SUBCASE("    When: " text)
#define AND_WHEN(text) SUBCASE("And when: " text)
#define THEN(text) SUBCASE("    Then: " text)
#define AND_THEN(text) SUBCASE("     And: " text)
#define CHECK_MESSAGE(c, ...) XGEN_HOLDS("CHECK_MESSAGE(" #c ")", c)
#define REQUIRE_MESSAGE(c, ...) XGEN_HOLDS("REQUIRE_MESSAGE(" #c ")", c)
#define CHECK_FALSE_MESSAGE(c, ...) XGEN_NOT("CHECK_FALSE_MESSAGE(" #c ")", c)
#define REQUIRE_FALSE_MESSAGE(c, ...) XGEN_NOT("REQUIRE_FALSE_MESSAGE(" #c ")", c)
#define CHECK_UNARY(...) XGEN_HOLDS("CHECK_UNARY(" #__VA_ARGS__ ")", __VA_ARGS__)
#define REQUIRE_UNARY(...) XGEN_HOLDS("REQUIRE_UNARY(" #__VA_ARGS__ ")", __VA_ARGS__)
#define CHECK_UNARY_FALSE(...) XGEN_NOT("CHECK_UNARY_FALSE(" #__VA_ARGS__ ")", __VA_ARGS__)
#define REQUIRE_UNARY_FALSE(...) XGEN_NOT("REQUIRE_UNARY_FALSE(" #__VA_ARGS__ ")", __VA_ARGS__)
#define XGEN_THROWS_BOTH(name, s, what, ...) \
  XGEN_HOLDS(name "(" #s ", " #what ", " #__VA_ARGS__ ")", \
             ::xgen_tests::throws_a_with<std::remove_cv_t<std::remove_reference_t<__VA_ARGS__>>>( \
                 XGEN_DONE(s), ::xgen_tests::text_of(what)))
#define CHECK_THROWS_WITH_AS(s, what, ...) XGEN_THROWS_BOTH("CHECK_THROWS_WITH_AS", s, what, __VA_ARGS__)
#define REQUIRE_THROWS_WITH_AS(s, what, ...) XGEN_THROWS_BOTH("REQUIRE_THROWS_WITH_AS", s, what, __VA_ARGS__)
#define MESSAGE(...) static_assert(true, "")
#define WARN_MESSAGE(...) static_cast<void>(0)
#define WARN_FALSE(...) static_cast<void>(0)
#define ADD_FAIL_AT(file, line, ...) ::xgen_failed("ADD_FAIL_AT(" #file ", " #line ")")
#define ADD_FAIL_CHECK_AT(file, line, ...) ::xgen_failed("ADD_FAIL_CHECK_AT(" #file ", " #line ")")
#define CHECK_EQ(a, b) XGEN_HOLDS("CHECK_EQ(" #a ", " #b ")", ::xgen_tests::eq(a, b))
#define CHECK_NE(a, b) XGEN_HOLDS("CHECK_NE(" #a ", " #b ")", ::xgen_tests::ne(a, b))
#define CHECK_LT(a, b) XGEN_HOLDS("CHECK_LT(" #a ", " #b ")", ::xgen_tests::lt(a, b))
#define CHECK_LE(a, b) XGEN_HOLDS("CHECK_LE(" #a ", " #b ")", ::xgen_tests::le(a, b))
#define CHECK_GT(a, b) XGEN_HOLDS("CHECK_GT(" #a ", " #b ")", ::xgen_tests::gt(a, b))
#define CHECK_GE(a, b) XGEN_HOLDS("CHECK_GE(" #a ", " #b ")", ::xgen_tests::ge(a, b))
#define REQUIRE_EQ(a, b) XGEN_HOLDS("REQUIRE_EQ(" #a ", " #b ")", ::xgen_tests::eq(a, b))
#define REQUIRE_NE(a, b) XGEN_HOLDS("REQUIRE_NE(" #a ", " #b ")", ::xgen_tests::ne(a, b))
#define REQUIRE_LT(a, b) XGEN_HOLDS("REQUIRE_LT(" #a ", " #b ")", ::xgen_tests::lt(a, b))
#define REQUIRE_LE(a, b) XGEN_HOLDS("REQUIRE_LE(" #a ", " #b ")", ::xgen_tests::le(a, b))
#define REQUIRE_GT(a, b) XGEN_HOLDS("REQUIRE_GT(" #a ", " #b ")", ::xgen_tests::gt(a, b))
#define REQUIRE_GE(a, b) XGEN_HOLDS("REQUIRE_GE(" #a ", " #b ")", ::xgen_tests::ge(a, b))

// The long names
#define DOCTEST_ADD_FAIL_AT ADD_FAIL_AT
#define DOCTEST_ADD_FAIL_CHECK_AT ADD_FAIL_CHECK_AT
#define DOCTEST_AND_THEN AND_THEN
#define DOCTEST_AND_WHEN AND_WHEN
#define DOCTEST_CAPTURE CAPTURE
#define DOCTEST_CHECK CHECK
#define DOCTEST_CHECK_EQ CHECK_EQ
#define DOCTEST_CHECK_FALSE CHECK_FALSE
#define DOCTEST_CHECK_FALSE_MESSAGE CHECK_FALSE_MESSAGE
#define DOCTEST_CHECK_GE CHECK_GE
#define DOCTEST_CHECK_GT CHECK_GT
#define DOCTEST_CHECK_LE CHECK_LE
#define DOCTEST_CHECK_LT CHECK_LT
#define DOCTEST_CHECK_MESSAGE CHECK_MESSAGE
#define DOCTEST_CHECK_NE CHECK_NE
#define DOCTEST_CHECK_NOTHROW CHECK_NOTHROW
#define DOCTEST_CHECK_THROWS CHECK_THROWS
#define DOCTEST_CHECK_THROWS_AS CHECK_THROWS_AS
#define DOCTEST_CHECK_THROWS_WITH CHECK_THROWS_WITH
#define DOCTEST_CHECK_THROWS_WITH_AS CHECK_THROWS_WITH_AS
#define DOCTEST_CHECK_UNARY CHECK_UNARY
#define DOCTEST_CHECK_UNARY_FALSE CHECK_UNARY_FALSE
#define DOCTEST_FAIL FAIL
#define DOCTEST_FAIL_CHECK FAIL_CHECK
#define DOCTEST_GIVEN GIVEN
#define DOCTEST_INFO INFO
#define DOCTEST_MESSAGE MESSAGE
#define DOCTEST_REQUIRE REQUIRE
#define DOCTEST_REQUIRE_EQ REQUIRE_EQ
#define DOCTEST_REQUIRE_FALSE REQUIRE_FALSE
#define DOCTEST_REQUIRE_FALSE_MESSAGE REQUIRE_FALSE_MESSAGE
#define DOCTEST_REQUIRE_GE REQUIRE_GE
#define DOCTEST_REQUIRE_GT REQUIRE_GT
#define DOCTEST_REQUIRE_LE REQUIRE_LE
#define DOCTEST_REQUIRE_LT REQUIRE_LT
#define DOCTEST_REQUIRE_MESSAGE REQUIRE_MESSAGE
#define DOCTEST_REQUIRE_NE REQUIRE_NE
#define DOCTEST_REQUIRE_NOTHROW REQUIRE_NOTHROW
#define DOCTEST_REQUIRE_THROWS REQUIRE_THROWS
#define DOCTEST_REQUIRE_THROWS_AS REQUIRE_THROWS_AS
#define DOCTEST_REQUIRE_THROWS_WITH REQUIRE_THROWS_WITH
#define DOCTEST_REQUIRE_THROWS_WITH_AS REQUIRE_THROWS_WITH_AS
#define DOCTEST_REQUIRE_UNARY REQUIRE_UNARY
#define DOCTEST_REQUIRE_UNARY_FALSE REQUIRE_UNARY_FALSE
#define DOCTEST_SCENARIO SCENARIO
#define DOCTEST_SCENARIO_TEMPLATE SCENARIO_TEMPLATE
#define DOCTEST_SUBCASE SUBCASE
#define DOCTEST_TEST_CASE TEST_CASE
#define DOCTEST_TEST_CASE_FIXTURE TEST_CASE_FIXTURE
#define DOCTEST_TEST_CASE_TEMPLATE TEST_CASE_TEMPLATE
#define DOCTEST_TEST_CASE_TEMPLATE_APPLY TEST_CASE_TEMPLATE_APPLY
#define DOCTEST_TEST_CASE_TEMPLATE_DEFINE TEST_CASE_TEMPLATE_DEFINE
#define DOCTEST_TEST_CASE_TEMPLATE_INVOKE TEST_CASE_TEMPLATE_INVOKE
#define DOCTEST_TEST_SUITE TEST_SUITE
#define DOCTEST_TEST_SUITE_BEGIN TEST_SUITE_BEGIN
#define DOCTEST_TEST_SUITE_END TEST_SUITE_END
#define DOCTEST_THEN THEN
#define DOCTEST_WARN WARN
#define DOCTEST_WARN_FALSE WARN_FALSE
#define DOCTEST_WARN_MESSAGE WARN_MESSAGE
#define DOCTEST_WHEN WHEN
