// SPDX-License-Identifier: MIT
#include "gpu/quant/engine.h"

#include "gpu/device/recorder.h"
#include "gpu/device/upload.h"
#include "gpu/quant/sizes.h"

#include <algorithm>
#include <cstring>

namespace wb::gpu {
namespace {

// Σx²/n of every row, added in index order as the reference does.
std::vector<float> meanSquares(const quant::Rows& rows) {
    std::vector<float> means;
    for (std::uint64_t r = 0; r < rows.count(); ++r) {
        float sum = 0;
        for (const float x : rows.values.subspan(r * rows.columns, rows.columns)) sum += x * x;
        means.push_back(sum / static_cast<float>(rows.columns));
    }
    return means;
}

struct Push {
    std::uint32_t blocks;
    std::uint32_t blocksPerRow;
};

} // namespace

Result<QuantEngine::Buffers> QuantEngine::take(std::uint64_t sourceBytes, std::uint64_t resultBytes) {
    Buffers buffers;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_free.empty()) {
            buffers = std::move(m_free.back());
            m_free.pop_back();
        }
    }
    WB_TRY(atLeast(*m_device, buffers.upload, sourceBytes, Memory::Upload));
    WB_TRY(atLeast(*m_device, buffers.source, sourceBytes, Memory::Device));
    WB_TRY(atLeast(*m_device, buffers.result, resultBytes, Memory::Device));
    WB_TRY(atLeast(*m_device, buffers.back, resultBytes, Memory::Readback));
    return buffers;
}

void QuantEngine::giveBack(Buffers buffers) {
    const std::lock_guard lock(m_mutex);
    m_free.push_back(std::move(buffers));
}

// A type without a table gets one word: every binding must be bound.
Result<BufferPtr> QuantEngine::table(const QuantKernel& kernel) {
    const std::lock_guard lock(m_mutex);
    BufferPtr& slot = m_tables[kernel.dtype];
    if (!slot) {
        WB_TRY_ASSIGN(slot, uploadWords(m_device, kernel.tables ? kernel.tables() : std::vector<std::uint32_t>(1)));
    }
    return slot;
}

std::uint64_t QuantEngine::rowsPerRun(std::uint64_t columns) const {
    return std::max<std::uint64_t>(1, info().viewBytes / (columns * sizeof(float)));
}

Result<void> QuantEngine::run(const QuantKernel& kernel, const quant::Rows& rows, std::span<std::byte> out) {
    const std::uint64_t perRun = rowsPerRun(rows.columns);
    const std::size_t stride = *rowBytes(kernel.dtype, rows.columns);
    for (std::uint64_t first = 0; first < rows.count(); first += perRun) {
        const std::uint64_t count = std::min(perRun, rows.count() - first);
        const quant::Rows part{rows.values.subspan(first * rows.columns, count * rows.columns), rows.columns, rows.weights};
        WB_TRY(runRows(kernel, part, out.subspan(first * stride, count * stride)));
    }
    return {};
}

Result<void> QuantEngine::record(Recorder& recorder, const QuantKernel& kernel, bool weighted, const Views& views,
                                 std::uint64_t elements, std::uint64_t columns) {
    WB_TRY_ASSIGN(const KernelPtr compiled,
                  m_device->kernel({name(kernel.dtype), kernel.words, 5, sizeof(Push), {weighted ? 1u : 0u}}));
    const std::uint64_t ofBlock = wb::info(kernel.dtype).blockElements;
    const Push push{static_cast<std::uint32_t>(elements / ofBlock), static_cast<std::uint32_t>(columns / ofBlock)};
    recorder.dispatch(compiled,
                      {reads(views.values), reads(views.weights), writes(views.result), reads(views.means), reads(views.tables)},
                      push, {groupsFor(push.blocks, kernel.blocksPerGroup)});
    return {};
}

// Source, weights and means travel in one upload, each from an aligned place.
Result<void> QuantEngine::runRows(const QuantKernel& kernel, const quant::Rows& rows, std::span<std::byte> out) {
    const bool weighted = kernel.weighted && !rows.weights.empty();
    const std::vector<float> means = weighted && kernel.needsMeans ? meanSquares(rows) : std::vector<float>(1);
    const std::span<const float> weights = weighted ? rows.weights : std::span<const float>(means);
    const std::uint64_t weightsAt = alignedView(rows.values.size_bytes()), meansAt = weightsAt + alignedView(weights.size_bytes());

    WB_TRY_ASSIGN(const BufferPtr tables, table(kernel));
    WB_TRY_ASSIGN(Buffers buffers, take(meansAt + alignedView(means.size() * sizeof(float)), paddedResult(out.size())));
    std::byte* const to = buffers.upload->map<std::byte>().data();
    std::memcpy(to, rows.values.data(), rows.values.size_bytes());
    std::memcpy(to + weightsAt, weights.data(), weights.size_bytes());
    std::memcpy(to + meansAt, means.data(), means.size() * sizeof(float));

    const auto part = [&](std::uint64_t at, std::uint64_t bytes) { return buffers.source->view(at, bytes); };
    const std::uint64_t uploaded = meansAt + means.size() * sizeof(float);
    const View result = buffers.result->view(0, paddedResult(out.size()));
    Recorder recorder(m_device);
    recorder.copy(buffers.upload->view(0, uploaded), part(0, uploaded));
    WB_TRY(record(recorder, kernel, weighted,
                  {part(0, rows.values.size_bytes()), part(weightsAt, weights.size_bytes()), result,
                   part(meansAt, means.size() * sizeof(float)), tables->view()},
                  rows.values.size(), rows.columns));
    recorder.copy(result, buffers.back->view(0, result.bytes));
    WB_TRY_ASSIGN(const Ticket ticket, m_device->submit(std::move(recorder)));
    WB_TRY(ticket.wait());
    std::memcpy(out.data(), buffers.back->map<std::byte>().data(), out.size());
    giveBack(std::move(buffers));
    return {};
}

} // namespace wb::gpu
