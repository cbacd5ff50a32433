// How an explorer hands over a part of its search, and how it goes to one. Part of explore_impl.hpp.
#pragma once

#include "explore.hpp"

namespace xgen {

template <int W>
bool Explorer<W>::has_options(const Frame<W>& frame) {
    switch (frame.step) {
    case Step::WRITE: return !frame.revisiting || frame.reads.any();
    case Step::CHOICE: return frame.next <= frame.end;
    case Step::FENCE: return false;
    default: return frame.candidate >= 0;
    }
}

template <int W>
void Explorer<W>::drop_options(Frame<W>& frame) {
    frame.candidate = -1;
    frame.revisiting = true;
    frame.reads = {};
    frame.next = 1;
    frame.end = 0;
}

template <int W>
std::unique_ptr<Runner> Explorer<W>::split() {
    if (confirming_ >= 0) return nullptr;
    for (int c = 0; c < depth_; ++c)
        for (int f = 0; f < contexts_[c]->depth; ++f)
            if (has_options(contexts_[c]->frames[f])) {
                std::unique_ptr<Runner> part(new Explorer(*this, *contexts_[c], f));
                drop_options(contexts_[c]->frames[f]);
                return part;
            }
    return nullptr;
}

template <int W>
Explorer<W>::Explorer(const Explorer& whole, const Context<W>& context, int frame) : Runner(whole), threads_(whole.threads_), checker_(whole.checker_), recorder_(whole.recorder_), like_(whole.task_), depth_(1) {
    halt_ = Halt::BUDGET;
    arrived_ = false;
    contexts_.push_back(std::make_unique<Context<W>>(context));
    Context<W>& own = top();
    for (int f = own.depth - 1; f >= frame; --f)
        if (own.frames[f].added) take_back(own.frames[f]);
    own.depth = frame + 1;
    for (int f = 0; f < frame; ++f) drop_options(own.frames[f]);
}

template <int W>
Interval Explorer<W>::left() const {
    Interval left;
    for (int c = 0; c < depth_; ++c) {
        for (std::int32_t taken : contexts_[c]->taken) add_level(left, taken, false);
        for (int f = 0; f < contexts_[c]->depth; ++f) {
            const Frame<W>& frame = contexts_[c]->frames[f];
            if (!add_level(left, frame.branches, has_options(frame))) return left;
        }
    }
    if (arrived_) left.rest.push_back(static_cast<std::int32_t>(left.path.size()));
    return left;
}

template <int W>
void Explorer<W>::turn_back() {
    arrived_ = false;
    // A revisit opens a context, of which the first graph is not a branch of that frame, but of the context's.
    const Frame<W>& last = top().frames[top().depth - 1];
    if (last.step == Step::REVISIT && last.branches == 0) --depth_;
}

// Opens the frame whose options are the branches from here; false where there is none.
template <int W>
bool Explorer<W>::open() {
    if (arrived_ && !descend()) return false;
    arrived_ = false;
    return depth_ > 0 && top().depth > 0;
}

// The next option of the frame at the top of a context, whatever the last one has opened above.
template <int W>
bool Explorer<W>::take_next(int context) {
    depth_ = context + 1;
    arrived_ = false;
    return !halted() && advance();
}

template <int W>
int Explorer<W>::take_branches(int count, bool alone) {
    if (!open()) return 0;
    const int context = depth_ - 1, frame = top().depth - 1;
    int taken = 0;
    while (taken < count && take_next(context)) ++taken;
    if (alone && !contexts_[context]->spent()) {
        drop_options(contexts_[context]->frames[frame]);
        contexts_[context]->frames[frame].first = false;
    }
    return taken;
}

template <int W>
bool Explorer<W>::step(Random& random, Probe& probe) {
    full_ = arrived_ && top().graph.size() >= WORD * W;
    if (full_ || confirming_ >= 0 || !open()) return false;
    const int context = depth_ - 1, frame = top().depth - 1;
    const Frame<W> before = top().frames[frame];
    const std::int64_t explored = findings_->counters.explored;
    int count = 0;
    again_ = true;
    while (confirming_ < 0 && take_next(context)) ++count;
    again_ = false;
    if (count == 0 || halted() || confirming_ >= 0) {
        drop_options(contexts_[context]->frames[frame]);
        return false;
    }
    const std::int64_t graphs = findings_->counters.explored - explored;
    contexts_[context]->frames[frame] = before;
    take_branches(probe.go(random, count, graphs) + 1, true);
    findings_->counters.explored = explored + graphs;
    return true;
}

}  // namespace xgen
