// SPDX-License-Identifier: MIT
#include "core/infer/cached_rows.h"

#include "gpu/infer/device_runner.h"

// Caches that go to another engine or come from one.
namespace wb::gpu {

// The positions of one head: where they are on the device, and in the rows of keys followed by those of values.
struct DeviceRunner::CachedPart {
    View view;
    std::uint64_t offset = 0;
};

std::vector<DeviceRunner::CachedPart> DeviceRunner::cachedParts(const infer::CachedRange& range) const {
    const infer::CacheShape& shape = m_graph.caches[range.cache];
    const DeviceBuffers::Cache& cache = m_buffers.caches[range.cache];
    std::vector<CachedPart> parts;
    std::uint64_t offset = 0;
    const auto add = [&](const View& whole, std::uint64_t bytes) {
        const std::uint64_t headBytes = cachedKeys(shape, m_options.context) * bytes;
        for (std::uint64_t head = 0; bytes > 0 && head < shape.heads.kvHeads; ++head) {
            parts.push_back({viewPart(whole, head * headBytes + range.first * bytes, range.count * bytes), offset});
            offset += range.count * bytes;
        }
    };
    add(cache.keys, cachedBytes(m_options.keys, shape.heads.keyLength));
    add(cache.values, cachedBytes(m_options.values, shape.heads.valueLength));
    return parts;
}

Result<void> DeviceRunner::readCache(const infer::CachedRange& range, infer::CachedRows& rows) {
    const std::vector<CachedPart> parts = cachedParts(range);
    const std::uint64_t bytes = parts.back().offset + parts.back().view.bytes;
    WB_TRY_ASSIGN(const BufferPtr back, m_device->buffer(bytes, Memory::Readback));
    Recorder recorder(m_device);
    for (const CachedPart& part : parts) recorder.copy(part.view, back->view(part.offset, part.view.bytes));
    WB_TRY_ASSIGN(const Ticket ticket, m_device->submit(std::move(recorder)));
    WB_TRY(ticket.wait());
    const infer::HeadShape& heads = m_graph.caches[range.cache].heads;
    const auto all = back->map<std::byte>().first(bytes);
    const auto keys = all.first(heads.kvHeads * range.count * cachedBytes(m_options.keys, heads.keyLength));
    rows.keys.assign(keys.begin(), keys.end());
    rows.values.assign(keys.end(), all.end());
    return {};
}

Result<void> DeviceRunner::writeCache(const infer::CachedRange& range, const infer::CachedRows& rows) {
    WB_TRY_ASSIGN(const BufferPtr upload, m_device->buffer(rows.keys.size() + rows.values.size(), Memory::Upload));
    std::ranges::copy(rows.values, std::ranges::copy(rows.keys, upload->map<std::byte>().begin()).out);
    Recorder recorder(m_device);
    for (const CachedPart& part : cachedParts(range)) recorder.copy(upload->view(part.offset, part.view.bytes), part.view);
    WB_TRY_ASSIGN(const Ticket ticket, m_device->submit(std::move(recorder)));
    return ticket.wait();
}

} // namespace wb::gpu
