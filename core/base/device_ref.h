// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace wb {

// Where the user wants work to be computed.
struct DeviceRef {
    enum class Kind : std::uint8_t {
        Automatic, // a real GPU for the work it is faster with, the CPU for the rest and if none exists
        Processor,
        Best,   // the best GPU, software ones included
        Number, // the one that `wb devices` lists under this number
        Id      // the one with this id, which is the same after a restart
    };
    Kind kind = Kind::Automatic;
    unsigned number = 0;
    std::string id = {};

    bool isAutomatic() const { return kind == Kind::Automatic; }
    bool isProcessor() const { return kind == Kind::Processor; }
    friend bool operator==(const DeviceRef&, const DeviceRef&) = default;
};

// The texts of --device and of the settings: auto (or nothing), cpu, gpu, gpu:N with up to three digits, where gpu:0 is the
// CPU; anything else is an id.
DeviceRef deviceFromText(std::string_view text);
std::string deviceText(const DeviceRef& device);

} // namespace wb
