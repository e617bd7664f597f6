// SPDX-License-Identifier: MIT
#include "gpu/compute/device_report.h"

#include "gpu/compute/choice.h"
#include "gpu/compute/kernel_choice.h"

namespace wb::gpu::compute {
namespace {

DeviceReport infoReport(const DeviceInfo& info) {
    DeviceReport report{info, {}, {}, {}, {}};
    if (!info.usable) return report;
    const auto device = openTested({DeviceRef::Kind::Number, info.index});
    report.selfTest = device ? Result<void>() : std::unexpected(device.error());
    if (!device) return report;
    for (const Feature feature : info.faster)
        if (!(*device)->offers(feature)) report.wrongFeatures.push_back(feature);
    report.measured = readMeasurement(info);
    if (report.measured) report.fast = report.measured->kernels;
    else if (mayBeFast(info, infer::KernelSet::Auto)) report.fast = tryKernels(*device, {}).value_or(std::vector<FastVerdict>());
    return report;
}

} // namespace

bool DeviceReport::isUsed(const FastVerdict& verdict) const {
    const FastVerdict* const best = bestForm(fast, verdict.dtype);
    return best && best->form == verdict.form && mayBeFast(info, infer::KernelSet::Auto) &&
           compute::isUsed(verdict, infer::KernelSet::Auto);
}

Result<std::vector<DeviceReport>> reportDevices() {
    WB_TRY_ASSIGN(const auto all, devices());
    std::vector<DeviceReport> reports;
    for (const DeviceInfo& info : all) reports.push_back(infoReport(info));
    return reports;
}

Result<Measurement> measureChosen(const DeviceRef& choice, unsigned threads, const Progress& progress) {
    WB_TRY_ASSIGN(const DevicePtr device, openTested(choice));
    if (!device) return fail(ErrorCode::NotFound, Reason("device.none"), WB_TEXT("There is no GPU to measure."));
    WB_TRY_ASSIGN(const Measurement measurement, measureDevice(device, threads, progress));
    WB_TRY(saveMeasurement(measurement));
    return measurement;
}

} // namespace wb::gpu::compute
