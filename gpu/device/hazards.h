// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace wb::gpu {

// Decides where a barrier must stand: before a step that reads what an earlier one wrote, or writes what an earlier one read or
// wrote. One barrier separates everything before it from everything after it, so the lists start again with it.
class Hazards {
public:
    struct Access {
        const void* object = nullptr; // a buffer or image
        std::uint64_t begin = 0;      // bytes
        std::uint64_t end = 0;
        bool write = false;
    };

    // Whether a barrier is needed before a step with these accesses; remembers them either way.
    bool add(const std::vector<Access>& step);

private:
    bool conflicts(const Access& access) const;
    std::vector<Access> m_open; // since the last barrier
};

} // namespace wb::gpu
