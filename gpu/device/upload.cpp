// SPDX-License-Identifier: MIT
#include "gpu/device/upload.h"

#include "gpu/device/recorder.h"

#include <algorithm>

namespace wb::gpu {

Result<BufferPtr> uploadWords(const DevicePtr& device, std::span<const std::uint32_t> words) {
    WB_TRY_ASSIGN(const BufferPtr staging, device->buffer(words.size_bytes(), Memory::Upload));
    WB_TRY_ASSIGN(const BufferPtr buffer, device->buffer(words.size_bytes(), Memory::Device));
    std::ranges::copy(words, staging->map<std::uint32_t>().begin());
    Recorder recorder(device);
    recorder.copy(staging->view(), buffer->view());
    WB_TRY_ASSIGN(const Ticket ticket, device->submit(std::move(recorder)));
    WB_TRY(ticket.wait());
    return buffer;
}

} // namespace wb::gpu
