// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/json_writer.h"
#include "core/base/result.h"
#include "core/model/value.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>

namespace wb::gpu::compute {

// A file in the cache folder (gpu::Setup) with findings about one device, which hold for one driver and the shaders of this
// program:
// {"version","shaders","device","driver", …}.
class DeviceFile {
public:
    // `name`: what the findings are, for the name of the file: "speed".
    DeviceFile(std::string_view name, std::string device, std::string driver);

    // All members. Empty: the file is missing or damaged, or its findings are of another driver or other shaders.
    std::optional<Value> read() const;

    // `members` writes the findings. NotWritable without a cache folder.
    Result<void> save(const std::function<void(JsonWriter&)>& members) const;

private:
    const std::string m_device, m_driver;
    std::filesystem::path m_path; // empty: there is no cache folder
};

} // namespace wb::gpu::compute
