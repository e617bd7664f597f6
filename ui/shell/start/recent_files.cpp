// SPDX-License-Identifier: MIT
#include "ui/shell/start/recent_files.h"

#include <QJsonObject>

namespace wb::ui {

void RecentFiles::add(const RecentFile& file) {
    remove(file.path);
    m_files.prepend(file);
    if (m_files.size() > limit) m_files.resize(limit);
}

void RecentFiles::remove(const QString& path) {
    m_files.removeIf([&](const RecentFile& file) { return file.path == path; });
}

QJsonArray RecentFiles::toJson() const {
    QJsonArray json;
    for (const RecentFile& file : m_files) {
        json.append(QJsonObject{{QStringLiteral("path"), file.path},
                                {QStringLiteral("format"), file.format},
                                {QStringLiteral("files"), file.files},
                                {QStringLiteral("bytes"), static_cast<qint64>(file.bytes)}});
    }
    return json;
}

RecentFiles RecentFiles::fromJson(const QJsonArray& json) {
    RecentFiles recent;
    for (auto entry = json.end(); entry != json.begin();) {
        const QJsonObject object = (--entry)->toObject();
        const QString path = object[QLatin1String("path")].toString();
        const qint64 bytes = std::max<qint64>(0, object[QLatin1String("bytes")].toInteger());
        const int files = std::max(1, object[QLatin1String("files")].toInt(1));
        if (!path.isEmpty()) recent.add({path, object[QLatin1String("format")].toString(), static_cast<quint64>(bytes), files});
    }
    return recent;
}

} // namespace wb::ui
