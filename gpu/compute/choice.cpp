// SPDX-License-Identifier: MIT
#include "gpu/compute/choice.h"

#include "gpu/device/open.h"

#include <cstdlib>

namespace wb::gpu::compute {
namespace {

Result<DevicePtr> open(const Choice& choice) {
    switch (choice.kind) {
    case Choice::Kind::Automatic: return openBest(Among::Hardware);
    case Choice::Kind::Processor: return nullptr;
    case Choice::Kind::Best: return openBest(Among::All);
    case Choice::Kind::Number: return openAt(choice.number);
    case Choice::Kind::Id: return openId(choice.id);
    }
    return nullptr;
}

} // namespace

Choice choiceOfOption(const std::string& option) {
    using Kind = Choice::Kind;
    if (option == "auto") return {};
    if (option == "cpu" || option == "gpu:0") return {Kind::Processor};
    if (option == "gpu") return {Kind::Best};
    return {Kind::Number, static_cast<unsigned>(std::strtoul(option.c_str() + std::string_view("gpu:").size(), nullptr, 10))};
}

Choice choiceOfSetting(const std::string& setting) {
    if (setting.empty()) return {};
    if (setting == "cpu") return {Choice::Kind::Processor};
    return {Choice::Kind::Id, 0, setting};
}

Result<DevicePtr> openTested(const Choice& choice) {
    WB_TRY_ASSIGN(DevicePtr device, open(choice));
    if (device) WB_TRY(device->selfTest());
    return device;
}

bool isOfDevice(const Error& error) {
    return error.code == ErrorCode::DeviceLost || error.code == ErrorCode::TooLarge || error.code == ErrorCode::Internal ||
           error.code == ErrorCode::Unsupported;
}

Problem fallbackRemark(const Choice& choice, const Error& error) {
    const bool isExpected = (choice.isAutomatic() && error.code == ErrorCode::NotFound) || error.reason == Reason("device.slower");
    const Reason code = error.reason.isNone() ? Reason("device.failed") : error.reason;
    return asProblem(isExpected ? Severity::Note : Severity::Warning, code, {}, error);
}

} // namespace wb::gpu::compute
