// SPDX-License-Identifier: MIT
#include "gpu/imview/device_frame.h"
#include "gpu/imview/cpu_frame.h"

namespace wb::gpu::imview {

std::unique_ptr<FrameMaker> makeFrameMaker(PainterPtr painter) {
    if (painter) return std::make_unique<DeviceFrameMaker>(std::move(painter));
    return std::make_unique<ProcessorFrameMaker>();
}

} // namespace wb::gpu::imview
