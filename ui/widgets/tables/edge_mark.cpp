// SPDX-License-Identifier: MIT
#include "ui/widgets/tables/edge_mark.h"

#include "ui/widgets/theme.h"

#include <QAbstractItemView>
#include <QEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>

namespace wb::ui {
namespace {

constexpr int markWidth = 28, chevronHeight = 8; // pixels

// Covers the right edge of the viewport while columns are hidden to the right of it. The mouse goes through.
class EdgeMark : public QWidget {
public:
    explicit EdgeMark(QAbstractItemView* view) : QWidget(view), m_view(view) {
        setObjectName(QStringLiteral("edgeMark"));
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setFocusPolicy(Qt::NoFocus);
        hide();
        QScrollBar* const bar = view->horizontalScrollBar();
        connect(bar, &QScrollBar::valueChanged, this, &EdgeMark::follow);
        connect(bar, &QScrollBar::rangeChanged, this, &EdgeMark::follow);
        view->viewport()->installEventFilter(this);
        follow();
    }

    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Resize || event->type() == QEvent::Move || event->type() == QEvent::Show) follow();
        return false;
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QColor ground = palette().color(QPalette::Base);
        QColor clear = ground;
        clear.setAlpha(0);
        QLinearGradient fade(0, 0, width(), 0);
        fade.setColorAt(0, clear);
        fade.setColorAt(0.6, ground);
        painter.fillRect(rect(), fade);
        const QPointF tip(width() - 5.0, height() / 2.0);
        QPainterPath chevron(tip + QPointF(-4, -chevronHeight / 2.0));
        chevron.lineTo(tip);
        chevron.lineTo(tip + QPointF(-4, chevronHeight / 2.0));
        painter.setPen(QPen(themeColors().muted, 1.5));
        painter.drawPath(chevron);
    }

private:
    void follow() {
        const QScrollBar* const bar = m_view->horizontalScrollBar();
        setVisible(bar->value() < bar->maximum());
        if (isHidden()) return;
        const QRect shown = m_view->viewport()->geometry(); // a header over it fades, too
        setGeometry(shown.right() + 1 - markWidth, m_view->frameWidth(), markWidth, shown.bottom() + 1 - m_view->frameWidth());
        raise();
    }

    QAbstractItemView* m_view;
};

} // namespace

void markHiddenColumns(QAbstractItemView* view) {
    if (!view->findChild<QWidget*>(QStringLiteral("edgeMark"), Qt::FindDirectChildrenOnly)) new EdgeMark(view);
}

} // namespace wb::ui
