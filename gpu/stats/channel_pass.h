// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/stats/slab_stream.h"

namespace wb::gpu {

// Whether the sums of a slab's rows or columns fit the memory set aside for them: very many very short ones do not.
bool channelsFit(const stats::SlabTask& task, const SlabStream& stream);

// One more pass over the values: absmax and rms of every row or column. `absmax` is the tensor's.
Result<stats::Channels> passChannels(const DevicePtr& device, stats::SlabTask& task, SlabStream& stream, double absmax);

} // namespace wb::gpu
