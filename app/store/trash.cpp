// SPDX-License-Identifier: MIT
#include "app/store/trash.h"

#include "core/io/byte_source.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>

namespace wb {
namespace {

// Qt 6.4 moves into the working directory where the user's trash cannot be made, as beneath a home without ~/.local/share.
bool hasTrash() {
#if defined(_WIN32) || defined(__APPLE__)
    return true;
#else
    const QDir data(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation));
    if (!data.mkpath(QStringLiteral("."))) return false;
    constexpr auto own = QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner;
    if (data.exists(QStringLiteral("Trash"))) return true;
    return data.mkdir(QStringLiteral("Trash")) && QFile::setPermissions(data.filePath(QStringLiteral("Trash")), own);
#endif
}

} // namespace

Result<void> moveToTrash(const std::filesystem::path& path) {
#ifdef _WIN32
    const QString name = QString::fromStdWString(path.wstring());
#else
    const QString name = QFile::decodeName(QByteArray::fromStdString(path.string()));
#endif
    if (hasTrash() && QFile::moveToTrash(name)) return {};
    return fail(ErrorCode::NotWritable, Reason("store.no_trash"), About{io::baseName(path)},
                WB_TEXT("Cannot move {} to the trash; check its permissions, or delete it with a file manager."),
                io::baseName(path));
}

} // namespace wb
