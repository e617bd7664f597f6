// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/estimate.h"

#include <QWidget>

namespace wb::ui::memory {

QString partTitle(wb::memory::PartKind kind);
QColor partColor(wb::memory::PartKind kind);
QString sideTitle(wb::memory::Side side);

// The parts of an estimate as one bar, those of the GPU first, and below it a thin bar as long as the textbook's
// number. The table of parts next to it has every number; the bar says them in one sentence to screen readers.
class PartsBar : public QWidget {
    Q_OBJECT

public:
    explicit PartsBar(QWidget* parent = nullptr);

    void setParts(const std::vector<wb::memory::MemoryPart>& parts, quint64 ruleBytes);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void describe();
    quint64 total() const;

    std::vector<wb::memory::MemoryPart> m_parts;
    quint64 m_rule = 0;
};

} // namespace wb::ui::memory
