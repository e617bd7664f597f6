// SPDX-License-Identifier: MIT
#include "ui/widgets/icons.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QSvgRenderer>

// The resources are in a static library, whose initializers run only on request; the macro must stand outside a namespace.
static void initResources() { Q_INIT_RESOURCE(weighbridge); }

namespace wb::ui {
namespace {

QColor colorFor(QIcon::Mode mode, QIcon::State state) {
    const QPalette palette = QGuiApplication::palette();
    if (mode == QIcon::Disabled) return palette.color(QPalette::Disabled, QPalette::WindowText);
    if (state == QIcon::On) return palette.color(QPalette::Link);
    return palette.color(QPalette::WindowText);
}

class LineIconEngine : public QIconEngine {
public:
    explicit LineIconEngine(QString name) : m_name(std::move(name)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
        QSvgRenderer renderer(source(colorFor(mode, state)));
        const int side = std::min(rect.width(), rect.height());
        const QRect square(rect.x() + (rect.width() - side) / 2, rect.y() + (rect.height() - side) / 2, side, side);
        renderer.render(painter, square);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        const QString key = QStringLiteral("wb-icon:%1:%2x%3:%4")
                                .arg(m_name)
                                .arg(size.width())
                                .arg(size.height())
                                .arg(colorFor(mode, state).rgba());
        QPixmap pixmap;
        if (QPixmapCache::find(key, &pixmap)) return pixmap;
        pixmap = QPixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        painter.end();
        QPixmapCache::insert(key, pixmap);
        return pixmap;
    }

    QIconEngine* clone() const override { return new LineIconEngine(*this); }
    QString key() const override { return QStringLiteral("wb-line-icon"); }

private:
    QByteArray source(const QColor& color) const {
        QFile file(QStringLiteral(":/icons/%1.svg").arg(m_name));
        if (!file.open(QIODevice::ReadOnly)) return {};
        return file.readAll().replace("#000", color.name().toLatin1());
    }

    QString m_name;
};

} // namespace

QIcon icon(const QString& name) {
    initResources();
    return QIcon(new LineIconEngine(name));
}

} // namespace wb::ui
