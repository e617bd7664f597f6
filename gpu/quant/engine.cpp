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

// Enough to keep the device busy while others upload and read back; each is some tens of megabytes.
constexpr unsigned mostSets = 4;

constexpr std::uint64_t mostGroups = 65535;         // of a dispatch on every device
constexpr std::uint64_t leastElementsPerGroup = 128; // of casts, decoders and error sums; quantizers take more

struct Push {
    std::uint32_t blocks;
    std::uint32_t blocksPerRow;
};

} // namespace

QuantEngine::Lease::Lease(QuantEngine& engine) : m_engine(engine) {
    std::unique_lock lock(engine.m_mutex);
    engine.m_returned.wait(lock, [&] { return engine.m_leased < mostSets; });
    ++engine.m_leased;
    if (engine.m_free.empty()) return;
    m_buffers = std::move(engine.m_free.back());
    engine.m_free.pop_back();
}

QuantEngine::Lease::~Lease() {
    {
        const std::lock_guard lock(m_engine.m_mutex);
        m_engine.m_free.push_back(std::move(m_buffers));
        --m_engine.m_leased;
    }
    m_engine.m_returned.notify_one();
}

Result<void> QuantEngine::reserve(Buffers& buffers, std::uint64_t sourceBytes, std::uint64_t resultBytes) {
    WB_TRY(atLeast(*m_device, buffers.upload, sourceBytes, Memory::Upload));
    WB_TRY(atLeast(*m_device, buffers.source, sourceBytes, Memory::Device));
    WB_TRY(atLeast(*m_device, buffers.result, resultBytes, Memory::Device));
    return atLeast(*m_device, buffers.back, resultBytes, Memory::Readback);
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

std::uint64_t QuantEngine::elementsPerRun() const {
    return std::min<std::uint64_t>(info().viewBytes / sizeof(float), mostGroups * leastElementsPerGroup);
}

std::uint64_t QuantEngine::rowsPerRun(std::uint64_t columns) const { return std::max<std::uint64_t>(1, elementsPerRun() / columns); }

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
    Lease buffers(*this);
    WB_TRY(reserve(*buffers, meansAt + alignedView(means.size() * sizeof(float)), paddedResult(out.size())));
    std::byte* const to = buffers->upload->map<std::byte>().data();
    std::memcpy(to, rows.values.data(), rows.values.size_bytes());
    std::memcpy(to + weightsAt, weights.data(), weights.size_bytes());
    std::memcpy(to + meansAt, means.data(), means.size() * sizeof(float));

    const auto part = [&](std::uint64_t at, std::uint64_t bytes) { return buffers->source->view(at, bytes); };
    const std::uint64_t uploaded = meansAt + means.size() * sizeof(float);
    const View result = buffers->result->view(0, paddedResult(out.size()));
    Recorder recorder(m_device);
    recorder.copy(buffers->upload->view(0, uploaded), part(0, uploaded));
    WB_TRY(record(recorder, kernel, weighted,
                  {part(0, rows.values.size_bytes()), part(weightsAt, weights.size_bytes()), result,
                   part(meansAt, means.size() * sizeof(float)), tables->view()},
                  rows.values.size(), rows.columns));
    recorder.copy(result, buffers->back->view(0, result.bytes));
    WB_TRY_ASSIGN(const Ticket ticket, m_device->submit(std::move(recorder)));
    WB_TRY(ticket.wait());
    std::memcpy(out.data(), buffers->back->map<std::byte>().data(), out.size());
    return {};
}

} // namespace wb::gpu
