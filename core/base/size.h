// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace wb {

// "4.2GB", "800 MB", "1.5GiB", "123456": decimal units as disks count, binary ones with an i, any case, the B may be omitted.
// Empty where it is not a size above 0.
std::optional<std::uint64_t> parseSize(std::string_view text);

} // namespace wb
