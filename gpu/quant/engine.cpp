// SPDX-License-Identifier: MIT
#include "gpu/quant/engine.h"

#include "gpu/decode/tables.h"
#include "gpu/device/recorder.h"
#include "gpu/device/upload.h"
#include "gpu/shaders/error_sums.spv.h"
#include "gpu/shaders/error_tile.h"
#include "gpu/shaders/quant_decode.spv.h"
#include "gpu/shaders/row_means.spv.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace wb::gpu {
namespace {

// Enough to keep the device busy while others upload and read back; each is some tens of megabytes.
// A card with much memory gets more of them, as one thread fills its set slower than the bus takes it.
unsigned maxBufferSets(const DeviceInfo& device) { return !device.software() && device.memory >= std::uint64_t{8} << 30 ? 8 : 4; }

constexpr std::uint64_t maxGroups = 65535;         // of a dispatch, on every device
constexpr std::uint64_t minElementsPerGroup = 128; // of casts, decoders and error sums; quantizers take more

struct MeansPush {
    std::uint32_t rows;
    std::uint32_t columns;
    std::uint32_t blocksPerRow;
};

struct ErrorsPush {
    std::uint32_t count;
    std::uint32_t ofBlock;
};

// A view of a buffer starts at a multiple of this, which every device accepts.
constexpr std::uint64_t alignedView(std::uint64_t bytes) { return (bytes + 255) / 256 * 256; }

// Shaders write whole words, so a result may be longer than its blocks.
constexpr std::uint64_t paddedResult(std::uint64_t bytes) { return (bytes + 15) / 16 * 16; }

// Replaces a buffer that is missing or too small.
Result<void> ensureSize(Device& device, BufferPtr& buffer, std::uint64_t bytes, Memory memory) {
    if (buffer && buffer->bytes() >= bytes) return {};
    WB_TRY_ASSIGN(buffer, device.buffer(bytes, memory));
    return {};
}

constexpr std::uint64_t word = sizeof(std::uint32_t);

std::uint64_t wholeWords(std::uint64_t bytes) { return (bytes + word - 1) / word * word; }

double wordsPair(std::span<const std::uint32_t> words) {
    return static_cast<double>(std::bit_cast<float>(words[0])) + static_cast<double>(std::bit_cast<float>(words[1]));
}

quant::ErrorSums tileSums(std::span<const std::uint32_t> tile) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::uint32_t bad = tile[WB_ERROR_BAD];
    if (bad != 0) return {infinity, (bad & 1) != 0 ? infinity : 0, (bad & 2) != 0 ? infinity : 0, 0};
    const int power = 2 * static_cast<std::int32_t>(tile[WB_ERROR_EXPONENT]);
    const auto sum = [&](std::size_t at) { return std::ldexp(wordsPair(tile.subspan(WB_ERROR_SUMS + 2 * at, 2)), power); };
    return {sum(0), sum(1), sum(2), sum(3)};
}

// The marks read back.
BlockNumbers marksRead(Buffer* readback, const View& marks) {
    if (marks.bytes == 0) return {};
    return markedBlocks(readback->map<std::uint32_t>().first(marks.bytes / word));
}

} // namespace

QuantEngine::QuantEngine(DevicePtr device) : m_device(std::move(device)), m_maxSets(maxBufferSets(m_device->info())) {}

QuantEngine::Lease::Lease(QuantEngine& engine) : m_engine(engine) {
    std::unique_lock lock(engine.m_mutex);
    engine.m_returned.wait(lock, [&] { return engine.m_leased < engine.m_maxSets; });
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
    if (buffers.source.bytes() < sourceBytes) {
        WB_TRY_ASSIGN(buffers.source, HostUpload::make(*m_device, sourceBytes));
    }
    WB_TRY(ensureSize(*m_device, buffers.result, resultBytes, Memory::Device));
    return ensureSize(*m_device, buffers.resultReadback, resultBytes, Memory::Readback);
}

// Called after an allocation failed: frees the unused sets and allows no more sets than are in use. False if none is in
// use, so that a retry would fail as well.
bool QuantEngine::reduceBufferSets() {
    const std::lock_guard lock(m_mutex);
    m_free.clear();
    if (m_leased > 0) m_maxSets = m_leased;
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
    return std::min<std::uint64_t>(info().viewBytes / sizeof(float), maxGroups * minElementsPerGroup);
}

std::uint64_t QuantEngine::rowsPerRun(std::uint64_t columns) const {
    return std::max<std::uint64_t>(1, elementsPerRun() / columns);
}

// Does the work. Where the device has no memory left, tries again with fewer sets of buffers at a time.
template <typename Work>
auto QuantEngine::withFewerBuffersIfFull(Work work) -> decltype(work()) {
    for (bool isLast = false;; isLast = !reduceBufferSets()) {
        auto done = work();
        if (done || isLast || done.error().code != ErrorCode::TooLarge) return done;
    }
}

Result<std::uint64_t> QuantEngine::run(const QuantKernel& kernel, const quant::Rows& rows, std::span<std::byte> out) {
    WB_TRY_ASSIGN(const BlockNumbers marked, runOnDevice(kernel, rows, out));
    if (!marked.empty()) redoBlocks(kernel.dtype, marked, rowSource(rows), out);
    return marked.size();
}

Result<BlockNumbers> QuantEngine::runOnDevice(const QuantKernel& kernel, const quant::Rows& rows, std::span<std::byte> out) {
    const std::uint64_t perRun = rowsPerRun(rows.columns);
    const std::size_t stride = *rowBytes(kernel.dtype, rows.columns);
    BlockNumbers marked;
    for (std::uint64_t first = 0; first < rows.count(); first += perRun) {
        const std::uint64_t count = std::min(perRun, rows.count() - first);
        const quant::Rows part{rows.values.subspan(first * rows.columns, count * rows.columns), rows.columns, rows.weights};
        WB_TRY_ASSIGN(const BlockNumbers some,
                      withFewerBuffersIfFull([&] { return runRows(kernel, part, out.subspan(first * stride, count * stride)); }));
        const std::uint64_t before = first * rows.columns / wb::info(kernel.dtype).blockElements;
        for (const std::uint64_t block : some) marked.push_back(before + block);
    }
    return marked;
}

// Room for a bit a block; empty on a device that keeps subnormal numbers.
Result<View> QuantEngine::reserveMarks(Buffers& buffers, std::uint64_t blocks) {
    WB_TRY_ASSIGN(const bool keeps, m_device->keepsSubnormals());
    if (keeps) return View();
    const std::uint64_t bytes = (blocks + 31) / 32 * word;
    WB_TRY(ensureSize(*m_device, buffers.marks, bytes, Memory::Device));
    WB_TRY(ensureSize(*m_device, buffers.markReadback, bytes, Memory::Readback));
    return buffers.marks->view(0, bytes);
}

Result<View> QuantEngine::recordMeans(Recorder& recorder, Buffers& buffers, const Views& views, std::uint64_t columns,
                                      std::uint64_t blocksPerRow) {
    const bool marks = views.marks.bytes > 0;
    const MeansPush push{static_cast<std::uint32_t>(views.values.bytes / sizeof(float) / columns),
                         static_cast<std::uint32_t>(columns), static_cast<std::uint32_t>(blocksPerRow)};
    WB_TRY_ASSIGN(const KernelPtr compiled,
                  m_device->kernel({"row_means", shaders::row_means, 3, sizeof(push), {0, marks ? 1u : 0u}}));
    WB_TRY(ensureSize(*m_device, buffers.means, push.rows * sizeof(float), Memory::Device));
    const View means = buffers.means->view(0, push.rows * sizeof(float));
    recorder.dispatch(compiled, {reads(views.values), writes(means), marks ? updates(views.marks) : reads(views.values)}, push,
                      {groupsFor(push.rows, 64)});
    return means;
}

Result<void> QuantEngine::record(Recorder& recorder, const QuantKernel& kernel, bool weighted, const Views& views, Buffers& buffers,
                                 std::uint64_t columns) {
    const bool marks = views.marks.bytes > 0;
    WB_TRY_ASSIGN(const KernelPtr compiled, m_device->kernel(quantizerCode(kernel, weighted, marks)));
    const std::uint64_t elements = views.values.bytes / sizeof(float), ofBlock = wb::info(kernel.dtype).blockElements;
    if (marks) recorder.fill(views.marks, 0);
    View means = views.weights; // something, where none are needed
    if (weighted && kernel.needsMeans) {
        WB_TRY_ASSIGN(means, recordMeans(recorder, buffers, views, columns, columns / ofBlock));
    }
    const QuantPush push{static_cast<std::uint32_t>(elements / ofBlock), static_cast<std::uint32_t>(columns / ofBlock)};
    recorder.dispatch(compiled,
                      {reads(views.values), reads(views.weights), writes(views.result), reads(means), reads(views.tables),
                       marks ? updates(views.marks) : reads(views.tables)},
                      push, {groupsFor(push.blocks, kernel.blocksPerGroup)});
    if (marks) recorder.copy(views.marks, buffers.markReadback->view(0, views.marks.bytes));
    return {};
}

// Source and weights travel in one upload, each from an aligned place.
Result<BlockNumbers> QuantEngine::runRows(const QuantKernel& kernel, const quant::Rows& rows, std::span<std::byte> out) {
    const bool weighted = kernel.weighted && !rows.weights.empty();
    const std::vector<float> none(1);
    const std::span<const float> weights = weighted ? rows.weights : std::span<const float>(none);
    const std::uint64_t weightsAt = alignedView(rows.values.size_bytes()), uploaded = weightsAt + weights.size_bytes();

    WB_TRY_ASSIGN(const BufferPtr tables, table(kernel));
    Lease buffers(*this);
    WB_TRY(reserve(*buffers, uploaded, paddedResult(out.size())));
    std::byte* const to = buffers->source.map().data();
    std::memcpy(to, rows.values.data(), rows.values.size_bytes());
    std::memcpy(to + weightsAt, weights.data(), weights.size_bytes());

    const auto part = [&](std::uint64_t at, std::uint64_t bytes) { return buffers->source.view(at, bytes); };
    const View result = buffers->result->view(0, paddedResult(out.size()));
    WB_TRY_ASSIGN(const View marks, reserveMarks(*buffers, rows.values.size() / wb::info(kernel.dtype).blockElements));
    Recorder recorder(m_device);
    buffers->source.enter(recorder, uploaded);
    WB_TRY(record(recorder, kernel, weighted,
                  {part(0, rows.values.size_bytes()), part(weightsAt, weights.size_bytes()), result, tables->view(), marks},
                  *buffers, rows.columns));
    recorder.copy(result, buffers->resultReadback->view(0, result.bytes));
    WB_TRY_ASSIGN(const Ticket ticket, m_device->submit(std::move(recorder)));
    WB_TRY(ticket.wait());
    std::memcpy(out.data(), buffers->resultReadback->map<std::byte>().data(), out.size());
    return marksRead(buffers->markReadback.get(), marks);
}

bool QuantEngine::canRunStored(const quant::StoredRows& rows) const {
    const bool hasTestRows = rows.dtype == Dtype::F32 || quant::canQuantize(rows.dtype); // else the self-test cannot make them
    return hasTestRows && fits(rows.columns);
}

Result<QuantEngine::StoredOutcome> QuantEngine::runStored(const QuantKernel& kernel, const quant::StoredRows& rows,
                                                          std::span<std::byte> out) {
    const std::size_t from = *rowBytes(rows.dtype, rows.columns), to = *rowBytes(kernel.dtype, rows.columns);
    const std::uint64_t count = rows.bytes.size() / from;
    const std::uint64_t perRun = rowsPerRun(rows.columns);
    StoredOutcome all;
    for (std::uint64_t first = 0; first < count; first += perRun) {
        const std::uint64_t some = std::min(perRun, count - first);
        const quant::StoredRows part{rows.bytes.subspan(first * from, some * from), rows.dtype, rows.columns, rows.weights};
        WB_TRY_ASSIGN(const auto done, withFewerBuffersIfFull([&] {
                          return runStoredRows(kernel, part, some * rows.columns, out.subspan(first * to, some * to));
                      }));
        all.sums += done.sums;
        all.redone += done.redone;
    }
    return all;
}

Result<BufferPtr> QuantEngine::decodeTable() {
    const std::lock_guard lock(m_mutex);
    if (!m_decodeTable) {
        WB_TRY_ASSIGN(m_decodeTable, uploadWords(m_device, decodeTables()));
    }
    return m_decodeTable;
}

Result<KernelPtr> QuantEngine::decoder(Dtype dtype) {
    return m_device->kernel({"quant_decode", shaders::quant_decode, 3, word, {static_cast<std::uint32_t>(dtype)}});
}

// Stored rows and weights travel in one upload; everything between them and the result stays on the device.
Result<QuantEngine::StoredOutcome> QuantEngine::runStoredRows(const QuantKernel& kernel, const quant::StoredRows& rows,
                                                              std::uint64_t elements, std::span<std::byte> out) {
    const bool weighted = kernel.weighted && !rows.weights.empty();
    const std::vector<float> none(1);
    const std::span<const float> weights = weighted ? rows.weights : std::span<const float>(none);
    const std::uint64_t weightsAt = alignedView(rows.bytes.size()),
                        tileWords = std::uint64_t{groupsFor(elements, WB_ERROR_TILE_ELEMENTS)} * WB_ERROR_TILE_WORDS;
    WB_TRY_ASSIGN(const BufferPtr tables, table(kernel));
    WB_TRY_ASSIGN(const BufferPtr decodeWords, decodeTable());
    WB_TRY_ASSIGN(const KernelPtr toValues, decoder(rows.dtype));
    WB_TRY_ASSIGN(const KernelPtr fromResult, decoder(kernel.dtype));
    WB_TRY_ASSIGN(const KernelPtr compare, m_device->kernel({"error_sums", shaders::error_sums, 4, sizeof(ErrorsPush)}));
    Lease buffers(*this);
    WB_TRY(reserve(*buffers, weightsAt + alignedView(weights.size_bytes()), paddedResult(out.size())));
    WB_TRY(ensureSize(*m_device, buffers->values, elements * word, Memory::Device));
    WB_TRY(ensureSize(*m_device, buffers->decoded, elements * word, Memory::Device));
    WB_TRY(ensureSize(*m_device, buffers->tiles, tileWords * word, Memory::Device));
    WB_TRY(ensureSize(*m_device, buffers->tileReadback, tileWords * word, Memory::Readback));
    std::byte* const to = buffers->source.map().data();
    std::memcpy(to, rows.bytes.data(), rows.bytes.size());
    std::memcpy(to + weightsAt, weights.data(), weights.size_bytes());

    const std::uint64_t uploaded = weightsAt + weights.size_bytes();
    const View values = buffers->values->view(0, elements * word), decoded = buffers->decoded->view(0, elements * word);
    const View result = buffers->result->view(0, paddedResult(out.size())), tiles = buffers->tiles->view(0, tileWords * word);
    const View weightView = buffers->source.view(weightsAt, weights.size_bytes());
    const auto count = static_cast<std::uint32_t>(elements),
               ofBlock = static_cast<std::uint32_t>(wb::info(kernel.dtype).blockElements);
    WB_TRY_ASSIGN(const View marks, reserveMarks(*buffers, elements / ofBlock));
    Recorder recorder(m_device);
    buffers->source.enter(recorder, uploaded);
    recorder.dispatch(toValues,
                      {reads(buffers->source.view(0, wholeWords(rows.bytes.size()))), reads(decodeWords->view()), writes(values)},
                      count, {groupsFor(elements, 128)});
    WB_TRY(record(recorder, kernel, weighted, {values, weightView, result, tables->view(), marks}, *buffers, rows.columns));
    recorder.dispatch(fromResult, {reads(result), reads(decodeWords->view()), writes(decoded)}, count, {groupsFor(elements, 128)});
    recorder.dispatch(compare, {reads(values), reads(decoded), writes(tiles), reads(marks.bytes > 0 ? marks : values)},
                      ErrorsPush{count, marks.bytes > 0 ? ofBlock : 0}, {groupsFor(elements, WB_ERROR_TILE_ELEMENTS)});
    recorder.copy(result, buffers->resultReadback->view(0, result.bytes));
    recorder.copy(tiles, buffers->tileReadback->view(0, tiles.bytes));
    WB_TRY_ASSIGN(const Ticket ticket, m_device->submit(std::move(recorder)));
    WB_TRY(ticket.wait());
    std::memcpy(out.data(), buffers->resultReadback->map<std::byte>().data(), out.size());
    StoredOutcome outcome;
    const auto sumsRead = std::span<const std::uint32_t>(buffers->tileReadback->map<std::uint32_t>());
    for (std::uint64_t at = 0; at < tileWords; at += WB_ERROR_TILE_WORDS)
        outcome.sums += tileSums(sumsRead.subspan(at, WB_ERROR_TILE_WORDS));
    const BlockNumbers marked = marksRead(buffers->markReadback.get(), marks);
    if (marked.empty()) return outcome;
    const RowSource source = rowSource(rows);
    redoBlocks(kernel.dtype, marked, source, out);
    outcome.sums += blockErrors(kernel.dtype, marked, source, out);
    outcome.redone = marked.size();
    return outcome;
}

} // namespace wb::gpu
