// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/map/map.h"
#include "gpu/device/device.h"

namespace wb::gpu {

// Whether a device can build this heat map at all: not the difference of two tensors, no type that needs more than f32, no rows
// that are cut through blocks, no matrix without elements.
bool canBuildMap(const stats::MapInput& input, const stats::Matrix& matrix);

// Whether at least one row of the finest cells fits a band, which a device decodes at once.
bool fitsMapBand(const DeviceInfo& device, const stats::Matrix& matrix);

// The heat map of a tensor; both of the above must hold. Equal to the CPU's but for mean and rms, which agree within 1e-6 of the
// cell's rms.
Result<stats::TensorMap> buildMap(const DevicePtr& device, const TensorReader& tensor, const stats::Matrix& matrix,
                                  const Progress& progress);

} // namespace wb::gpu
