// SPDX-License-Identifier: MIT
#include "ui/chat/saved_presets.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace wb::ui::chat {

void keepPreset(SavedPresets& presets, const QString& name, wb::chat::ConversationSettings settings) {
    settings.leftOut = 0;
    const auto same = std::ranges::find(presets, name, &SavedPreset::name);
    if (same != presets.end()) same->settings = std::move(settings);
    else presets.append({name, std::move(settings)});
    while (presets.size() > maxPresets) presets.removeFirst();
}

qsizetype findPreset(const SavedPresets& presets, const wb::chat::ConversationSettings& settings) {
    wb::chat::ConversationSettings wanted = settings;
    wanted.leftOut = 0;
    const auto found = std::ranges::find(presets, wanted, &SavedPreset::settings);
    return found == presets.end() ? -1 : found - presets.begin();
}

QJsonArray presetsToJson(const SavedPresets& presets) {
    QJsonArray json;
    for (const SavedPreset& preset : presets) {
        const QByteArray settings = QByteArray::fromStdString(settingsJson(preset.settings));
        json.append(QJsonObject{{QStringLiteral("name"), preset.name},
                                {QStringLiteral("settings"), QJsonDocument::fromJson(settings).object()}});
    }
    return json;
}

SavedPresets presetsFromJson(const QJsonArray& json) {
    SavedPresets presets;
    for (const QJsonValue& value : json) {
        const QString name = value.toObject().value(QStringLiteral("name")).toString();
        const QJsonObject settings = value.toObject().value(QStringLiteral("settings")).toObject();
        if (name.isEmpty()) continue;
        const QByteArray text = QJsonDocument(settings).toJson(QJsonDocument::Compact);
        keepPreset(presets, name, wb::chat::settingsFromJson(text.toStdString()));
    }
    return presets;
}

} // namespace wb::ui::chat
