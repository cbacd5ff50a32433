// How an explorer hands over a part of its search, and how it goes to one. Part of explore.cpp.
#pragma once

#include <limits>

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
std::unique_ptr<AnyExplorer> Explorer<W>::split() {
    if (confirming_ >= 0) return nullptr;
    for (int c = 0; c < depth_; ++c)
        for (int f = 0; f < contexts_[c]->depth; ++f)
            if (has_options(contexts_[c]->frames[f])) {
                std::unique_ptr<AnyExplorer> part(new Explorer(*this, *contexts_[c], f));
                drop_options(contexts_[c]->frames[f]);
                return part;
            }
    return nullptr;
}

template <int W>
Explorer<W>::Explorer(const Explorer& whole, const Context<W>& context, int frame) : Runner<W>(whole), depth_(1) {
    halt_ = Halt::BUDGET;
    contexts_.push_back(std::make_unique<Context<W>>(context));
    Context<W>& own = top();
    for (int f = own.depth - 1; f >= frame; --f)
        if (own.frames[f].added) take_back(own.frames[f]);
    own.depth = frame + 1;
    for (int f = 0; f < frame; ++f) drop_options(own.frames[f]);
}

// Takes branches of the graph at the top, one after the other, up to `count`; returns how many there were. The last one
// taken stays.
template <int W>
int Explorer<W>::take_branches(int count) {
    if (arrived_) {
        arrived_ = false;
        if (!descend()) {
            arrived_ = true;
            return 0;
        }
    }
    const int context = depth_;
    int taken = 0;
    for (; taken < count && halt_ == Halt::BUDGET; ++taken) {
        depth_ = context;
        arrived_ = false;
        if (!advance()) break;
    }
    return taken;
}

template <int W>
bool Explorer<W>::enter(const std::vector<std::int32_t>& path) {
    if (path.empty()) return true;
    for (std::int32_t branch : path) {
        const int context = depth_ - 1, frame = arrived_ ? top().depth : top().depth - 1;
        if (frame < 0 || take_branches(branch + 1) != branch + 1) return false;
        drop_options(contexts_[context]->frames[frame]);
        contexts_[context]->frames[frame].first = false;
    }
    // What was passed on the way is counted by who explores it.
    search_->counters = {};
    search_->witness = {};
    confirming_ = -1;
    return true;
}

template <int W>
int Explorer<W>::branches() {
    return take_branches(std::numeric_limits<int>::max());
}

}  // namespace xgen
