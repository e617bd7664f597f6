// SPDX-License-Identifier: MIT
#include "gpu/device/run_once.h"

#include "gpu/device/recorder.h"
#include "gpu/device/upload.h"

namespace wb::gpu {

Result<std::vector<std::uint32_t>> runOnce(const DevicePtr& device, const KernelCode& code,
                                           std::span<const std::vector<std::uint32_t>> inputs, std::size_t results,
                                           std::uint32_t cases, std::uint32_t groups) {
    WB_TRY_ASSIGN(const KernelPtr kernel, device->kernel(code));
    WB_TRY_ASSIGN(const BufferPtr out, device->buffer(results * 4, Memory::Device));
    WB_TRY_ASSIGN(const BufferPtr back, device->buffer(results * 4, Memory::Readback));
    std::vector<Binding> bindings;
    for (const auto& words : inputs) {
        WB_TRY_ASSIGN(const BufferPtr in, uploadWords(device, words));
        bindings.push_back(reads(in->view()));
    }
    bindings.push_back(writes(out->view()));

    Recorder recorder(device);
    const auto push = std::as_bytes(std::span(&cases, 1)).first(code.pushBytes);
    recorder.dispatch(kernel, bindings, push, {groups});
    recorder.copy(out->view(), back->view());
    WB_TRY_ASSIGN(const Ticket ticket, device->submit(std::move(recorder)));
    WB_TRY(ticket.wait());
    const auto words = back->map<std::uint32_t>().first(results);
    return std::vector(words.begin(), words.end());
}

} // namespace wb::gpu
