// SPDX-License-Identifier: MIT
#include "gpu/heatmap/band.h"

#include "gpu/decode/tables.h"
#include "gpu/device/recorder.h"
#include "gpu/device/upload.h"
#include "gpu/shaders/map_decode.spv.h"
#include "gpu/shaders/map_rectangles.spv.h"

namespace wb::gpu {
namespace {

constexpr std::uint32_t word = sizeof(std::uint32_t);
constexpr std::uint32_t decodeGroup = 128; // invocations of a workgroup

} // namespace

std::uint64_t BandReducer::rectangles(std::uint32_t rows, std::uint32_t columns, const Cut& cut) {
    return std::uint64_t{groupsFor(rows, cut.height)} * groupsFor(columns, cut.width);
}

Result<BandReducer> BandReducer::make(DevicePtr device, const Shape& shape) {
    BandReducer reducer;
    reducer.m_device = std::move(device);
    reducer.m_shape = shape;
    const KernelCode decoder{"map_decode", shaders::map_decode, 3, word, {static_cast<std::uint32_t>(shape.dtype)}};
    WB_TRY_ASSIGN(reducer.m_decoder, reducer.m_device->kernel(decoder));
    WB_TRY_ASSIGN(reducer.m_reducer,
                  reducer.m_device->kernel({"map_rectangles", shaders::map_rectangles, 2, sizeof(RectangleCut)}));
    WB_TRY(reducer.makeBuffers(*rowBytes(shape.dtype, std::uint64_t{shape.rows} * shape.columns)));
    WB_TRY_ASSIGN(reducer.m_tables, uploadWords(reducer.m_device, decodeTables()));
    return reducer;
}

Result<void> BandReducer::makeBuffers(std::uint64_t storedBytes) {
    WB_TRY_ASSIGN(m_stored, HostUpload::make(*m_device, storedBytes));
    WB_TRY_ASSIGN(m_values, m_device->buffer(std::uint64_t{m_shape.rows} * m_shape.columns * word, Memory::Device));
    const std::array<Cut, 3> cuts = {Cut{m_shape.cell, m_shape.cell}, Cut{1, rowPiece}, Cut{m_shape.rows, 1}};
    for (std::size_t i = 0; i < cuts.size(); ++i) {
        const std::uint64_t bytes = rectangles(m_shape.rows, m_shape.columns, cuts[i]) * sizeof(RectangleSums);
        WB_TRY_ASSIGN(m_sums[i], m_device->buffer(bytes, Memory::Device));
        WB_TRY_ASSIGN(m_readback[i], m_device->buffer(bytes, Memory::Readback));
    }
    return {};
}

Result<void> BandReducer::start(std::uint32_t rows, std::uint64_t storedBytes) {
    const std::uint64_t elements = std::uint64_t{rows} * m_shape.columns;
    const std::uint64_t bytes = (storedBytes + word - 1) / word * word;
    const View values = m_values->view(0, elements * word);
    Recorder recorder(m_device);
    recorder.dispatch(m_decoder, {reads(m_stored.enter(recorder, bytes)), reads(m_tables->view()), writes(values)},
                      static_cast<std::uint32_t>(elements), {groupsFor(elements, decodeGroup)});
    const std::array<Cut, 3> cuts = {Cut{m_shape.cell, m_shape.cell}, Cut{1, rowPiece}, Cut{rows, 1}};
    std::array<std::span<const RectangleSums>, 3> sums;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
        const std::uint64_t count = rectangles(rows, m_shape.columns, cuts[i]);
        const View onDevice = m_sums[i]->view(0, count * sizeof(RectangleSums));
        recorder.dispatch(m_reducer, {reads(values), writes(onDevice)},
                          RectangleCut{0, 0, rows, m_shape.columns, cuts[i].height, cuts[i].width},
                          {groupsFor(count, rectangleGroup)});
        recorder.copy(onDevice, m_readback[i]->view(0, onDevice.bytes));
        sums[i] = m_readback[i]->map<RectangleSums>().first(count);
    }
    WB_TRY_ASSIGN(m_busy, m_device->submit(std::move(recorder)));
    m_result = {sums[0], sums[1], sums[2]};
    return {};
}

Result<std::optional<BandSums>> BandReducer::finish() {
    if (!m_busy) return std::nullopt;
    WB_TRY(std::exchange(m_busy, std::nullopt)->wait());
    return m_result;
}

} // namespace wb::gpu
