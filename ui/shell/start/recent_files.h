// SPDX-License-Identifier: MIT
#pragma once

#include <QJsonArray>
#include <QList>
#include <QString>

namespace wb::ui {

// A file or folder that was opened before, newest first in its list.
struct RecentFile {
    QString path;
    QString format;    // as the tab described it; empty if it did not
    quint64 bytes = 0; // 0: not known
    int files = 1;

    bool operator==(const RecentFile&) const = default;
};

// At most `limit` entries, one a path.
class RecentFiles {
public:
    static constexpr int limit = 20;

    void add(const RecentFile& file);
    void remove(const QString& path);
    void clear() { m_files.clear(); }
    const QList<RecentFile>& files() const { return m_files; }

    QJsonArray toJson() const;
    static RecentFiles fromJson(const QJsonArray& json);

private:
    QList<RecentFile> m_files;
};

} // namespace wb::ui
