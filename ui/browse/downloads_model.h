// SPDX-License-Identifier: MIT
#pragma once

#include "ui/browse/downloads.h"

#include <QAbstractTableModel>

namespace wb::ui::browse {

// The rows of Downloads. Every state, reason and time left is text, so that it can be read aloud.
class DownloadsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, State, Progress, Size, Speed, ColumnCount };

    explicit DownloadsModel(Downloads& downloads, QObject* parent = nullptr);

    void retranslate();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    QString sentence(int row) const; // its state, for one that is paused the whole reason

private:
    static QString blockedText(const Error& error);
    QString text(const Downloads::Row& row, int column) const;
    QString stateText(const Downloads::Row& row) const;

    Downloads& m_downloads;
    int m_rows = 0; // as far as views were reported
};

} // namespace wb::ui::browse
