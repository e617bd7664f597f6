// SPDX-License-Identifier: MIT
#include "ui/inspect/metadata/problem_delegate.h"

#include "ui/inspect/tables/cell_delegate.h"
#include "ui/inspect/tables/tensor_tables.h"
#include "ui/widgets/theme.h"

#include <QListView>
#include <QPainter>
#include <QRegularExpression>

namespace wb::ui::inspect {
namespace {

constexpr int margin = 8;
constexpr int textLeft = 26; // after the swatch

QString indexPlace(const QModelIndex& index) {
    const QString severity = index.siblingAtColumn(problemSeverity).data().toString();
    const QString where = index.siblingAtColumn(problemWhere).data().toString();
    return where.isEmpty() ? severity : QStringLiteral("%1 · %2").arg(severity, where);
}

} // namespace

QString breakable(const QString& text) {
    static const QRegularExpression longWord(QStringLiteral("[!-~]{17,}"));
    static const QRegularExpression part(QStringLiteral("([^\\w\\s]+(?!\\d)|\\w{16})"));
    QString out;
    qsizetype done = 0;
    for (auto words = longWord.globalMatch(text); words.hasNext();) {
        const QRegularExpressionMatch word = words.next();
        out += text.mid(done, word.capturedStart() - done) + word.captured().replace(part, QStringLiteral("\\1\u200B"));
        done = word.capturedEnd();
    }
    return out + text.mid(done);
}

ProblemDelegate::ProblemDelegate(QListView* view) : QStyledItemDelegate(view), m_view(view) {}

QSize ProblemDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const int width = std::max(80, m_view->viewport()->width() - textLeft - margin);
    const QString text = breakable(index.data().toString());
    const QRect sentence = option.fontMetrics.boundingRect(QRect(0, 0, width, 10'000), Qt::TextWordWrap, text);
    return {m_view->viewport()->width(), sentence.height() + option.fontMetrics.height() + 2 * margin};
}

void ProblemDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (option.state & QStyle::State_Selected) painter->fillRect(option.rect, option.palette.highlight());
    painter->setPen(Qt::NoPen);
    painter->setBrush(swatchColor(index));
    painter->drawRoundedRect(QRect(option.rect.left() + margin, option.rect.top() + margin + 3, 10, 10), 3, 3);

    const QRect text = option.rect.adjusted(textLeft, margin, -margin, -margin);
    painter->setPen(option.palette.color(QPalette::Text));
    painter->drawText(text, Qt::TextWordWrap, breakable(index.data().toString()));
    painter->setPen(themeColors().muted);
    painter->drawText(text, Qt::AlignBottom | Qt::TextSingleLine,
                      option.fontMetrics.elidedText(indexPlace(index), Qt::ElideMiddle, text.width()));
    painter->restore();
}

} // namespace wb::ui::inspect
