// SPDX-License-Identifier: MIT
#include "ui/browse/card_view.h"

#include "core/base/text.h"
#include "ui/widgets/ask.h"

#include <QDesktopServices>
#include <QMessageBox>
#include <QPushButton>
#include <QTextFrame>
#include <QTextTable>
#include <QUrl>

namespace wb::ui::browse {
namespace {

constexpr std::size_t shownBytes = 256u << 10; // laying out more takes seconds

// Qt draws every cell of a table as a box in a box.
void styleTables(QTextFrame* frame, const QColor& line) {
    for (QTextFrame* child : frame->childFrames()) {
        if (auto* table = qobject_cast<QTextTable*>(child)) {
            QTextTableFormat format = table->format();
            format.setBorderCollapse(true);
            format.setBorderBrush(line);
            format.setCellSpacing(0);
            format.setCellPadding(4);
            format.setTopMargin(4);
            format.setBottomMargin(10);
            table->setFormat(format);
        }
        styleTables(child, line);
    }
}

} // namespace

std::string_view withoutFrontMatter(std::string_view markdown) {
    if (!markdown.starts_with("---\n") && !markdown.starts_with("---\r\n")) return markdown;
    const std::size_t end = markdown.find("\n---", 3);
    if (end == std::string_view::npos) return markdown;
    const std::size_t line = markdown.find('\n', end + 1);
    return line == std::string_view::npos ? std::string_view() : markdown.substr(line + 1);
}

CardView::CardView(QWidget* parent) : QTextBrowser(parent) {
    setOpenLinks(false);
    setOpenExternalLinks(false);
    setTabChangesFocus(true);
    connect(this, &QTextBrowser::anchorClicked, this, &CardView::askForLink);
}

void CardView::setCard(const std::string& markdown) {
    const std::string text = toUtf8(utf8Prefix(withoutFrontMatter(withoutByteOrderMark(markdown)), shownBytes));
    document()->setMarkdown(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())));
    styleTables(document()->rootFrame(), palette().color(QPalette::Mid));
    moveCursor(QTextCursor::Start);
}

QVariant CardView::loadResource(int, const QUrl&) { return {}; }

void CardView::askForLink(const QUrl& link) {
    if (link.scheme() != QStringLiteral("https") && link.scheme() != QStringLiteral("http")) return;
    const bool isWanted = askFrom(this, [&link](QWidget* window) {
        QMessageBox box(QMessageBox::Question, tr("Open link?"), QString(), QMessageBox::NoButton, window);
        box.setTextFormat(Qt::PlainText);
        box.setText(tr("The link goes to %1.").arg(link.toString()));
        const QPushButton* open = box.addButton(tr("Open in browser"), QMessageBox::AcceptRole);
        box.setDefaultButton(box.addButton(tr("Cancel"), QMessageBox::RejectRole));
        box.exec();
        return box.clickedButton() == open;
    });
    if (isWanted) QDesktopServices::openUrl(link);
}

} // namespace wb::ui::browse
