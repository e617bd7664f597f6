// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/recorder.h"
#include "gpu/shaders/infer/batch.h"

#include <cstdint>

// The highest logits of a token, so that sampling need not read all of them back.
namespace wb::gpu {

inline constexpr std::uint32_t maxRanked = WB_MAX_RANKED;

// Bytes of the space that rank() needs for this number of logits: a result of all runs, twice.
std::uint64_t rankingBytes(std::uint64_t logits);

// Ranks the first `count` numbers of `logits`. The result, as `kept` pairs of the bits of a logit and its id, best first, is where
// the returned view says, in `room`; where there are fewer than `kept`, the id is WB_NO_TOKEN.
Result<View> rank(Device& device, Recorder& recorder, const View& logits, std::uint32_t count, std::uint32_t kept,
                  const View& room);

} // namespace wb::gpu
