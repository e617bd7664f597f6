// SPDX-License-Identifier: MIT
#include "gpu/compute/device_report.h"

#include "gpu/compute/choice.h"
#include "gpu/compute/kernel_choice.h"

namespace wb::gpu::compute {
namespace {

DeviceReport infoReport(const DeviceInfo& info) {
    DeviceReport report{info, {}, {}, {}};
    if (!info.usable) return report;
    const auto device = openTested({DeviceRef::Kind::Number, info.index});
    report.selfTest = device ? Result<void>() : std::unexpected(device.error());
    if (!device) return report;
    for (const Feature feature : info.faster)
        if (!(*device)->offers(feature)) report.wrongFeatures.push_back(feature);
    if (!mayBeFast(info, infer::KernelSet::Auto)) return report;
    for (const Dtype type : fastDtypes)
        if (const auto verdict = testFast(*device, type)) report.fast.push_back(*verdict);
    if (const auto verdict = testFastAttention(*device)) report.fast.push_back(*verdict);
    return report;
}

} // namespace

bool DeviceReport::isUsed(const FastVerdict& verdict) const { return compute::isUsed(verdict, infer::KernelSet::Auto); }

Result<std::vector<DeviceReport>> reportDevices() {
    WB_TRY_ASSIGN(const auto all, devices());
    std::vector<DeviceReport> reports;
    for (const DeviceInfo& info : all) reports.push_back(infoReport(info));
    return reports;
}

} // namespace wb::gpu::compute
