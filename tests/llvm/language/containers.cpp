// What containers of xgen have that stand in for those of libc++: all but what is about their insides.
#include <algorithm>
#include <cassert>
#include <deque>
#include <map>
#include <queue>
#include <set>
#include <stack>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>
#include <numeric>
int main() {
  std::deque<int> d{3, 1, 2};
  std::sort(d.begin(), d.end());
  assert(d[0] == 1 && d[2] == 3 && d.at(1) == 2);
  d.push_front(0); d.emplace_back(4);
  assert(d.size() == 5 && *(d.end() - 1) == 4 && d.end() - d.begin() == 5);
  std::deque<int> e(d.rbegin(), d.rend());
  assert(e.front() == 4 && e != d && e > d);
  const std::deque<int> &c = d;
  assert(std::accumulate(c.begin(), c.end(), 0) == 10 && std::find(c.cbegin(), c.cend(), 3) - c.begin() == 3);
  std::deque<int>::const_iterator ci = d.begin();
  assert(ci == d.begin() && d.begin() == ci && ci < d.end());
  d.erase(d.begin() + 1); d.insert(d.begin() + 1, 9);
#if __cplusplus >= 202002L
  std::erase(d, 9);
#else
  d.erase(std::remove(d.begin(), d.end(), 9), d.end());
#endif
  assert(d.size() == 4); swap(d, e); assert(e.size() == 4 && d.size() == 5);
  try { d.at(17); assert(false); } catch (std::out_of_range &) {}
  std::stack<int> s; s.push(1); s.push(2); assert(s.top() == 2);
  std::priority_queue<int> pq; pq.push(1); pq.push(5); assert(pq.top() == 5);
  std::queue<std::string> q; q.push("x"); q.emplace("y"); assert(q.front() == "x" && q.back() == "y");
  std::map<std::string, int> m{{"b", 2}, {"a", 1}, {"c", 3}, {"d", 4}};
  assert(m.begin()->first == "a" && m.rbegin()->second == 4 && m.lower_bound("bb")->first == "c");
  m.erase("b"); m.erase(m.begin()); assert(m.size() == 2 && m.begin()->first == "c");
  std::map<int, int> n; for (int i : {5, 2, 8, 1, 3, 7, 9, 6, 4}) n[i] = i;
  int last = 0; for (auto [k, v] : n) { assert(k == last + 1); last = k; }
  n.erase(5); n.erase(2); n.erase(8); last = 0; for (auto [k, v] : n) { assert(k > last); last = k; }
  assert(n.size() == 6 && n.find(5) == n.end() && n.count(6));
  auto h = n.extract(6); h.key() = 60; n.insert(std::move(h)); assert(n.rbegin()->first == 60);
  std::multiset<int> ms{1, 1, 2}; assert(ms.count(1) == 2);
  std::unordered_map<std::string, int> u{{"x", 1}}; u["y"] = 2; u.reserve(100); u.emplace("z", 3);
  for (int i = 0; i < 20; i++) u[std::to_string(i)] = i;
  assert(u.size() == 23 && u.at("7") == 7 && u.count("x")); u.erase("x"); assert(!u.count("x"));
  u.max_load_factor(0.5f); u.rehash(70);
  std::unordered_multimap<int, int> um{{1, 1}, {1, 2}, {2, 3}}; assert(um.count(1) == 2 && um.equal_range(1).first != um.end());
  std::unordered_set<int> us{1, 2, 3}; us.erase(2); assert(us.size() == 2 && us.bucket_count() > 0); us.clear();
  std::unordered_set<int> copy = us; us.insert(4); copy.swap(us); assert(copy.size() == 1);
}
