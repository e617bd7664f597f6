// SPDX-License-Identifier: MIT
#include "gpu/quant/engine.h"

#include "gpu/device/recorder.h"
#include "gpu/device/upload.h"
#include "gpu/quant/room.h"
#include "gpu/quant/sizes.h"
#include "gpu/shaders/row_means.spv.h"

#include <algorithm>
#include <cstring>

namespace wb::gpu {
namespace {

// Enough to keep the device busy while others upload and read back; each is some tens of megabytes.
constexpr unsigned mostSets = 4;

constexpr std::uint64_t mostGroups = 65535;         // of a dispatch on every device
constexpr std::uint64_t leastElementsPerGroup = 128; // of casts, decoders and error sums; quantizers take more

struct Push {
    std::uint32_t blocks;
    std::uint32_t blocksPerRow;
};

struct MeansPush {
    std::uint32_t rows;
    std::uint32_t columns;
};

} // namespace

QuantEngine::QuantEngine(DevicePtr device) : m_device(std::move(device)), m_sets(mostSets) {}

QuantEngine::Lease::Lease(QuantEngine& engine) : m_engine(engine) {
    std::unique_lock lock(engine.m_mutex);
    engine.m_returned.wait(lock, [&] { return engine.m_leased < engine.m_sets; });
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

// After a set found no room: gives back what nobody uses, and allows no more sets than are in use. False where those are none.
bool QuantEngine::makeRoom() {
    const std::lock_guard lock(m_mutex);
    m_free.clear();
    if (m_leased > 0) m_sets = m_leased;
    return m_leased > 0;
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
        WB_TRY(withRoom([&] { return runRows(kernel, part, out.subspan(first * stride, count * stride)); }));
    }
    return {};
}

Result<View> QuantEngine::recordMeans(Recorder& recorder, Buffers& buffers, const View& values, std::uint64_t columns) {
    const MeansPush push{static_cast<std::uint32_t>(values.bytes / sizeof(float) / columns), static_cast<std::uint32_t>(columns)};
    WB_TRY_ASSIGN(const KernelPtr compiled, m_device->kernel({"row_means", shaders::row_means, 2, sizeof(push)}));
    WB_TRY(atLeast(*m_device, buffers.means, push.rows * sizeof(float), Memory::Device));
    const View means = buffers.means->view(0, push.rows * sizeof(float));
    recorder.dispatch(compiled, {reads(values), writes(means)}, push, {groupsFor(push.rows, 64)});
    return means;
}

Result<void> QuantEngine::record(Recorder& recorder, const QuantKernel& kernel, bool weighted, const Views& views, Buffers& buffers,
                                 std::uint64_t columns) {
    WB_TRY_ASSIGN(const KernelPtr compiled,
                  m_device->kernel({name(kernel.dtype), kernel.words, 5, sizeof(Push), {weighted ? 1u : 0u}}));
    View means = views.weights; // something, where none are needed
    if (weighted && kernel.needsMeans) {
        WB_TRY_ASSIGN(means, recordMeans(recorder, buffers, views.values, columns));
    }
    const std::uint64_t elements = views.values.bytes / sizeof(float), ofBlock = wb::info(kernel.dtype).blockElements;
    const Push push{static_cast<std::uint32_t>(elements / ofBlock), static_cast<std::uint32_t>(columns / ofBlock)};
    recorder.dispatch(compiled, {reads(views.values), reads(views.weights), writes(views.result), reads(means), reads(views.tables)},
                      push, {groupsFor(push.blocks, kernel.blocksPerGroup)});
    return {};
}

// Source and weights travel in one upload, each from an aligned place.
Result<void> QuantEngine::runRows(const QuantKernel& kernel, const quant::Rows& rows, std::span<std::byte> out) {
    const bool weighted = kernel.weighted && !rows.weights.empty();
    const std::vector<float> none(1);
    const std::span<const float> weights = weighted ? rows.weights : std::span<const float>(none);
    const std::uint64_t weightsAt = alignedView(rows.values.size_bytes()), uploaded = weightsAt + weights.size_bytes();

    WB_TRY_ASSIGN(const BufferPtr tables, table(kernel));
    Lease buffers(*this);
    WB_TRY(reserve(*buffers, uploaded, paddedResult(out.size())));
    std::byte* const to = buffers->upload->map<std::byte>().data();
    std::memcpy(to, rows.values.data(), rows.values.size_bytes());
    std::memcpy(to + weightsAt, weights.data(), weights.size_bytes());

    const auto part = [&](std::uint64_t at, std::uint64_t bytes) { return buffers->source->view(at, bytes); };
    const View result = buffers->result->view(0, paddedResult(out.size()));
    Recorder recorder(m_device);
    recorder.copy(buffers->upload->view(0, uploaded), part(0, uploaded));
    WB_TRY(record(recorder, kernel, weighted,
                  {part(0, rows.values.size_bytes()), part(weightsAt, weights.size_bytes()), result, tables->view()}, *buffers,
                  rows.columns));
    recorder.copy(result, buffers->back->view(0, result.bytes));
    WB_TRY_ASSIGN(const Ticket ticket, m_device->submit(std::move(recorder)));
    WB_TRY(ticket.wait());
    std::memcpy(out.data(), buffers->back->map<std::byte>().data(), out.size());
    return {};
}

} // namespace wb::gpu
