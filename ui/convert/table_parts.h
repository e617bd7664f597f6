// SPDX-License-Identifier: MIT
#pragma once

#include <QStyledItemDelegate>
#include <QTableView>

namespace wb::ui::convert {

// Edits a type by a list of those the tensor can become, which opens at once; the first entry, `usual`, takes the choice back.
class TypeDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    TypeDelegate(QString usual, QObject* parent) : QStyledItemDelegate(parent), m_usual(std::move(usual)) {}
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    QString m_usual;
};

// Draws a cell with a bar after its text, as long as its share of the largest.
class BarDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

// A table over a sorted and filtered view of `model`, whose rows can be copied as text with Ctrl+C. Filters by the first column.
QTableView* makeTable(QAbstractItemModel* model, const QString& accessibleName, QWidget* parent);

} // namespace wb::ui::convert
