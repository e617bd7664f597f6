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
    int threads = 0;     // 1 … 1024
    QString cacheFolder; // for results that can be computed again
    QString openFolder;  // where the open dialogs start
    DeviceRef device;    // that computes

    bool operator==(const Settings&) const = default;
};

// Unknown members are ignored and wrong values fall back to the default, so that a file of any origin gives usable settings.
Settings settingsFromJson(const QJsonObject& json);
QJsonObject toJson(const Settings& settings);

inline constexpr int settingsVersion = 1;

} // namespace wb::ui
