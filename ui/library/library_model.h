// SPDX-License-Identifier: MIT
#pragma once

#include "ui/library/library_session.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

namespace wb::ui::library {

// The models of a listing, one a row.
class LibraryModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Family, Parameters, Type, Context, Size, Fits, Store, LastUsed, ColumnCount };
    enum Role { KeyRole = Qt::UserRole }; // what a column is sorted by

    using QAbstractTableModel::QAbstractTableModel;

    void setListing(ListingPtr listing);
    void setChecks(const Checks& checks);
    void retranslate();

    const wb::library::Entry* entry(int row) const;
    const std::string& searchText(int row) const { return m_searched[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QString text(const wb::library::Entry& entry, int column) const;
    QVariant key(const wb::library::Entry& entry, int column) const;
    QString toolTip(const wb::library::Entry& entry) const;
    const wb::infer::RunCheck* check(const wb::library::Entry& entry) const; // null: not known
    QString runText(const wb::library::Entry& entry) const;
    QString runSentence(const wb::library::Entry& entry) const; // empty: not known

    ListingPtr m_listing;
    Checks m_checks;
    std::vector<std::string> m_searched; // what a filter searches in, one a row
};

// Its rows that match the words of a filter, in an order that puts numbers before "–".
class LibraryProxy : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit LibraryProxy(LibraryModel* model, QObject* parent = nullptr);
    void setFilter(const QString& words);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    LibraryModel* m_model;
    std::string m_words;
};

// The store as people call it: "Ollama", or the path of a folder.
QString storeText(const wb::library::Store& store);

} // namespace wb::ui::library
