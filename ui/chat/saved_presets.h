// SPDX-License-Identifier: MIT
#pragma once

#include "core/chat/conversation_settings.h"

#include <QJsonArray>
#include <QList>
#include <QString>

namespace wb::ui::chat {

// Generation settings that the user saved under a name: all of them, with the system prompt.
struct SavedPreset {
    QString name;
    wb::chat::ConversationSettings settings; // leftOut is 0: it belongs to one conversation

    friend bool operator==(const SavedPreset&, const SavedPreset&) = default;
};

using SavedPresets = QList<SavedPreset>; // each name once

inline constexpr qsizetype maxPresets = 50;

// Adds it, or replaces the one of this name. The oldest goes beyond the limit.
void keepPreset(SavedPresets& presets, const QString& name, wb::chat::ConversationSettings settings);

// The index of the preset of these settings; -1: none.
qsizetype findPreset(const SavedPresets& presets, const wb::chat::ConversationSettings& settings);

// For the session. Members of another shape are omitted: a session comes from a file.
QJsonArray presetsToJson(const SavedPresets& presets);
SavedPresets presetsFromJson(const QJsonArray& json);

} // namespace wb::ui::chat
