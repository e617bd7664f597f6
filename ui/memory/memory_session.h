// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/advice.h"
#include "core/memory/exports.h"
#include "core/memory/fit.h"
#include "core/memory/rule_of_thumb.h"
#include "ui/shell/jobs/latest_job.h"
#include "ui/widgets/sentence.h"

namespace wb::ui::memory {

// Names the graphics devices of this machine; may load Vulkan and is called on a worker thread.
using MemoryLister = std::function<std::vector<wb::memory::Memory>()>;

// The weights of the model as one type.
struct TypedWeights {
    const wb::memory::WeightType* type = nullptr;
    wb::memory::Weights weights;
};

// What a worker brings of a model: its numbers with every type, and the memories of this machine.
struct Counted {
    wb::memory::Subject subject;
    std::vector<TypedWeights> types;
    std::vector<wb::memory::Memory> memories;
};

// One type of the table of types.
struct TypeRow {
    QString name;
    double bitsPerWeight = 0;
    quint64 weights = 0;
    quint64 total = 0;
    wb::memory::Verdict verdict = wb::memory::Verdict::No; // of the first memory of this machine
};

// Whose memory is estimated with which settings, and the answer. GUI thread only; only reading a model is left to a worker.
class MemorySession : public QObject {
    Q_OBJECT

public:
    MemorySession(const Services& services, MemoryLister lister, QObject* parent = nullptr);

    // A path, a size such as "7B", or the name of a known model.
    void open(const QString& what);
    bool isOpening() const { return m_job.isRunning(); }
    QString what() const { return m_what; }

    void setSettings(const wb::memory::Settings& settings);
    void setType(const wb::memory::WeightType* type);                              // null: as stored
    void setTraining(const std::optional<wb::memory::TrainingSettings>& training); // empty: the model runs
    const wb::memory::Settings& settings() const { return m_settings; }
    const std::optional<wb::memory::TrainingSettings>& training() const { return m_training; }
    const wb::memory::WeightType* type() const { return m_type; }

    const Counted* counted() const { return m_counted ? &*m_counted : nullptr; } // null: no model is open
    // One of the two at most: that of a running model, or that of training.
    const wb::memory::Estimate* estimate() const { return m_estimate ? &*m_estimate : nullptr; }
    const wb::memory::TrainingEstimate* trainingEstimate() const { return m_trained ? &*m_trained : nullptr; }
    bool isCounted() const { return m_estimate || m_trained; }
    const wb::memory::RuleOfThumb& rule() const { return m_rule; }
    QString failure() const { return m_failure.text(); } // why there is no estimate; empty: there is one or no model yet

    std::vector<TypeRow> types() const;
    std::vector<wb::memory::Fit> fits() const; // of this machine, then of the cards
    std::vector<wb::memory::Advice> advice() const;
    // The settings of the present estimate for a program; needs isCounted().
    Result<std::vector<wb::memory::ExportedFile>> exported(wb::memory::ExportTarget target) const;

signals:
    void opened();  // another model is there
    void changed(); // anything of the above

private:
    void onCounted(const Counted& counted);
    void recount();
    void recountRunning();
    void recountTraining();
    const wb::memory::Weights& weights() const;

    const Services& m_services;
    MemoryLister m_lister;
    LatestJob m_job;
    QString m_what;
    std::optional<Counted> m_counted;
    wb::memory::Settings m_settings;
    const wb::memory::WeightType* m_type = nullptr;
    std::optional<wb::memory::TrainingSettings> m_training;
    std::optional<wb::memory::Estimate> m_estimate;
    std::optional<wb::memory::TrainingEstimate> m_trained;
    wb::memory::RuleOfThumb m_rule;
    Sentence m_failure;
};

} // namespace wb::ui::memory
