// SPDX-License-Identifier: MIT
#include "gpu/decode/tables.h"
#include "gpu/device/recorder.h"
#include "gpu/device/upload.h"
#include "gpu/quant/engine.h"
#include "gpu/quant/room.h"
#include "gpu/quant/sizes.h"
#include "gpu/shaders/error_sums.spv.h"
#include "gpu/shaders/error_tile.h"
#include "gpu/shaders/quant_decode.spv.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace wb::gpu {
namespace {

constexpr std::uint64_t word = sizeof(std::uint32_t);

std::uint64_t wholeWords(std::uint64_t bytes) { return (bytes + word - 1) / word * word; }

double pairOf(std::span<const std::uint32_t> words) {
    return static_cast<double>(std::bit_cast<float>(words[0])) + static_cast<double>(std::bit_cast<float>(words[1]));
}

quant::ErrorSums sumsOf(std::span<const std::uint32_t> tile) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::uint32_t bad = tile[WB_ERROR_BAD];
    if (bad != 0) return {infinity, (bad & 1) != 0 ? infinity : 0, (bad & 2) != 0 ? infinity : 0, 0};
    const int power = 2 * static_cast<std::int32_t>(tile[WB_ERROR_EXPONENT]);
    const auto sum = [&](std::size_t at) { return std::ldexp(pairOf(tile.subspan(WB_ERROR_SUMS + 2 * at, 2)), power); };
    return {sum(0), sum(1), sum(2), sum(3)};
}

} // namespace

bool QuantEngine::takesStored(const quant::StoredRows& rows) const {
    const bool known = rows.dtype == Dtype::F32 || quant::canQuantize(rows.dtype); // else there are no known rows to test it with
    return known && fits(rows.columns);
}

Result<quant::ErrorSums> QuantEngine::runStored(const QuantKernel& kernel, const quant::StoredRows& rows,
                                                std::span<std::byte> out) {
    const std::size_t from = *rowBytes(rows.dtype, rows.columns), to = *rowBytes(kernel.dtype, rows.columns);
    const std::uint64_t count = rows.bytes.size() / from;
    const std::uint64_t perRun = rowsPerRun(rows.columns);
    quant::ErrorSums sums;
    for (std::uint64_t first = 0; first < count; first += perRun) {
        const std::uint64_t some = std::min(perRun, count - first);
        const quant::StoredRows part{rows.bytes.subspan(first * from, some * from), rows.dtype, rows.columns, rows.weights};
        WB_TRY_ASSIGN(const auto partSums, withRoom([&] {
                          return runStoredRows(kernel, part, some * rows.columns, out.subspan(first * to, some * to));
                      }));
        sums += partSums;
    }
    return sums;
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
Result<quant::ErrorSums> QuantEngine::runStoredRows(const QuantKernel& kernel, const quant::StoredRows& rows,
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
    WB_TRY_ASSIGN(const KernelPtr compare, m_device->kernel({"error_sums", shaders::error_sums, 3, word}));
    Lease buffers(*this);
    WB_TRY(reserve(*buffers, weightsAt + alignedView(weights.size_bytes()), paddedResult(out.size())));
    WB_TRY(atLeast(*m_device, buffers->values, elements * word, Memory::Device));
    WB_TRY(atLeast(*m_device, buffers->decoded, elements * word, Memory::Device));
    WB_TRY(atLeast(*m_device, buffers->tiles, tileWords * word, Memory::Device));
    WB_TRY(atLeast(*m_device, buffers->found, tileWords * word, Memory::Readback));
    std::byte* const to = buffers->upload->map<std::byte>().data();
    std::memcpy(to, rows.bytes.data(), rows.bytes.size());
    std::memcpy(to + weightsAt, weights.data(), weights.size_bytes());

    const std::uint64_t uploaded = weightsAt + weights.size_bytes();
    const View values = buffers->values->view(0, elements * word), decoded = buffers->decoded->view(0, elements * word);
    const View result = buffers->result->view(0, paddedResult(out.size())), tiles = buffers->tiles->view(0, tileWords * word);
    const View weightView = buffers->source->view(weightsAt, weights.size_bytes());
    const auto count = static_cast<std::uint32_t>(elements);
    Recorder recorder(m_device);
    recorder.copy(buffers->upload->view(0, uploaded), buffers->source->view(0, uploaded));
    recorder.dispatch(toValues,
                      {reads(buffers->source->view(0, wholeWords(rows.bytes.size()))), reads(decodeWords->view()), writes(values)},
                      count, {groupsFor(elements, 128)});
    WB_TRY(record(recorder, kernel, weighted, {values, weightView, result, tables->view()}, *buffers, rows.columns));
    recorder.dispatch(fromResult, {reads(result), reads(decodeWords->view()), writes(decoded)}, count, {groupsFor(elements, 128)});
    recorder.dispatch(compare, {reads(values), reads(decoded), writes(tiles)}, count, {groupsFor(elements, WB_ERROR_TILE_ELEMENTS)});
    recorder.copy(result, buffers->back->view(0, result.bytes));
    recorder.copy(tiles, buffers->found->view(0, tiles.bytes));
    WB_TRY_ASSIGN(const Ticket ticket, m_device->submit(std::move(recorder)));
    WB_TRY(ticket.wait());
    std::memcpy(out.data(), buffers->back->map<std::byte>().data(), out.size());
    quant::ErrorSums sums;
    const auto found = std::span<const std::uint32_t>(buffers->found->map<std::uint32_t>());
    for (std::uint64_t at = 0; at < tileWords; at += WB_ERROR_TILE_WORDS) sums += sumsOf(found.subspan(at, WB_ERROR_TILE_WORDS));
    return sums;
}

} // namespace wb::gpu
