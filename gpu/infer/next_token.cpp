// SPDX-License-Identifier: MIT
#include "gpu/infer/next_token.h"

#include "gpu/shaders/infer/batch.h"
#include "gpu/shaders/infer_draw.spv.h"
#include "gpu/shaders/infer_embed.spv.h"

#include <array>
#include <bit>

namespace wb::gpu {

void writeDraw(const text::Draw& next, std::span<std::uint32_t> batch) {
    batch[WB_BATCH_CANDIDATES] = static_cast<std::uint32_t>(next.count);
    batch[WB_BATCH_TEMPERATURE] = std::bit_cast<std::uint32_t>(next.temperature);
    batch[WB_BATCH_TOP_P] = std::bit_cast<std::uint32_t>(next.topP);
    batch[WB_BATCH_MIN_P] = std::bit_cast<std::uint32_t>(next.minP);
    batch[WB_BATCH_UNIT] = std::bit_cast<std::uint32_t>(next.unit);
}

Result<void> draw(Device& device, Recorder& recorder, const View& batch, const View& ranked, const View& drawn) {
    WB_TRY_ASSIGN(const KernelPtr kernel, device.kernel({"infer_draw", shaders::infer_draw, 3}));
    recorder.dispatch(kernel, std::array{reads(batch), reads(ranked), writes(drawn)}, {}, {});
    return {};
}

Result<void> embed(Device& device, Recorder& recorder, const DeviceMatrix& table, const View& drawn, float scale, const View& x) {
    struct Push {
        std::uint32_t firstRow, rows, columns;
        float scale;
    };
    WB_TRY_ASSIGN(const KernelPtr kernel,
                  device.kernel({"infer_embed", shaders::infer_embed, 4, sizeof(Push), {table.layout->shaderType()}}));
    const auto columns = static_cast<std::uint32_t>(table.columns);
    for (const MatrixPart& part : table.parts)
        recorder.dispatch(kernel, {reads(drawn), reads(part.weights), reads(part.scales), updates(x)},
                          Push{part.firstRow, part.rows, columns, scale},
                          {groupsFor(columns, std::uint64_t{WB_LANES} * WB_RECORD_COLUMNS)});
    return {};
}

} // namespace wb::gpu
