// SPDX-License-Identifier: MIT
#include "core/infer/graph/stream_operations.h"

namespace wb::infer {
namespace {

// The remainder of a signed number, not negative.
std::uint64_t remainder(std::uint64_t bits, std::uint64_t size) {
    const auto number = static_cast<std::int64_t>(bits), divisor = static_cast<std::int64_t>(size);
    const std::int64_t rest = number % divisor;
    return static_cast<std::uint64_t>(rest < 0 ? rest + divisor : rest);
}

} // namespace

void NgramOp::findRows(std::uint32_t token, const std::uint32_t* history, std::uint64_t* rows) const {
    std::uint64_t mixed = token * multipliers[0];
    bool ended = false;
    for (std::uint64_t n = 2; n <= size; ++n) {
        const std::uint32_t earlier = history[n - 2]; // plus 1
        ended = ended || earlier == 0 || earlier - 1 == endToken;
        mixed ^= (ended ? endToken : earlier - 1) * multipliers[n - 1];
        for (std::uint64_t h = (n - 2) * headsEach; h < (n - 1) * headsEach; ++h) rows[h] = remainder(mixed, sizes[h]) + offsets[h];
    }
}

} // namespace wb::infer
