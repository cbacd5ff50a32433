// Catch2's macros, of version 2 and 3, as tests use them
#pragma once
#include "titles.hpp"
#include <tuple>
#include <vector>

namespace Catch {
using Approx = ::xgen_tests::approximate;
class Session {
 public:
  struct {
  } config_;
  int applyCommandLine(int, const char *const *) { return 0; }
  int run() { return ::xgen_tests_in_main(); }
  int run(int, const char *const *) { return ::xgen_tests_in_main(); }
};
}  // namespace Catch

namespace xgen_tests {
struct naming {
  const char *title, *tags;
  constexpr naming(const char *t = "anonymous test case", const char *g = "") : title(t), tags(g) {}
};
inline const char *section(const char *name, const char * = "") { return name; }
inline const char *section(const std::string &name, const char * = "") { return name.c_str(); }
template <class T, class... More> T generated(const T &first, const More &...) {
  ::xgen_refused("GENERATE");
  return first;
}
}  // namespace xgen_tests

#define XGEN_CATCH(id, fixture, ...) \
  XGEN_CASE("catch", id, fixture, ::xgen_tests::naming(__VA_ARGS__).title, ::xgen_tests::naming(__VA_ARGS__).tags)
#define TEST_CASE(...) XGEN_CATCH(__COUNTER__, ::xgen_tests::nothing, __VA_ARGS__)
#define TEST_CASE_METHOD(fixture, ...) XGEN_CATCH(__COUNTER__, fixture, __VA_ARGS__)
#define TEST_CASE_PERSISTENT_FIXTURE(fixture, ...) XGEN_CATCH(__COUNTER__, fixture, __VA_ARGS__)
#define SCENARIO(...) TEST_CASE("Scenario: " __VA_ARGS__)
#define SCENARIO_METHOD(fixture, ...) TEST_CASE_METHOD(fixture, "Scenario: " __VA_ARGS__)
#define XGEN_CATCH_TYPES(id, list, title, tags, base, ...) \
  namespace { \
  template <class TestType> struct XGEN_JOIN(xgen_case_, id); \
  using XGEN_JOIN(xgen_types_, id) = ::xgen_tests::list<XGEN_JOIN(xgen_case_, id), __VA_ARGS__>; \
  } \
  XGEN_CASE_OF_TYPES("catch", id, TestType, title, tags, XGEN_JOIN(xgen_types_, id)::count, \
                     &XGEN_JOIN(xgen_types_, id)::run, base)
#define XGEN_CATCH_TYPED(id, base, title, tags, ...) \
  XGEN_CATCH_TYPES(id, each_type, title, tags "<" #__VA_ARGS__, base, __VA_ARGS__)
#define TEMPLATE_TEST_CASE(title, tags, ...) \
  XGEN_CATCH_TYPED(__COUNTER__, ::xgen_tests::nothing, title, tags, __VA_ARGS__)
#define TEMPLATE_TEST_CASE_METHOD(fixture, title, tags, ...) \
  XGEN_CATCH_TYPED(__COUNTER__, fixture<TestType>, title, tags, __VA_ARGS__)
#define TEMPLATE_LIST_TEST_CASE(title, tags, types) \
  XGEN_CATCH_TYPES(__COUNTER__, each_listed, title, tags "<", ::xgen_tests::nothing, types)
#define TEMPLATE_LIST_TEST_CASE_METHOD(fixture, title, tags, types) \
  XGEN_CATCH_TYPES(__COUNTER__, each_listed, title, tags "<", fixture<TestType>, types)
#define SECTION(...) XGEN_PART(::xgen_tests::section(__VA_ARGS__))
#define DYNAMIC_SECTION(...) if (::xgen_refused("DYNAMIC_SECTION"), false)
#define GIVEN(text) SECTION("Given: " text)
#define AND_GIVEN(text) SECTION("And given: " text)
#define WHEN(text) SECTION("When: " text)
#define AND_WHEN(text) SECTION("And when: " text)
#define THEN(text) SECTION("Then: " text)
#define AND_THEN(text) SECTION("And: " text)
#define REQUIRE_THAT(...) XGEN_REFUSES("REQUIRE_THAT")
#define CHECK_THAT(...) XGEN_REFUSES("CHECK_THAT")
#define CHECK_THROWS_MATCHES(...) XGEN_REFUSES("CHECK_THROWS_MATCHES")
#define REQUIRE_THROWS_MATCHES(...) XGEN_REFUSES("REQUIRE_THROWS_MATCHES")
#define GENERATE(...) ::xgen_tests::generated(__VA_ARGS__)
#define GENERATE_COPY(...) ::xgen_tests::generated(__VA_ARGS__)
#define GENERATE_REF(...) ::xgen_tests::generated(__VA_ARGS__)
#define CHECK_NOFAIL(...) static_cast<void>(__VA_ARGS__)
#define CHECKED_IF(...) if (static_cast<bool>(__VA_ARGS__))
#define CHECKED_ELSE(...) if (!static_cast<bool>(__VA_ARGS__))
#define STATIC_REQUIRE(...) static_assert(__VA_ARGS__, #__VA_ARGS__)
#define STATIC_CHECK(...) static_assert(__VA_ARGS__, #__VA_ARGS__)
#define STATIC_REQUIRE_FALSE(...) static_assert(!(__VA_ARGS__), #__VA_ARGS__)
#define STATIC_CHECK_FALSE(...) static_assert(!(__VA_ARGS__), #__VA_ARGS__)
#define SUCCEED(...) static_cast<void>(0)
#define UNSCOPED_INFO(...) static_assert(true, "")
#define UNSCOPED_CAPTURE(...) static_assert(true, "")
#define SKIP(...) return ::xgen_skips()
#define BENCHMARK(...) ::xgen_tests::drop() = [&]()
#define BENCHMARK_ADVANCED(...) ::xgen_tests::drop() = [&]
#define CATCH_REGISTER_ENUM(...)
#define CATCH_REGISTER_LISTENER(...)
#define CATCH_REGISTER_REPORTER(...)

// The long names
#define CATCH_AND_GIVEN AND_GIVEN
#define CATCH_AND_THEN AND_THEN
#define CATCH_AND_WHEN AND_WHEN
#define CATCH_BENCHMARK BENCHMARK
#define CATCH_BENCHMARK_ADVANCED BENCHMARK_ADVANCED
#define CATCH_CAPTURE CAPTURE
#define CATCH_CHECK CHECK
#define CATCH_CHECKED_ELSE CHECKED_ELSE
#define CATCH_CHECKED_IF CHECKED_IF
#define CATCH_CHECK_FALSE CHECK_FALSE
#define CATCH_CHECK_NOFAIL CHECK_NOFAIL
#define CATCH_CHECK_NOTHROW CHECK_NOTHROW
#define CATCH_CHECK_THAT CHECK_THAT
#define CATCH_CHECK_THROWS CHECK_THROWS
#define CATCH_CHECK_THROWS_AS CHECK_THROWS_AS
#define CATCH_CHECK_THROWS_MATCHES CHECK_THROWS_MATCHES
#define CATCH_CHECK_THROWS_WITH CHECK_THROWS_WITH
#define CATCH_DYNAMIC_SECTION DYNAMIC_SECTION
#define CATCH_FAIL FAIL
#define CATCH_FAIL_CHECK FAIL_CHECK
#define CATCH_GENERATE GENERATE
#define CATCH_GENERATE_COPY GENERATE_COPY
#define CATCH_GENERATE_REF GENERATE_REF
#define CATCH_GIVEN GIVEN
#define CATCH_INFO INFO
#define CATCH_REQUIRE REQUIRE
#define CATCH_REQUIRE_FALSE REQUIRE_FALSE
#define CATCH_REQUIRE_NOTHROW REQUIRE_NOTHROW
#define CATCH_REQUIRE_THAT REQUIRE_THAT
#define CATCH_REQUIRE_THROWS REQUIRE_THROWS
#define CATCH_REQUIRE_THROWS_AS REQUIRE_THROWS_AS
#define CATCH_REQUIRE_THROWS_MATCHES REQUIRE_THROWS_MATCHES
#define CATCH_REQUIRE_THROWS_WITH REQUIRE_THROWS_WITH
#define CATCH_SCENARIO SCENARIO
#define CATCH_SCENARIO_METHOD SCENARIO_METHOD
#define CATCH_SECTION SECTION
#define CATCH_SKIP SKIP
#define CATCH_STATIC_CHECK STATIC_CHECK
#define CATCH_STATIC_CHECK_FALSE STATIC_CHECK_FALSE
#define CATCH_STATIC_REQUIRE STATIC_REQUIRE
#define CATCH_STATIC_REQUIRE_FALSE STATIC_REQUIRE_FALSE
#define CATCH_SUCCEED SUCCEED
#define CATCH_TEMPLATE_LIST_TEST_CASE TEMPLATE_LIST_TEST_CASE
#define CATCH_TEMPLATE_LIST_TEST_CASE_METHOD TEMPLATE_LIST_TEST_CASE_METHOD
#define CATCH_TEMPLATE_TEST_CASE TEMPLATE_TEST_CASE
#define CATCH_TEMPLATE_TEST_CASE_METHOD TEMPLATE_TEST_CASE_METHOD
#define CATCH_TEST_CASE TEST_CASE
#define CATCH_TEST_CASE_METHOD TEST_CASE_METHOD
#define CATCH_TEST_CASE_PERSISTENT_FIXTURE TEST_CASE_PERSISTENT_FIXTURE
#define CATCH_THEN THEN
#define CATCH_UNSCOPED_CAPTURE UNSCOPED_CAPTURE
#define CATCH_UNSCOPED_INFO UNSCOPED_INFO
#define CATCH_WARN WARN
#define CATCH_WHEN WHEN
