// SPDX-License-Identifier: MIT
#pragma once

#include "core/text/draw.h"
#include "gpu/device/recorder.h"
#include "gpu/infer/device_weights.h"

#include <span>

// The token after one whose highest logits are on the device, without the host.
namespace wb::gpu {

inline constexpr std::uint64_t tokenBytes = sizeof(std::uint32_t); // of an id

// The words WB_BATCH_CANDIDATES … of a batch.
void writeDraw(const text::Draw& next, std::span<std::uint32_t> batch);

// Draws it as those words say, from the result of rank(): its id, in a word.
Result<void> draw(Device& device, Recorder& recorder, const View& batch, const View& ranked, const View& drawn);

// Its row of the table times a number, to `x` [columns].
Result<void> embed(Device& device, Recorder& recorder, const DeviceMatrix& table, const View& drawn, float scale, const View& x);

} // namespace wb::gpu
