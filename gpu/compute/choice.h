// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"
#include "gpu/device/device.h"

namespace wb::gpu::compute {

// Where the user wants work to be computed.
struct Choice {
    enum class Kind : std::uint8_t {
        Automatic, // a real graphics device for the work it is faster with, the processor for the rest and where there is none
        Processor,
        Best,   // the best graphics device, software ones included
        Number, // the one that `wb devices` lists under this number
        Id      // the one with this DeviceInfo::id
    };
    Kind kind = Kind::Automatic;
    unsigned number = 0;
    std::string id = {};

    bool isAutomatic() const { return kind == Kind::Automatic; }
    bool isProcessor() const { return kind == Kind::Processor; }
};

// The value of --device: auto, cpu, gpu or gpu:N, where gpu:0 is the processor.
Choice choiceOfOption(const std::string& option);

// The device of the settings: empty for automatic, cpu, or an id.
Choice choiceOfSetting(const std::string& setting);

// Opens the chosen device and runs its self-test: a device that computes wrongly is an Error. Null for the processor.
Result<DevicePtr> openTested(const Choice& choice);

// Whether the processor can do what this error ended: it is about the device, not about the work. (Where it is about the work after
// all, the processor fails in the same way.)
bool isOfDevice(const Error& error);

// The remark that work fell back to the processor because of this error; its code is the error's reason, device.failed where it has
// none. A note where nobody asked for a device and there is none, or where the processor is faster; else a warning.
Problem fallbackRemark(const Choice& choice, const Error& error);

} // namespace wb::gpu::compute
