// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/quantize/mix_table.h"
#include "ui/convert/quantize/budget_session.h"

namespace wb::ui::convert {

// Compares all mixes of the model that is planned: measures them when they are inspected, again for another model or matrix, and
// judges them by the memory and the context of the goal. GUI thread only.
class MixSession : public QObject {
    Q_OBJECT

public:
    // All must outlive it.
    MixSession(const Services& services, const QuantizeChoices& choices, const PlanSession& plans, const BudgetSession& budget);

    void measure(bool everyRow); // nothing new where the table is that already
    void stop();
    void clear();
    bool isMeasuring() const { return m_job.isRunning(); }
    bool isStale() const; // the last measurement, if any, is another model or with another matrix

    const quantize::MixTable* table() const { return m_table ? &*m_table : nullptr; }
    std::span<const std::optional<quantize::MixNeed>> needs() const { return m_needs; } // an entry a row
    const std::optional<quantize::MixAdvice>& advice() const { return m_advice; }
    QString failure() const { return m_failure.text(); } // why there is no table; empty: there is, or it was not asked for

signals:
    void changed();

private:
    void judge();    // by the goal as it is now
    struct Subject { // what a table is of
        ModelPtr model;
        quantize::MatrixFile matrix;
        bool operator==(const Subject&) const = default;
    };

    const Services& m_services;
    const QuantizeChoices& m_choices;
    const PlanSession& m_plans;
    const BudgetSession& m_budget;
    LatestJob m_job;
    Subject m_subject; // of the table or of the job
    bool m_everyRow = false;
    std::optional<quantize::MixTable> m_table;
    QString m_judgedMemory; // of the goal that the needs are for
    int m_judgedContext = 0;
    std::vector<std::optional<quantize::MixNeed>> m_needs;
    std::optional<quantize::MixAdvice> m_advice;
    Sentence m_failure;
};

} // namespace wb::ui::convert
