// GoogleTest's macros and classes, as tests use them
#pragma once
#include "../xgen/tests.hpp"
#include "gtest_prod.h"
#include <functional>  // tests rely on what the framework's own header includes
#include <limits>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace testing {

inline bool xgen_skipped = false;

class Test {
 public:
  virtual ~Test() = default;
  virtual void SetUp() {}
  virtual void TearDown() {}
  static void SetUpTestSuite() {}
  static void TearDownTestSuite() {}
  static void SetUpTestCase() {}
  static void TearDownTestCase() {}
  static bool HasFailure() { return false; }  // who fails has come to an end
  static bool HasFatalFailure() { return false; }
  static bool HasNonfatalFailure() { return false; }
  static bool IsSkipped() { return xgen_skipped; }
  template <class V> static void RecordProperty(const std::string &, const V &) {}
};
template <class P> class WithParamInterface {
 public:
  using ParamType = P;
  static const P &GetParam() { return *xgen_param; }
  static inline const P *xgen_param = nullptr;
};
template <class P> class TestWithParam : public Test, public WithParamInterface<P> {};

class Environment {
 public:
  virtual ~Environment() = default;
  virtual void SetUp() {}
  virtual void TearDown() {}
};
inline Environment *xgen_around[16];
inline int xgen_count_around = 0;
inline Environment *AddGlobalTestEnvironment(Environment *one) { return xgen_around[xgen_count_around++] = one; }

class Message {
 public:
  template <class T> Message &operator<<(const T &) { return *this; }
  Message &operator<<(std::ostream &(*)(std::ostream &)) { return *this; }
  std::string GetString() const { return std::string(); }
};
class AssertionResult {
 public:
  explicit AssertionResult(bool holds) : holds_(holds) {}
  operator bool() const { return holds_; }
  template <class T> AssertionResult &operator<<(const T &) { return *this; }
  AssertionResult &operator<<(std::ostream &(*)(std::ostream &)) { return *this; }
  AssertionResult operator!() const { return AssertionResult(!holds_); }
  const char *message() const { return ""; }

 private:
  bool holds_;
};
inline AssertionResult AssertionSuccess() { return AssertionResult(true); }
inline AssertionResult AssertionFailure() { return AssertionResult(false); }
template <class T> std::string PrintToString(const T &) { return std::string(); }
template <class A, class B> void StaticAssertTypeEq() { static_assert(std::is_same<A, B>::value, "other types"); }
inline void InitGoogleTest(int *, char **) {}
inline void InitGoogleTest() {}
inline void InitGoogleMock(int *, char **) {}
inline void InitGoogleMock() {}
struct xgen_flag {
  template <class T> void operator=(const T &) {}
};
inline xgen_flag FLAGS_gtest_death_test_style, FLAGS_gtest_filter, FLAGS_gtest_repeat;

// ---- a test of a class that the macros make

template <class F> void xgen_one(int) {
  for (int k = 0; k < xgen_count_around; ++k) xgen_around[k]->SetUp();
  F::xgen_of_suite(true);
  {
    F test;
    Test &as_test = test;
    as_test.SetUp();
    if (!xgen_skipped) test.TestBody();
    as_test.TearDown();
  }
  F::xgen_of_suite(false);
  for (int k = xgen_count_around; k > 0; --k) xgen_around[k - 1]->TearDown();
}

template <class... T> struct Types {};
template <template <class> class F, class List> struct xgen_typed : xgen_typed<F, Types<List>> {};
template <template <class> class F, class... T> struct xgen_typed<F, Types<T...>> {
  static constexpr int count = sizeof...(T);
  static void run(int number) {
    using function = void (*)(int);
    static constexpr function runs[] = {&xgen_one<F<T>>...};
    runs[number](0);
  }
};

// ---- values of tests: `count` of them, and `at` of each

template <class S> struct xgen_instances {
  static inline ::xgen_tests::instance *first = nullptr;
};
template <class... T> struct xgen_values {
  std::tuple<T...> all;
  int count() const { return sizeof...(T); }
  template <class P> P *at(int number) const { return from<P, 0>(number); }
  template <class P, std::size_t K> P *from(int number) const {
    if constexpr (K + 1 < sizeof...(T)) {
      if (number > static_cast<int>(K)) return from<P, K + 1>(number);
    }
    return new P(std::get<K>(all));
  }
};
template <class T> struct xgen_listed {
  std::vector<T> all;
  int count() const { return static_cast<int>(all.size()); }
  template <class P> P *at(int number) const { return new P(all[number]); }
};
template <class... G> struct xgen_combined {
  std::tuple<G...> all;
  int count() const { return counts<0>(); }
  template <std::size_t K> int counts() const {
    if constexpr (K < sizeof...(G))
      return std::get<K>(all).count() * counts<K + 1>();
    else
      return 1;
  }
  template <class P> P *at(int number) const { return made<P>(number, std::index_sequence_for<G...>()); }
  template <class P, std::size_t... K> P *made(int number, std::index_sequence<K...>) const {
    return new P(*std::get<K>(all).template at<typename std::tuple_element<K, P>::type>(
        number / counts<K + 1>() % std::get<K>(all).count())...);
  }
};
template <class... T> xgen_values<T...> Values(T... v) { return {std::tuple<T...>(v...)}; }
inline xgen_values<bool, bool> Bool() { return {std::tuple<bool, bool>(false, true)}; }
template <class T> xgen_listed<T> Range(T begin, T end, T step = T(1)) {
  xgen_listed<T> made;
  for (T one = begin; one < end; one = static_cast<T>(one + step)) made.all.push_back(one);
  return made;
}
template <class T, std::size_t N> xgen_listed<T> ValuesIn(const T (&all)[N]) { return {std::vector<T>(all, all + N)}; }
template <class C> xgen_listed<typename C::value_type> ValuesIn(const C &all) {
  return {std::vector<typename C::value_type>(all.begin(), all.end())};
}
template <class T> xgen_listed<T> ValuesIn(std::initializer_list<T> all) { return {std::vector<T>(all)}; }
template <class I> auto ValuesIn(I begin, I end) -> xgen_listed<typename std::decay<decltype(*begin)>::type> {
  return {std::vector<typename std::decay<decltype(*begin)>::type>(begin, end)};
}
template <class... G> xgen_combined<G...> Combine(G... g) { return {std::tuple<G...>(g...)}; }
template <class G, class... N> G xgen_generator(const G &g, const N &...) { return g; }
template <class T> struct TestParamInfo {
  T param;
  std::size_t index;
};
struct PrintToStringParamName {};

}  // namespace testing

inline int RUN_ALL_TESTS() { return ::xgen_tests_in_main(); }

#define XGEN_CLASS(S, N) S##_##N##_Test
#define XGEN_GTEST(S, N, base) \
  class XGEN_CLASS(S, N) : public base { \
   public: \
    static constexpr int xgen_depth = 0; \
    static void xgen_of_suite(bool begins) { \
      begins ? SetUpTestSuite() : TearDownTestSuite(); \
      begins ? SetUpTestCase() : TearDownTestCase(); \
    } \
    void TestBody(); \
  };
#define XGEN_GTEST_ENTRY(kind, S, N, count, run, values) \
  static ::xgen_tests::test S##_##N##_entry(kind, #S, #N, "", __FILE__, __LINE__, count, run, values);
#define XGEN_GTEST_OF(kind, S, N, base, values) \
  static_assert(sizeof(#S) > 1 && sizeof(#N) > 1, "a test has two names"); \
  XGEN_GTEST(S, N, base) \
  XGEN_GTEST_ENTRY(kind, S, N, 1, &::testing::xgen_one<XGEN_CLASS(S, N)>, values) \
  void XGEN_CLASS(S, N)::TestBody()
#define GTEST_TEST(S, N) XGEN_GTEST_OF("gtest", S, N, ::testing::Test, nullptr)
#define GTEST_TEST_F(S, N) XGEN_GTEST_OF("gtest", S, N, S, nullptr)
#ifndef GTEST_DONT_DEFINE_TEST
#define TEST(S, N) XGEN_GTEST_OF("gtest", S, N, ::testing::Test, nullptr)
#endif
#ifndef GTEST_DONT_DEFINE_TEST_F
#define TEST_F(S, N) XGEN_GTEST_OF("gtest", S, N, S, nullptr)
#endif
#define TEST_P(S, N) XGEN_GTEST_OF("gtest", S, N, S, &::testing::xgen_instances<S>::first)
#define INSTANTIATE_TEST_SUITE_P(P, S, ...) \
  static int S##_##P##_count() { return ::testing::xgen_generator(__VA_ARGS__).count(); } \
  static void S##_##P##_set(int number) { \
    S::xgen_param = ::testing::xgen_generator(__VA_ARGS__).template at<S::ParamType>(number); \
  } \
  static ::xgen_tests::instance S##_##P##_values(::testing::xgen_instances<S>::first, #P, &S##_##P##_count, \
                                                 &S##_##P##_set)
#define INSTANTIATE_TEST_CASE_P INSTANTIATE_TEST_SUITE_P
#define GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(S) static_assert(true, "")
#define TYPED_TEST_SUITE(S, T, ...) using S##_xgen_types = T
#define TYPED_TEST_CASE TYPED_TEST_SUITE
#define XGEN_TYPED(S, N) \
  template <class XgenT> class XGEN_CLASS(S, N) : public S<XgenT> { \
   public: \
    using TypeParam = XgenT; \
    using TestFixture = S<XgenT>; \
    static constexpr int xgen_depth = 0; \
    static void xgen_of_suite(bool begins) { \
      begins ? TestFixture::SetUpTestSuite() : TestFixture::TearDownTestSuite(); \
      begins ? TestFixture::SetUpTestCase() : TestFixture::TearDownTestCase(); \
    } \
    void TestBody(); \
  };
#define TYPED_TEST(S, N) \
  XGEN_TYPED(S, N) \
  static ::xgen_tests::test S##_##N##_entry( \
      "typed", #S, #N, "", __FILE__, __LINE__, \
      ::testing::xgen_typed<XGEN_CLASS(S, N), S##_xgen_types>::count, \
      &::testing::xgen_typed<XGEN_CLASS(S, N), S##_xgen_types>::run); \
  template <class XgenT> void XGEN_CLASS(S, N)<XgenT>::TestBody()
#define TYPED_TEST_SUITE_P(S) static_assert(true, "")
#define TYPED_TEST_CASE_P TYPED_TEST_SUITE_P
#define TYPED_TEST_P(S, N) \
  XGEN_TYPED(S, N) \
  static constexpr int S##_##N##_line = __LINE__; \
  template <class XgenT> void XGEN_CLASS(S, N)<XgenT>::TestBody()
#define XGEN_REGISTERED(S, N) \
  ::xgen_tests::test xgen_##N{"typed", #S, #N, prefix, __FILE__, S##_##N##_line, \
                              ::testing::xgen_typed<XGEN_CLASS(S, N), XgenList>::count, \
                              &::testing::xgen_typed<XGEN_CLASS(S, N), XgenList>::run};
#define REGISTER_TYPED_TEST_SUITE_P(S, ...) \
  template <class XgenList> struct S##_xgen_registered { \
    const char *prefix; \
    XGEN_EACH(XGEN_REGISTERED, S, __VA_ARGS__) \
    explicit S##_xgen_registered(const char *p) : prefix(p) {} \
  }
#define REGISTER_TYPED_TEST_CASE_P REGISTER_TYPED_TEST_SUITE_P
#define INSTANTIATE_TYPED_TEST_SUITE_P(P, S, T, ...) static S##_xgen_registered<T> S##_##P##_registered(#P)
#define INSTANTIATE_TYPED_TEST_CASE_P INSTANTIATE_TYPED_TEST_SUITE_P


// ---- conditions: a test that fails one has come to its end, so that those that go on (EXPECT) are as others are

#define EXPECT_TRUE(...) XGEN_HOLDS("EXPECT_TRUE(" #__VA_ARGS__ ")", __VA_ARGS__)
#define ASSERT_TRUE(...) XGEN_HOLDS("ASSERT_TRUE(" #__VA_ARGS__ ")", __VA_ARGS__)
#define EXPECT_FALSE(...) XGEN_HOLDS("EXPECT_FALSE(" #__VA_ARGS__ ")", !static_cast<bool>(__VA_ARGS__))
#define ASSERT_FALSE(...) XGEN_HOLDS("ASSERT_FALSE(" #__VA_ARGS__ ")", !static_cast<bool>(__VA_ARGS__))
#define EXPECT_EQ(a, b) XGEN_HOLDS("EXPECT_EQ(" #a ", " #b ")", ::xgen_tests::eq(a, b))
#define ASSERT_EQ(a, b) XGEN_HOLDS("ASSERT_EQ(" #a ", " #b ")", ::xgen_tests::eq(a, b))
#define EXPECT_NE(a, b) XGEN_HOLDS("EXPECT_NE(" #a ", " #b ")", ::xgen_tests::ne(a, b))
#define ASSERT_NE(a, b) XGEN_HOLDS("ASSERT_NE(" #a ", " #b ")", ::xgen_tests::ne(a, b))
#define EXPECT_LT(a, b) XGEN_HOLDS("EXPECT_LT(" #a ", " #b ")", ::xgen_tests::lt(a, b))
#define ASSERT_LT(a, b) XGEN_HOLDS("ASSERT_LT(" #a ", " #b ")", ::xgen_tests::lt(a, b))
#define EXPECT_LE(a, b) XGEN_HOLDS("EXPECT_LE(" #a ", " #b ")", ::xgen_tests::le(a, b))
#define ASSERT_LE(a, b) XGEN_HOLDS("ASSERT_LE(" #a ", " #b ")", ::xgen_tests::le(a, b))
#define EXPECT_GT(a, b) XGEN_HOLDS("EXPECT_GT(" #a ", " #b ")", ::xgen_tests::gt(a, b))
#define ASSERT_GT(a, b) XGEN_HOLDS("ASSERT_GT(" #a ", " #b ")", ::xgen_tests::gt(a, b))
#define EXPECT_GE(a, b) XGEN_HOLDS("EXPECT_GE(" #a ", " #b ")", ::xgen_tests::ge(a, b))
#define ASSERT_GE(a, b) XGEN_HOLDS("ASSERT_GE(" #a ", " #b ")", ::xgen_tests::ge(a, b))
#define EXPECT_STREQ(a, b) XGEN_HOLDS("EXPECT_STREQ(" #a ", " #b ")", ::xgen_tests::same_text(a, b))
#define ASSERT_STREQ(a, b) XGEN_HOLDS("ASSERT_STREQ(" #a ", " #b ")", ::xgen_tests::same_text(a, b))
#define EXPECT_STRNE(a, b) XGEN_HOLDS("EXPECT_STRNE(" #a ", " #b ")", !::xgen_tests::same_text(a, b))
#define ASSERT_STRNE(a, b) XGEN_HOLDS("ASSERT_STRNE(" #a ", " #b ")", !::xgen_tests::same_text(a, b))
#define EXPECT_STRCASEEQ(a, b) XGEN_HOLDS("EXPECT_STRCASEEQ(" #a ", " #b ")", ::xgen_tests::same_letters(a, b))
#define ASSERT_STRCASEEQ(a, b) XGEN_HOLDS("ASSERT_STRCASEEQ(" #a ", " #b ")", ::xgen_tests::same_letters(a, b))
#define EXPECT_STRCASENE(a, b) XGEN_HOLDS("EXPECT_STRCASENE(" #a ", " #b ")", !::xgen_tests::same_letters(a, b))
#define ASSERT_STRCASENE(a, b) XGEN_HOLDS("ASSERT_STRCASENE(" #a ", " #b ")", !::xgen_tests::same_letters(a, b))
#define XGEN_FLOAT(a, b) (::xgen_tests::in_four<float, std::int32_t>(a, b))
#define XGEN_DOUBLE(a, b) (::xgen_tests::in_four<double, std::int64_t>(a, b))
#define EXPECT_FLOAT_EQ(a, b) XGEN_HOLDS("EXPECT_FLOAT_EQ(" #a ", " #b ")", XGEN_FLOAT(a, b))
#define ASSERT_FLOAT_EQ(a, b) XGEN_HOLDS("ASSERT_FLOAT_EQ(" #a ", " #b ")", XGEN_FLOAT(a, b))
#define EXPECT_DOUBLE_EQ(a, b) XGEN_HOLDS("EXPECT_DOUBLE_EQ(" #a ", " #b ")", XGEN_DOUBLE(a, b))
#define ASSERT_DOUBLE_EQ(a, b) XGEN_HOLDS("ASSERT_DOUBLE_EQ(" #a ", " #b ")", XGEN_DOUBLE(a, b))
#define EXPECT_NEAR(a, b, d) XGEN_HOLDS("EXPECT_NEAR(" #a ", " #b ", " #d ")", ::xgen_tests::near<double>(a, b, d))
#define ASSERT_NEAR(a, b, d) XGEN_HOLDS("ASSERT_NEAR(" #a ", " #b ", " #d ")", ::xgen_tests::near<double>(a, b, d))
#define EXPECT_THROW(s, E) XGEN_HOLDS("EXPECT_THROW(" #s ", " #E ")", ::xgen_tests::throws_a<E>(XGEN_DONE(s)))
#define ASSERT_THROW(s, E) XGEN_HOLDS("ASSERT_THROW(" #s ", " #E ")", ::xgen_tests::throws_a<E>(XGEN_DONE(s)))
#define EXPECT_ANY_THROW(s) XGEN_HOLDS("EXPECT_ANY_THROW(" #s ")", ::xgen_tests::throws(XGEN_DONE(s)))
#define ASSERT_ANY_THROW(s) XGEN_HOLDS("ASSERT_ANY_THROW(" #s ")", ::xgen_tests::throws(XGEN_DONE(s)))
#define EXPECT_NO_THROW(s) XGEN_HOLDS("EXPECT_NO_THROW(" #s ")", !::xgen_tests::throws(XGEN_DONE(s)))
#define ASSERT_NO_THROW(s) XGEN_HOLDS("ASSERT_NO_THROW(" #s ")", !::xgen_tests::throws(XGEN_DONE(s)))
#define EXPECT_PRED1(p, a) XGEN_HOLDS("EXPECT_PRED1(" #p ", " #a ")", p(a))
#define ASSERT_PRED1(p, a) XGEN_HOLDS("ASSERT_PRED1(" #p ", " #a ")", p(a))
#define EXPECT_PRED2(p, a, b) XGEN_HOLDS("EXPECT_PRED2(" #p ", " #a ", " #b ")", p(a, b))
#define ASSERT_PRED2(p, a, b) XGEN_HOLDS("ASSERT_PRED2(" #p ", " #a ", " #b ")", p(a, b))
#define EXPECT_NO_FATAL_FAILURE(s) XGEN_HOLDS("", (XGEN_DONE(s)(), true))
#define ASSERT_NO_FATAL_FAILURE(s) XGEN_HOLDS("", (XGEN_DONE(s)(), true))
#define ADD_FAILURE() XGEN_FAILED("ADD_FAILURE()")
#define ADD_FAILURE_AT(file, line) XGEN_FAILED("ADD_FAILURE_AT(" #file ", " #line ")")
#define GTEST_FAIL() XGEN_FAILED("GTEST_FAIL()")
#define GTEST_FAIL_AT(file, line) XGEN_FAILED("GTEST_FAIL_AT(" #file ", " #line ")")
#ifndef GTEST_DONT_DEFINE_FAIL
#define FAIL() XGEN_FAILED("FAIL()")
#endif
#define GTEST_SUCCEED() ::xgen_tests::sink()
#ifndef GTEST_DONT_DEFINE_SUCCEED
#define SUCCEED() ::xgen_tests::sink()
#endif
#define GTEST_SKIP() \
  return ::xgen_skips(), ::testing::xgen_skipped = true, ::xgen_tests::drop() = ::xgen_tests::sink()
#define SCOPED_TRACE(...) static_assert(true, "")
#define GTEST_FLAG_SET(name, value) static_cast<void>(0)
#define GTEST_API_

// ---- what is refused, in the tests that use it

#define XGEN_REFUSED(name) ::xgen_refused(name), ::xgen_tests::sink()
#define EXPECT_DEATH(...) XGEN_REFUSED("EXPECT_DEATH")
#define ASSERT_DEATH(...) XGEN_REFUSED("ASSERT_DEATH")
#define EXPECT_DEATH_IF_SUPPORTED(...) XGEN_REFUSED("EXPECT_DEATH_IF_SUPPORTED")
#define ASSERT_DEATH_IF_SUPPORTED(...) XGEN_REFUSED("ASSERT_DEATH_IF_SUPPORTED")
#define EXPECT_DEBUG_DEATH(...) XGEN_REFUSED("EXPECT_DEBUG_DEATH")
#define ASSERT_DEBUG_DEATH(...) XGEN_REFUSED("ASSERT_DEBUG_DEATH")
#define EXPECT_EXIT(...) XGEN_REFUSED("EXPECT_EXIT")
#define ASSERT_EXIT(...) XGEN_REFUSED("ASSERT_EXIT")
#define EXPECT_THAT(...) XGEN_REFUSED("EXPECT_THAT")
#define ASSERT_THAT(...) XGEN_REFUSED("ASSERT_THAT")
#define EXPECT_PRED_FORMAT1(...) XGEN_REFUSED("EXPECT_PRED_FORMAT1")
#define EXPECT_PRED_FORMAT2(...) XGEN_REFUSED("EXPECT_PRED_FORMAT2")
#define ASSERT_PRED_FORMAT1(...) XGEN_REFUSED("ASSERT_PRED_FORMAT1")
#define ASSERT_PRED_FORMAT2(...) XGEN_REFUSED("ASSERT_PRED_FORMAT2")
#define EXPECT_FATAL_FAILURE(...) XGEN_REFUSED("EXPECT_FATAL_FAILURE")
#define EXPECT_NONFATAL_FAILURE(...) XGEN_REFUSED("EXPECT_NONFATAL_FAILURE")
