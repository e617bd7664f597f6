// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/quantize/budget_session.h"
#include "ui/convert/quantize/speed_estimate.h"

#include <QWidget>

class QFormLayout;
class QLabel;

namespace wb::ui::convert {

// The estimate of the plan: size, bits, memory, disk, time, and what a choice by budget gains.
class CostPanel : public QWidget {
    Q_OBJECT

public:
    CostPanel(const PlanSession& plans, const SpeedEstimate& speeds, const BudgetSession& budget, const WorkSettings& settings,
              QWidget* parent = nullptr);

    void refresh(const QString& target); // the disk asked about is the one the target is on

private:
    QLabel* addValue(const char* objectName, const QString& caption);
    void showSize(const quantize::QuantizePlan& plan, quint64 source);
    QString sizeText(quint64 bytes) const;
    QString allowedText(quint64 bytes) const;
    QString diskText(const QString& target) const;
    QString gainText() const;
    static QString comparison(const BudgetResult& result);

    const PlanSession& m_plans;
    const SpeedEstimate& m_speeds;
    const BudgetSession& m_budget;
    const WorkSettings& m_settings;
    QFormLayout* m_layout;
    QLabel *m_size, *m_bits, *m_memory, *m_disk, *m_time, *m_gain;
};

} // namespace wb::ui::convert
