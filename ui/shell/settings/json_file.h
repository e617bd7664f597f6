// SPDX-License-Identifier: MIT
#pragma once

#include <QJsonObject>
#include <QString>

namespace wb::ui {

// A small JSON document of ours on disk with a schema version, replaced as a whole so that a crash leaves the old or the new one.
class JsonFile {
public:
    JsonFile(QString path, int version) : m_path(std::move(path)), m_version(version) {}

    struct Loaded {
        QJsonObject content;  // empty if no readable file exists
        QString movedAsideTo; // a broken or newer file was kept under this name
    };
    Loaded load() const;
    bool save(QJsonObject content) const; // makes the folder if needed

private:
    QString moveAside() const;

    QString m_path;
    int m_version;
};

} // namespace wb::ui
