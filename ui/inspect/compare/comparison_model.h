// SPDX-License-Identifier: MIT
#pragma once

#include "core/diff/diff.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <QStringList>

namespace wb::ui::inspect {

// The pairs of a comparison and the tensors of one side alone, a row each, in A's order. Texts are made when they are painted.
class ComparisonModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { A, B, Result, Mapping, Changed, RelativeError, Snr, Cosine, Rmse, MaxError, Elements, columns };
    enum class State { Equal, Different, Unread, OnlyA, OnlyB };
    static constexpr int SortRole = Qt::UserRole + 40;

    using QAbstractTableModel::QAbstractTableModel;

    void setComparison(std::shared_ptr<const diff::Comparison> comparison); // null: none
    std::optional<std::size_t> pair(int row) const;                         // empty: of a tensor of one side alone
    State state(int row) const;
    std::string nameA(int row) const; // the first one; empty: none
    std::string nameB(int row) const;
    double error(int row) const; // the order in which differences are listed, see diff::pairError

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const diff::Pair* pairAt(int row) const;
    std::optional<double> number(int row, int column) const;
    QString shown(int row, int column) const;
    QString toolTip(int row) const;

    std::shared_ptr<const diff::Comparison> m_comparison;
};

// Rows of one state whose names contain all words.
class ComparisonFilter : public QSortFilterProxyModel {
    Q_OBJECT

public:
    enum class Shown { All, Different, Equal, OnlyA, OnlyB };

    explicit ComparisonFilter(ComparisonModel* model, QObject* parent = nullptr);
    void setWords(const QString& words);
    void setShown(Shown shown);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    const ComparisonModel* m_model;
    QStringList m_words;
    Shown m_shown = Shown::All;
};

} // namespace wb::ui::inspect
