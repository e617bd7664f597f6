// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/start/recent_files.h"

#include <QAbstractListModel>

namespace wb::ui {

// The recent files as the start page lists them. Whether a file is still there is looked up when the list is set.
class RecentModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { PathRole = Qt::UserRole, NameRole, FolderRole, FactsRole, IsGoneRole };

    using QAbstractListModel::QAbstractListModel;

    void setFiles(const QList<RecentFile>& files);
    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    struct Row {
        RecentFile file;
        bool isGone = false;
        bool isFolder = false;
    };
    QString factsText(const Row& row) const;

    QList<Row> m_rows;
};

} // namespace wb::ui
