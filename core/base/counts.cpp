// SPDX-License-Identifier: MIT
#include "core/base/counts.h"

namespace wb {

std::string grouped(std::uint64_t count) {
    std::string digits = std::to_string(count);
    for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
    return digits;
}

} // namespace wb
