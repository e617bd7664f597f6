// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/recorder.h"

namespace wb::gpu {

// Where bytes of the host enter the device: threads write them into map(), kernels read them from the view that enter() gives.
// If the CPU can access much of the device memory (resizable BAR, integrated and software devices) that is one buffer, and
// nothing is copied after the writing; else the CPU's memory is written and the device copies it. Not thread-safe, but any threads
// may write into map() until the work that reads it is submitted, and again when that is done.
class HostUpload {
public:
    enum class Way : std::uint8_t { Best, Copied }; // Copied: also where it could be direct, for tests

    // TooLarge where the device has no memory left.
    static Result<HostUpload> make(Device& device, std::uint64_t bytes, Way way = Way::Best);

    // Nothing can be written before it is made.
    HostUpload() = default;

    std::uint64_t bytes() const { return m_written ? m_written->bytes() : 0; }
    bool isDirect() const { return m_written && !m_onDevice; }
    std::span<std::byte> map() const { return m_written->map<std::byte>(); }

    // The first `bytes` (a multiple of 4) as the steps that `recorder` is given next see them.
    View enter(Recorder& recorder, std::uint64_t bytes) const;

    // A part of what entered.
    View view(std::uint64_t offset, std::uint64_t bytes) const { return seen()->view(offset, bytes); }

private:
    const BufferPtr& seen() const { return m_onDevice ? m_onDevice : m_written; }

    BufferPtr m_written, m_onDevice; // the second is null where both are one
};

} // namespace wb::gpu
