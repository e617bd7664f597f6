// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace wb::ui::convert {

// The earlier states of a value, for undo and redo. Beyond maxStates the oldest is dropped, because a state may name every tensor.
template <typename T>
class History {
public:
    static constexpr std::size_t maxStates = 100;

    bool canUndo() const { return !m_earlier.empty(); }
    bool canRedo() const { return !m_later.empty(); }

    // To be called before a change with the state that it changes.
    void remember(T state) {
        m_later.clear();
        m_earlier.push_back(std::move(state));
        if (m_earlier.size() > maxStates) m_earlier.erase(m_earlier.begin());
    }

    // Both give the state to return to, and keep the one that is left. canUndo(), or canRedo(), must hold.
    T undo(T current) { return move(m_earlier, m_later, std::move(current)); }
    T redo(T current) { return move(m_later, m_earlier, std::move(current)); }

    void clear() { *this = {}; }

private:
    static T move(std::vector<T>& from, std::vector<T>& to, T current) {
        to.push_back(std::move(current));
        T state = std::move(from.back());
        from.pop_back();
        return state;
    }

    std::vector<T> m_earlier; // the latest last
    std::vector<T> m_later;   // the next last
};

} // namespace wb::ui::convert
