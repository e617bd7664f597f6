// SPDX-License-Identifier: MIT
#pragma once

#include "core/quant/backend.h"
#include "gpu/device/device.h"
#include "gpu/quant/kernels.h"

#include <map>
#include <mutex>

namespace wb::gpu {

// Runs quantizing kernels: buffers, tables and submissions. Every concurrent caller has its own set of buffers, so that one's
// upload overlaps another's work. Thread-safe.
class QuantEngine {
public:
    explicit QuantEngine(DevicePtr device) : m_device(std::move(device)) {}

    // Whether one submission can hold a row; a longer one does not fit the device's buffer views.
    bool fits(const quant::Rows& rows) const { return rows.columns * sizeof(float) <= m_device->info().viewBytes; }

    Result<void> run(const QuantKernel& kernel, const quant::Rows& rows, std::span<std::byte> out);

    const DeviceInfo& info() const { return m_device->info(); }

private:
    struct Buffers {
        BufferPtr upload, source, result, back;
    };

    Result<Buffers> take(std::uint64_t sourceBytes, std::uint64_t resultBytes);
    void giveBack(Buffers buffers);
    Result<BufferPtr> table(const QuantKernel& kernel);
    Result<void> runRows(const QuantKernel& kernel, const quant::Rows& rows, std::span<std::byte> out);

    DevicePtr m_device;
    std::mutex m_mutex;
    std::vector<Buffers> m_free;
    std::map<Dtype, BufferPtr> m_tables;
};

} // namespace wb::gpu
