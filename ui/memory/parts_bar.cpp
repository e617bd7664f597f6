// SPDX-License-Identifier: MIT
#include "ui/memory/parts_bar.h"

#include "ui/plots/series_colors.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/theme.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>

namespace wb::ui::memory {

using namespace wb::memory;

namespace {

constexpr int barHeight = 30;
constexpr int ruleHeight = 6;
constexpr int gap = 6;

} // namespace

QString partTitle(PartKind kind) {
    switch (kind) {
    case PartKind::Weights: return PartsBar::tr("Weights");
    case PartKind::Keys: return PartsBar::tr("KV cache: keys");
    case PartKind::Values: return PartsBar::tr("KV cache: values");
    case PartKind::State: return PartsBar::tr("Recurrent state");
    case PartKind::Compute: return PartsBar::tr("Compute buffers");
    case PartKind::Output:
    case PartKind::Logits: return PartsBar::tr("Logits");
    case PartKind::Overhead: return PartsBar::tr("Overhead");
    case PartKind::Projector: return PartsBar::tr("Projector (mmproj)");
    case PartKind::Draft: return PartsBar::tr("Draft model");
    case PartKind::Lora:
    case PartKind::Adapters: return PartsBar::tr("Adapters");
    case PartKind::Base: return PartsBar::tr("Base model weights");
    case PartKind::Gradients: return PartsBar::tr("Gradients");
    case PartKind::Optimizer: return PartsBar::tr("Optimizer");
    case PartKind::Activations: return PartsBar::tr("Activations");
    case PartKind::Buckets: return PartsBar::tr("Communication buckets");
    case PartKind::Gathered: return PartsBar::tr("Gathered parameters");
    case PartKind::Reserve: return PartsBar::tr("Allocator overhead");
    case PartKind::Context: return PartsBar::tr("CUDA context");
    }
    return {};
}

// Parts of running and of training never are in one bar, so each has all the colors.
QColor partColor(PartKind kind) {
    const std::size_t first = static_cast<std::size_t>(kind < PartKind::Base ? PartKind::Weights : PartKind::Base);
    return seriesColors()[static_cast<std::size_t>(kind) - first];
}

QString sideTitle(Side side) { return side == Side::Gpu ? PartsBar::tr("VRAM") : PartsBar::tr("RAM"); }

PartsBar::PartsBar(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::TabFocus);
}

QSize PartsBar::sizeHint() const { return {400, barHeight + gap + ruleHeight}; }

void PartsBar::setParts(const std::vector<MemoryPart>& parts, quint64 ruleBytes) {
    m_parts = parts;
    m_rule = ruleBytes;
    describe();
    update();
}

quint64 PartsBar::total() const {
    quint64 all = 0;
    for (const MemoryPart& part : m_parts) all += part.bytes;
    return all;
}

void PartsBar::describe() {
    QStringList parts;
    for (const MemoryPart& part : m_parts)
        parts << tr("%1 in %2: %3").arg(partTitle(part.kind), sideTitle(part.side), bytesText(part.bytes));
    setAccessibleName(tr("Memory breakdown"));
    setAccessibleDescription(tr("Total: %1. %2. Rule of thumb: %3.").arg(bytesText(total()), parts.join(u';'), bytesText(m_rule)));
    setToolTip(parts.join(u'\n'));
}

void PartsBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const double most = static_cast<double>(std::max({total(), m_rule, quint64{1}}));
    const auto widthOf = [&](quint64 bytes) { return static_cast<double>(bytes) / most * width(); };
    painter.fillRect(QRectF(0, 0, width(), barHeight), themeColors().surface);
    double left = 0;
    for (const MemoryPart& part : m_parts) {
        const QRectF place(left, 0, widthOf(part.bytes), barHeight);
        painter.fillRect(place, partColor(part.kind));
        if (part.side == Side::Processor && m_parts.front().side == Side::Gpu) // the other memory is hatched, not only colored
            painter.fillRect(place, QBrush(themeColors().surface, Qt::BDiagPattern));
        left = place.right();
        painter.fillRect(QRectF(left - 1, 0, 1, barHeight), palette().color(QPalette::Window));
    }
    painter.fillRect(QRectF(0, barHeight + gap, widthOf(m_rule), ruleHeight), themeColors().muted);
    painter.setPen(hasFocus() ? palette().color(QPalette::Highlight) : themeColors().border);
    painter.drawRect(QRectF(0.5, 0.5, width() - 1, barHeight - 1));
}

void PartsBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) describe();
}

} // namespace wb::ui::memory
