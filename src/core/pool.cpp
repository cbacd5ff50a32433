#include "pool.hpp"

#include <stdexcept>
#include <thread>

namespace xgen {

Pool::Pool(Code code, Plan plan, const Settings& settings, int workers, const std::vector<std::int32_t>& path)
    : code_(std::move(code)), plan_(std::move(plan)), settings_(settings) {
    Settings own = settings;
    own.duplicate_limit /= workers;
    for (int i = 0; i < workers; ++i) {
        workers_.push_back(std::make_unique<Worker>());
        workers_[i]->search = std::make_unique<Search>(code_, plan_, own, sharing_);
    }
    auto& explorer = workers_[0]->explorer;
    for (int events = static_cast<int>(code_.cells.size() + path.size()) + 1;; events *= 2) {
        explorer = make_explorer(*workers_[0]->search, events);
        if (!explorer) halt_ = Halt::TOO_LARGE;
        if (!explorer || explorer->enter(path)) break;
        if (!explorer->full()) throw std::invalid_argument("the path leads nowhere");
    }
}

int Pool::branches() {
    if (!workers_[0]->explorer) return 0;
    int count = workers_[0]->explorer->branches();
    while (workers_[0]->explorer->full()) {
        workers_[0]->explorer = workers_[0]->explorer->widened();
        if (!workers_[0]->explorer) {
            halt_ = Halt::TOO_LARGE;
            return 0;
        }
        count = workers_[0]->explorer->branches();
    }
    halt_ = workers_[0]->explorer->reason();
    return count;
}

Halt Pool::run(double seconds) {
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    if (halt_ != Halt::BUDGET) return halt_;
    std::vector<std::thread> threads;
    for (int i = 1; i < static_cast<int>(workers_.size()); ++i)
        threads.emplace_back([this, i, deadline] { work(i, deadline); });
    work(0, deadline);
    for (auto& thread : threads) thread.join();
    if (failure_) std::rethrow_exception(failure_);
    if (halt_ == Halt::BUDGET && active_ == 0) halt_ = Halt::DONE;
    return halt_;
}

void Pool::work(int number, Clock::time_point deadline) try {
    Worker& worker = *workers_[number];
    while (worker.explorer || find_work(worker, deadline)) {
        std::chrono::duration<double> left = deadline - Clock::now();
        Halt halt = worker.explorer->run(left.count());
        if (halt == Halt::SHARE) {
            share(worker);
        } else if (halt == Halt::DONE) {
            worker.explorer.reset();
            std::lock_guard lock(mutex_);
            if (--active_ == 0) changed_.notify_all();
        } else if (halt != Halt::BUDGET) {
            return stop(number, halt);
        } else if (worker.explorer->full()) {
            auto wide = worker.explorer->widened();
            if (!wide) return stop(number, Halt::TOO_LARGE);
            worker.explorer = std::move(wide);
        } else {
            return;  // no time left, or told to stop or to pause
        }
    }
} catch (...) {
    std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
    sharing_.stop = true;
    changed_.notify_all();
}

// Waits for a subtree to explore; false where none comes before the deadline, or ever.
bool Pool::find_work(Worker& worker, Clock::time_point deadline) {
    std::unique_lock lock(mutex_);
    ++sharing_.wanted;
    changed_.wait_until(lock, deadline, [&] { return !waiting_.empty() || active_ == 0 || sharing_.stop; });
    if (waiting_.empty() || sharing_.stop) {
        --sharing_.wanted;
        return false;
    }
    worker.explorer = std::move(waiting_.back());
    waiting_.pop_back();
    worker.explorer->attach(*worker.search);
    return true;
}

void Pool::share(Worker& worker) {
    std::lock_guard lock(mutex_);
    if (sharing_.wanted <= 0) return;
    auto part = worker.explorer->split();
    if (!part) return;
    --sharing_.wanted;
    ++active_;
    waiting_.push_back(std::move(part));
    changed_.notify_one();
}

void Pool::stop(int number, Halt halt) {
    std::lock_guard lock(mutex_);
    if (halt_ == Halt::BUDGET) {
        halt_ = halt;
        halted_ = number;
    }
    sharing_.stop = true;
    changed_.notify_all();
}

Counters Pool::counters() {
    Counters sum;
    HashSet seen;
    const bool alone = workers_.size() == 1;
    for (const auto& worker : workers_) {
        const Counters& c = worker->search->counters;
#define XGEN_COUNTER(name) sum.name += c.name;
        XGEN_COUNTERS(XGEN_COUNTER)
#undef XGEN_COUNTER
        sum.flags.resize(plan_.constraints);
        for (std::size_t i = 0; i < c.flags.size(); ++i) sum.flags[i] += c.flags[i];
        if (!alone) worker->search->seen.each([&](std::uint64_t hash) { sum.duplicates += !seen.insert(hash); });
    }
    return sum;
}

Outcomes Pool::outcomes() const {
    Outcomes all = workers_[0]->search->outcomes;
    for (std::size_t i = 1; i < workers_.size(); ++i) all.add(workers_[i]->search->outcomes);
    return all;
}

bool Pool::outcomes_complete() const {
    bool complete = true;
    for (const auto& worker : workers_) complete &= worker->search->outcomes_complete;
    return complete;
}

std::vector<Trace> Pool::take_traces() {
    std::vector<Trace> all;
    for (const auto& worker : workers_) {
        auto& traces = worker->search->traces;
        for (Trace& trace : traces)
            if (static_cast<std::int64_t>(all.size()) < settings_.trace_limit) all.push_back(std::move(trace));
        traces.clear();
    }
    return all;
}

const Trace* Pool::witness() const {
    if (!halted().witness.ends.empty()) return &halted().witness;
    for (const auto& worker : workers_)
        if (!worker->search->witness.ends.empty()) return &worker->search->witness;
    return nullptr;
}

std::set<std::int32_t> Pool::cuts() const {
    std::set<std::int32_t> all;
    for (const auto& worker : workers_) all.insert(worker->search->cuts.begin(), worker->search->cuts.end());
    return all;
}

std::set<std::int32_t> Pool::waits() const {
    std::set<std::int32_t> all;
    for (const auto& worker : workers_) all.insert(worker->search->waits.begin(), worker->search->waits.end());
    return all;
}

}  // namespace xgen
