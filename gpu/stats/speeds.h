// SPDX-License-Identifier: MIT
#pragma once

#include "core/tensor/dtype.h"

#include <array>
#include <map>

namespace wb::gpu {

// How fast a device and the CPU were with tensors of each type. Not thread-safe.
class Speeds {
public:
    enum Who : std::size_t { Device, Cpu };

    // Both are tried twice before they are compared, because the first time pays for starting up.
    Who next(Dtype dtype) const;

    void add(Dtype dtype, Who who, double bytes, double seconds);

    bool known(Dtype dtype) const;
    double best(Dtype dtype, Who who) const; // bytes a second

private:
    struct Tried {
        unsigned times = 0;
        double best = 0;
    };
    const Tried& tried(Dtype dtype, Who who) const;

    static constexpr unsigned trials = 2;
    std::map<Dtype, std::array<Tried, 2>> m_tried;
};

} // namespace wb::gpu
