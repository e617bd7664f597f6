// SPDX-License-Identifier: MIT
#include "gpu/device/host_upload.h"

namespace wb::gpu {

// A device that has little memory of the direct kind, or none left, copies.
Result<HostUpload> HostUpload::make(Device& device, std::uint64_t bytes, Way way) {
    HostUpload inlet;
    if (way == Way::Best && device.hasDirectMemory()) {
        if (auto direct = device.buffer(bytes, Memory::Direct)) {
            inlet.m_written = std::move(*direct);
            return inlet;
        }
    }
    WB_TRY_ASSIGN(inlet.m_written, device.buffer(bytes, Memory::Upload));
    WB_TRY_ASSIGN(inlet.m_onDevice, device.buffer(bytes, Memory::Device));
    return inlet;
}

View HostUpload::enter(Recorder& recorder, std::uint64_t bytes) const {
    if (m_onDevice) recorder.copy(m_written->view(0, bytes), m_onDevice->view(0, bytes));
    return view(0, bytes);
}

} // namespace wb::gpu
