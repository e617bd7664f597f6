// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/device_ref.h"
#include "core/infer/engine_options.h"

#include <QJsonObject>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace wb::ui::chat {

// How a model is loaded. A change applies with the next load.
struct ModelSettings {
    std::size_t context = 0; // tokens; 0: 8,192 or the model's own context if shorter, less where memory is short
    infer::CacheType keys = infer::CacheType::F16, values = infer::CacheType::F16; // of the KV cache
    std::optional<DeviceRef> device = {};                                          // empty: as in Settings
    std::optional<std::uint64_t> gpuLayers = {}; // as in infer::EngineOptions; empty: as many as fit
    unsigned threads = 0;                        // of the CPU; 0: as in Settings

    friend bool operator==(const ModelSettings&, const ModelSettings&) = default;
};

// For the session. Members of another shape or out of range count as absent: a session comes from a file.
QJsonObject modelSettingsToJson(const ModelSettings& settings);
ModelSettings modelSettingsFromJson(const QJsonObject& json);

// The largest numbers that the fields and a session may hold.
inline constexpr int maxContext = 100'000'000, maxLayers = 999, maxThreads = 1024;

} // namespace wb::ui::chat
