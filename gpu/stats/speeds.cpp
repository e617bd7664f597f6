// SPDX-License-Identifier: MIT
#include "gpu/stats/speeds.h"

#include <algorithm>

namespace wb::gpu {

const Speeds::Tried& Speeds::tried(Dtype dtype, Who who) const {
    static constexpr Tried never;
    const auto found = m_tried.find(dtype);
    return found == m_tried.end() ? never : found->second[who];
}

Speeds::Who Speeds::next(Dtype dtype) const {
    if (known(dtype)) return best(dtype, Device) >= best(dtype, Cpu) ? Device : Cpu;
    return tried(dtype, Device).times <= tried(dtype, Cpu).times ? Device : Cpu;
}

void Speeds::add(Dtype dtype, Who who, double bytes, double seconds) {
    Tried& one = m_tried[dtype][who];
    ++one.times;
    if (seconds > 0) one.best = std::max(one.best, bytes / seconds);
}

bool Speeds::known(Dtype dtype) const { return tried(dtype, Device).times >= trials && tried(dtype, Cpu).times >= trials; }

double Speeds::best(Dtype dtype, Who who) const { return tried(dtype, who).best; }

} // namespace wb::gpu
