// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/device_ref.h"
#include "ui/shell/settings/json_file.h"
#include "ui/widgets/theme.h"

namespace wb::ui {

// The values of the settings dialog. Plain values; empty texts and 0 mean "let the program decide".
struct Settings {
    QString language; // "", "en", "zh_CN"
    Theme theme = Theme::System;
    int threads = 0;      // 1 … 1024
    QString cacheFolder;  // for results that can be computed again
    QString openFolder;   // where the open dialogs start
    DeviceRef device;     // that computes
    QString modelsFolder; // downloads go there; the library lists it
    QString proxy;        // "http://host:port" or "socks5://host:port"; empty: the system's
    int fontSize = 0;     // points, 6 … 32; 0: the system's
    int context = 0;      // tokens of a new chat, up to maxContext; 0: 8,192 or the model's own if shorter

    bool operator==(const Settings&) const = default;
};

// Unknown members are ignored and wrong values fall back to the default, so that a file of any origin gives usable settings.
Settings settingsFromJson(const QJsonObject& json);
QJsonObject toJson(const Settings& settings);

inline constexpr int settingsVersion = 1;
inline constexpr int minFontSize = 6, maxFontSize = 32, maxContext = 16'777'216;

} // namespace wb::ui
