// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

// The first four bytes of each record of a zip archive, little-endian (PKWARE APPNOTE.TXT, section 4.3).
namespace wb::zip {

inline constexpr std::uint32_t localSign = 0x04034B50;
inline constexpr std::uint32_t centralSign = 0x02014B50;
inline constexpr std::uint32_t endSign = 0x06054B50;
inline constexpr std::uint32_t end64Sign = 0x06064B50;
inline constexpr std::uint32_t locatorSign = 0x07064B50;

} // namespace wb::zip
