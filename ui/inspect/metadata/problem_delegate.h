// SPDX-License-Identifier: MIT
#pragma once

#include <QStyledItemDelegate>

class QListView;

namespace wb::ui::inspect {

// Lets a long text without blanks, such as a path, break between any two of its words, but in no number.
QString breakable(const QString& text);

// Draws a problem as its whole sentence in as many lines as it needs, with severity and place below.
class ProblemDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    explicit ProblemDelegate(QListView* view);
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    QListView* m_view;
};

} // namespace wb::ui::inspect
