#include "pool.hpp"

#include <algorithm>
#include <stdexcept>
#include <thread>

namespace xgen {

Pool::Pool(Code code, Plan plan, const Settings& settings, int workers, const Interval& interval)
    : task_{std::move(code), std::move(plan), settings} {
    task_.settings.duplicate_limit /= workers;
    for (int i = 0; i < workers; ++i) workers_.push_back(std::make_unique<Worker>(task_));
    auto& runner = workers_[0]->runner;
    for (int events = static_cast<int>(task_.code.cells.size() + interval.path.size()) + 1;; events *= 2) {
        runner = make_runner(task_, sharing_, workers_[0]->findings, events);
        if (!runner) halt_ = Halt::TOO_LARGE;
        if (!runner || runner->enter(interval)) break;
        if (!runner->full()) throw std::invalid_argument("the path leads nowhere");
    }
}

Interval Pool::left() const {
    const auto& runner = workers_[0]->runner;
    return runner ? runner->left() : Interval();
}

int Pool::branches() {
    if (!workers_[0]->runner) return 0;
    int count = workers_[0]->runner->branches();
    while (workers_[0]->runner->full()) {
        workers_[0]->runner = workers_[0]->runner->widened();
        if (!workers_[0]->runner) {
            halt_ = Halt::TOO_LARGE;
            return 0;
        }
        count = workers_[0]->runner->branches();
    }
    halt_ = workers_[0]->runner->reason();
    return count;
}

void Pool::begin_probe(std::uint64_t seed) {
    Worker& worker = *workers_[0];
    worker.findings = WorkerFindings(task_);
    worker.runner = make_runner(task_, sharing_, worker.findings, static_cast<int>(task_.code.cells.size()) + 1);
    halt_ = worker.runner ? Halt::BUDGET : Halt::TOO_LARGE;
    sharing_.stop = false;
    active_ = 1;
    random_ = Random(seed);
    probe_ = {};
}

Halt Pool::go_on(double seconds) {
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    auto& runner = workers_[0]->runner;
    while (random_ && halt_ == Halt::BUDGET) {
        if (Clock::now() > deadline) return Halt::BUDGET;
        if (runner->step(*random_, probe_)) continue;
        if (!runner->full()) {
            random_.reset();
        } else {
            runner = runner->widened();
            if (!runner) halt_ = Halt::TOO_LARGE;
        }
    }
    return run(std::chrono::duration<double>(deadline - Clock::now()).count());
}

Halt Pool::run(double seconds, std::int64_t most) {
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    if (halt_ != Halt::BUDGET) return halt_;
    sharing_.work = most;
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
    while (worker.runner || find_work(worker, deadline)) {
        std::chrono::duration<double> left = deadline - Clock::now();
        Halt halt = worker.runner->run(left.count());
        worker.findings.settle(task_.settings);
        worker.findings.evaluated += worker.runner->take_work();
        if (halt == Halt::SHARE) {
            share(worker);
        } else if (halt == Halt::DONE) {
            worker.runner.reset();
            std::lock_guard lock(mutex_);
            if (--active_ == 0) changed_.notify_all();
        } else if (halt != Halt::BUDGET) {
            return stop(number, halt);
        } else if (worker.runner->full()) {
            auto wide = worker.runner->widened();
            if (!wide) return stop(number, Halt::TOO_LARGE);
            worker.runner = std::move(wide);
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
    worker.runner = std::move(waiting_.back());
    waiting_.pop_back();
    worker.runner->attach(worker.findings);
    return true;
}

void Pool::share(Worker& worker) {
    std::lock_guard lock(mutex_);
    if (sharing_.wanted <= 0) return;
    auto part = worker.runner->split();
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

// Workers hold graphs at the same time, and do not know of each other's executions.
Counters Pool::counters() const {
    Counters all;
    HashSet seen;
    std::int64_t held = 0;
    for (const auto& worker : workers_) {
        all.merge(worker->findings.counters);
        held += worker->findings.counters.held;
        if (workers_.size() > 1) worker->findings.seen.each([&](std::uint64_t hash) { all.duplicates += !seen.insert(hash); });
    }
    all.held = held;
    return all;
}

Findings Pool::findings() const {
    const Settings& settings = task_.settings;
    Findings all = workers_[0]->findings;
    for (std::size_t i = 1; i < workers_.size(); ++i) all.merge(workers_[i]->findings);
    all.counters = counters();
    all.flags.resize(task_.plan.constraints);
    if (!settings.renamings.empty())
        all.outcomes = all.outcomes.spread(moves(), settings.outcome_limit, all.outcomes_complete);
    return all;
}

// Where the values of a final state get to by the renamings that make all others.
std::vector<Outcomes::Move> Pool::moves() const {
    const Settings& settings = task_.settings;
    std::vector<std::size_t> begins{0};
    for (const auto& locals : settings.shown) begins.push_back(begins.back() + locals.size());
    const std::size_t threads = settings.shown.size(), cells = begins[threads];
    std::vector<Outcomes::Move> moves;
    for (std::int32_t g = 1; g <= settings.generators; ++g) {
        const auto& renaming = settings.renamings[g];
        Outcomes::Move move;
        for (std::size_t t = 0; t < threads; ++t)
            for (std::size_t k = 0; k < settings.shown[t].size(); ++k) move.push_back(begins[renaming[t]] + k);
        for (std::int32_t cell : settings.shown_cells) {
            const auto image = std::ranges::find(settings.shown_cells, renaming[threads + cell]);
            move.push_back(cells + static_cast<std::size_t>(image - settings.shown_cells.begin()));
        }
        moves.push_back(std::move(move));
    }
    return moves;
}

std::vector<Trace> Pool::take_traces() {
    std::vector<Trace> all;
    for (const auto& worker : workers_) {
        auto& traces = worker->findings.traces;
        for (Trace& trace : traces)
            if (static_cast<std::int64_t>(all.size()) < task_.settings.trace_limit) all.push_back(std::move(trace));
        traces.clear();
    }
    return all;
}

const Trace* Pool::witness() const {
    if (!halted().witness.ends.empty()) return &halted().witness;
    for (const auto& worker : workers_)
        if (!worker->findings.witness.ends.empty()) return &worker->findings.witness;
    return nullptr;
}

std::int64_t Pool::work_done() const {
    std::int64_t all = 0;
    for (const auto& worker : workers_) all += worker->findings.done();
    return all;
}

}  // namespace xgen
