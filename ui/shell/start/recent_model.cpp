// SPDX-License-Identifier: MIT
#include "ui/shell/start/recent_model.h"

#include "ui/widgets/icons.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/plain_text.h"

#include <QDir>
#include <QFileInfo>

namespace wb::ui {

void RecentModel::setFiles(const QList<RecentFile>& files) {
    beginResetModel();
    m_rows.clear();
    for (const RecentFile& file : files) {
        const QFileInfo info(file.path);
        m_rows.append({file, !info.exists(), info.isDir()});
    }
    endResetModel();
}

int RecentModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }

QVariant RecentModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Row& row = m_rows[index.row()];
    const QFileInfo info(row.file.path);
    switch (role) {
    case Qt::DisplayRole:
    case NameRole: return info.fileName();
    case Qt::AccessibleTextRole: return tr("%1, %2").arg(info.fileName(), factsText(row));
    case Qt::ToolTipRole: return plainText(QDir::toNativeSeparators(row.file.path));
    case PathRole: return QDir::toNativeSeparators(row.file.path);
    case Qt::DecorationRole: return icon(row.isFolder ? QStringLiteral("folder") : QStringLiteral("file"));
    case FolderRole: return shortPath(info.path());
    case FactsRole: return factsText(row);
    case IsGoneRole: return row.isGone;
    default: return {};
    }
}

QString RecentModel::factsText(const Row& row) const {
    if (row.isGone) return tr("missing");
    QStringList facts;
    if (!row.file.format.isEmpty()) facts << row.file.format;
    if (row.file.files > 1) facts << tr("%n file(s)", nullptr, row.file.files);
    if (row.file.bytes > 0) facts << fileSizeText(row.file.bytes);
    return facts.join(QStringLiteral(" · "));
}

} // namespace wb::ui
