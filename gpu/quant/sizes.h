// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/device.h"

namespace wb::gpu {

// Where the next view of a buffer may begin.
constexpr std::uint64_t alignedView(std::uint64_t bytes) { return (bytes + 255) / 256 * 256; }

// What the shaders write of a result, which may end within their last words.
constexpr std::uint64_t paddedResult(std::uint64_t bytes) { return (bytes + 15) / 16 * 16; }

// Makes a buffer, or a larger one where it is too small.
inline Result<void> atLeast(Device& device, BufferPtr& buffer, std::uint64_t bytes, Memory memory) {
    if (buffer && buffer->bytes() >= bytes) return {};
    WB_TRY_ASSIGN(buffer, device.buffer(bytes, memory));
    return {};
}

} // namespace wb::gpu
