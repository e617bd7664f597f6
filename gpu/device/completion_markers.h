// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/buffer.h"

#include <array>

namespace wb::gpu {

// Words that contain the numbers of finished submissions in turn: more than there are submissions in flight.
inline constexpr std::uint64_t completionWords = 256;

// What proves that a replayed recording was done. A recording cannot hold the number of each of its submissions; so small commands
// after it copy that number from memory of the host, one set for each word of completions. Used under the queue's lock.
class CompletionMarkers {
public:
    static Result<std::unique_ptr<CompletionMarkers>> make(Device& device);
    ~CompletionMarkers();
    CompletionMarkers(const CompletionMarkers&) = delete;
    CompletionMarkers& operator=(const CompletionMarkers&) = delete;

    // That write `value` into the word, its own one.
    Result<VkCommandBuffer> commands(std::uint64_t value, const View& word);

private:
    explicit CompletionMarkers(Device& device) : m_device(device) {}
    Result<void> record(std::uint64_t slot, const View& word);

    Device& m_device;
    BufferPtr m_numbers;
    VkCommandPool m_pool = VK_NULL_HANDLE;
    std::array<VkCommandBuffer, completionWords> m_commands{}; // recorded when first needed
};

} // namespace wb::gpu
