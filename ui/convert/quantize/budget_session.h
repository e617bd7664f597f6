// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/quantize/plan_session.h"

namespace wb::ui::convert {

// By what the types are chosen, as it was entered.
struct Goal {
    enum class Kind { Mix, Size, Memory };
    Kind kind = Kind::Mix;
    QString size;
    QString memory;        // empty until the memory of this machine was read
    int context = 8192;    // tokens; follows usualContext until another number is entered
    bool everyRow = false; // errors are measured on all rows instead of samples
    QString sizedFor;      // the model whose size and context were proposed
    int usualContext = 8192;
    bool operator==(const Goal&) const = default;
};

// Chooses the types of all tensors for a size of the file or for the memory of a machine, by measuring what each type loses. Any
// other choice stops that. GUI thread only.
class BudgetSession : public QObject {
    Q_OBJECT

public:
    // All must outlive it.
    BudgetSession(const Services& services, QuantizeChoices& choices, const PlanSession& plans);

    // Proposes the memory of this machine, RAM or a GPU, that a model may take now, unless another one is entered.
    void proposeMemory();
    const Goal& goal() const { return m_goal; }
    void setGoal(const Goal& goal);           // starts nothing by itself
    std::optional<quint64> goalBytes() const; // what it allows the whole file; empty: it says no size, or one that leaves nothing

    // Whether the plan may be carried out under the goal: types by a mix always, types for a size once they were chosen for that
    // very size, and after changes manually as long as the file stays within it.
    bool isMet() const;

    bool canMeasure() const { return m_plans.isCurrent(); }   // else the next two do nothing
    void chooseUnder(quint64 fileBytes);                      // nothing new where it is being done for that size
    void chooseFitting(quint64 memoryBytes, quint64 context); // weights, cache and buffers together
    void stop();
    bool isMeasuring() const { return m_job.isRunning(); }
    std::optional<BudgetResult> result() const; // where the plan is that of a choice by budget

    std::optional<quint64>
    cacheBytes(quint64 context) const;          // with the state of recurrent layers; empty: the model does not specify
    int usualContext() const;                   // of the model, as wb quantize --compare takes it
    quint64 bufferBytes(quint64 context) const; // of the runtime, next to weights and cache

signals:
    void changed();
    void failureChanged(const wb::ui::Sentence& failure); // why no types were chosen; empty: they are being measured

private:
    struct Measurement;
    void onMeasured(const Measurement& measurement);

    const Services& m_services;
    QuantizeChoices& m_choices;
    const PlanSession& m_plans;
    LatestJob m_job, m_memoryJob;
    quint64 m_fileBytes = 0; // that the job measures for
    Goal m_goal;
};

} // namespace wb::ui::convert
