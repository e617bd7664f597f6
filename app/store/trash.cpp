// SPDX-License-Identifier: MIT
#include "app/store/trash.h"

#include "core/io/byte_source.h"

#include <QFile>

namespace wb {

Result<void> moveToTrash(const std::filesystem::path& path) {
#ifdef _WIN32
    const QString name = QString::fromStdWString(path.wstring());
#else
    const QString name = QFile::decodeName(QByteArray::fromStdString(path.string()));
#endif
    if (QFile::moveToTrash(name)) return {};
    return fail(ErrorCode::NotWritable, Reason("store.no_trash"), About{io::baseName(path)},
                WB_TEXT("{} cannot be moved to the trash; check its permissions, or delete it with a file manager."),
                io::baseName(path));
}

} // namespace wb
