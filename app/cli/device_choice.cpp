// SPDX-License-Identifier: MIT
#include "app/cli/device_choice.h"

#include <cstdlib>

namespace wb::cli {
namespace {

Result<gpu::DevicePtr> open(const std::string& wish) {
    if (wish == "auto") return gpu::openBest(gpu::Accept::Hardware);
    if (wish == "gpu") return gpu::openBest(gpu::Accept::AlsoSoftware);
    return gpu::openAt(static_cast<unsigned>(std::strtoul(wish.c_str() + 4, nullptr, 10)));
}

Result<gpu::DevicePtr> openTested(const std::string& wish) {
    WB_TRY_ASSIGN(gpu::DevicePtr device, open(wish));
    WB_TRY(device->selfTest());
    return device;
}

} // namespace

Result<gpu::DevicePtr> chooseDevice(const Context& context, std::vector<Problem>& remarks) {
    if (context.device == "cpu" || context.device == "gpu:0") return nullptr;
    auto device = openTested(context.device);
    if (device || context.device != "auto") return device;
    const Error& error = device.error();
    if (error.code == ErrorCode::NotFound) log(context, error.message());
    else remarks.push_back({Severity::Warning, "gpu.given-up", {}, {}, error.format, error.arguments});
    return nullptr;
}

std::string deviceName(const gpu::DevicePtr& device) { return device ? fmt::format("gpu:{}", device->info().index) : "cpu"; }

} // namespace wb::cli
