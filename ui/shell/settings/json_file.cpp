// SPDX-License-Identifier: MIT
#include "ui/shell/settings/json_file.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QSaveFile>

namespace wb::ui {
namespace {

constexpr qint64 largestFile = 16 << 20; // ours are a few KiB; anything near this is not one of them
const QString versionKey = QStringLiteral("version");

} // namespace

JsonFile::Loaded JsonFile::load() const {
    QFile file(m_path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QJsonObject content = QJsonDocument::fromJson(file.read(largestFile)).object();
    file.close();
    if (content.value(versionKey).toInt() == m_version) return {content, {}};
    return {{}, moveAside()};
}

bool JsonFile::save(QJsonObject content) const {
    content.insert(versionKey, m_version);
    if (!QDir().mkpath(QFileInfo(m_path).absolutePath())) return false;
    QSaveFile file(m_path);
    if (!file.open(QIODevice::WriteOnly)) return false;
    file.write(QJsonDocument(content).toJson());
    return file.commit();
}

QString JsonFile::moveAside() const {
    const QString target = m_path + QStringLiteral(".bad");
    QFile::remove(target);
    QFile::rename(m_path, target);
    return target;
}

} // namespace wb::ui
