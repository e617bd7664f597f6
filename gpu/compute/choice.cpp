// SPDX-License-Identifier: MIT
#include "gpu/compute/choice.h"

#include "gpu/device/open.h"

namespace wb::gpu::compute {
namespace {

Result<DevicePtr> open(const DeviceRef& choice) {
    switch (choice.kind) {
    case DeviceRef::Kind::Automatic: return openBest(DeviceFilter::Hardware);
    case DeviceRef::Kind::Processor: return nullptr;
    case DeviceRef::Kind::Best: return openBest(DeviceFilter::All);
    case DeviceRef::Kind::Number: return openAt(choice.number);
    case DeviceRef::Kind::Id: return openId(choice.id);
    }
    return nullptr;
}

} // namespace

Result<DevicePtr> openTested(const DeviceRef& choice) {
    WB_TRY_ASSIGN(DevicePtr device, open(choice));
    if (device) WB_TRY(device->selfTest());
    return device;
}

bool isOfDevice(const Error& error) {
    return error.code == ErrorCode::DeviceLost || error.code == ErrorCode::TooLarge || error.code == ErrorCode::Internal ||
           error.code == ErrorCode::Unsupported;
}

Problem fallbackRemark(const DeviceRef& choice, const Error& error) {
    const bool isExpected = (choice.isAutomatic() && error.code == ErrorCode::NotFound) || error.reason == Reason("device.slower");
    const Reason code = error.reason.isNone() ? Reason("device.failed") : error.reason;
    return asProblem(isExpected ? Severity::Note : Severity::Warning, code, {}, error);
}

} // namespace wb::gpu::compute
