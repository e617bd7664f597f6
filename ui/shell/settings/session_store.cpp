// SPDX-License-Identifier: MIT
#include "ui/shell/settings/session_store.h"

namespace wb::ui {

SessionStore::SessionStore(const QString& path) : m_file(path, sessionVersion) {
    const QJsonObject content = m_file.load().content;
    recent = RecentFiles::fromJson(content[QLatin1String("recent")].toArray());
    place = content[QLatin1String("place")].toString();
    tabs = content[QLatin1String("tabs")].toObject();
}

bool SessionStore::save() const {
    return m_file.save(
        {{QStringLiteral("recent"), recent.toJson()}, {QStringLiteral("place"), place}, {QStringLiteral("tabs"), tabs}});
}

} // namespace wb::ui
