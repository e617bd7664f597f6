// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/wizard.h"

#include <QWidget>

class QFormLayout;
class QLabel;

namespace wb::ui::convert {

// What the plan will cost: size, bits, memory, disk, time, and what a choice by size gains.
class FactsPanel : public QWidget {
    Q_OBJECT

public:
    explicit FactsPanel(const Wizard& wizard, unsigned threads, QWidget* parent = nullptr);

    void refresh(const QString& target); // the disk asked about is the one the target lies on

private:
    QLabel* addFact(const char* objectName, const QString& caption);
    QString diskText(const QString& target) const;
    QString gainText() const;
    static QString comparison(const Gain& gain);

    const Wizard& m_wizard;
    unsigned m_threads;
    QFormLayout* m_layout;
    QLabel *m_size, *m_bits, *m_memory, *m_disk, *m_time, *m_gain;
};

} // namespace wb::ui::convert
