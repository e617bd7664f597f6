// SPDX-License-Identifier: MIT
#include "ui/convert/table_parts.h"

#include "ui/convert/plan_model.h"
#include "ui/convert/type_box.h"
#include "ui/widgets/tables/plain_table.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QSortFilterProxyModel>

namespace wb::ui::convert {
namespace {

// Gives the names in the first column the room that the others leave, but never too little to read them, as long as that is not
// most of the table: it scrolls then.
class NameColumn : public QObject {
public:
    explicit NameColumn(QTableView* table) : QObject(table), m_table(table) {
        table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
        table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Fixed);
        table->viewport()->installEventFilter(this);
        connect(table->horizontalHeader(), &QHeaderView::sectionResized, this, [this](int column) {
            if (column > 0) fit();
        });
        connect(table->model(), &QAbstractItemModel::modelReset, this, &NameColumn::fit);
    }

    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Resize) fit();
        return false;
    }

private:
    void fit() {
        constexpr int padding = 14; // with the gap of the style sheet on both sides
        const int usual = m_table->fontMetrics().horizontalAdvance(QStringLiteral("blk.00.attn_output.weight")) + padding;
        const int most = m_table->viewport()->width() * 9 / 20;
        const QAbstractItemView* view = m_table; // of which alone the hint is public
        const int least = std::max(usual, std::min(view->sizeHintForColumn(0), most));
        const QHeaderView* header = m_table->horizontalHeader();
        const int others = header->length() - header->sectionSize(0);
        m_table->setColumnWidth(0, std::max(least, m_table->viewport()->width() - others));
    }

    QTableView* m_table;
};

} // namespace

QWidget* TypeDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const {
    auto* box = new TypeBox(parent);
    box->addItem(m_usual, QString());
    const QStringList types = index.data(TypesRole).toStringList();
    for (const QString& type : types) box->addItem(type, type);
    connect(box, &TypeBox::ended, this, [this, box] {
        if (box->isChosen()) emit const_cast<TypeDelegate*>(this)->commitData(box);
        emit const_cast<TypeDelegate*>(this)->closeEditor(box);
    });
    return box;
}

// Columns are as wide as their types, which is too little for a box with an arrow.
void TypeDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option, const QModelIndex&) const {
    QRect place = option.rect;
    place.setWidth(std::max(place.width(), editor->sizeHint().width()));
    const int room = editor->parentWidget()->width();
    if (place.right() >= room) place.moveRight(std::max(room - 1, place.width() - 1));
    editor->setGeometry(place);
}

void TypeDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    auto* box = static_cast<QComboBox*>(editor);
    box->setCurrentIndex(box->findData(index.data().toString()));
}

void TypeDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const {
    const auto* box = static_cast<TypeBox*>(editor);
    if (box->isChosen()) model->setData(index, box->currentData(), Qt::EditRole);
}

void BarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const double share = index.data(ShareRole).toDouble();
    if (share > 0) {
        QColor color = option.palette.color(QPalette::Link);
        color.setAlpha(70);
        const QRect cell = option.rect.adjusted(2, 3, -2, -3);
        painter->fillRect(QRect(cell.left(), cell.top(), static_cast<int>(cell.width() * share), cell.height()), color);
    }
    QStyledItemDelegate::paint(painter, option, index);
}

QTableView* makeTable(QAbstractItemModel* model, const QString& accessibleName, QWidget* parent) {
    auto* table = new QTableView(parent);
    QSortFilterProxyModel* proxy = showSorted(table, model, SortRole);
    proxy->setFilterKeyColumn(0);
    proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    setUpTable(table, table->fontMetrics().height() + 10);
    table->setAccessibleName(accessibleName);
    new NameColumn(table);
    chooseRowOnTab(table);
    addRowCopy(table, Qt::DisplayRole);
    return table;
}

} // namespace wb::ui::convert
