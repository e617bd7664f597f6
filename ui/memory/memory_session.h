// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/cards/advice.h"
#include "core/memory/serving/calibration.h"
#include "core/memory/exports.h"
#include "core/memory/cards/placement.h"
#include "core/memory/rule_of_thumb.h"
#include "ui/shell/jobs/latest_job.h"
#include "ui/shell/services.h"
#include "ui/widgets/sentence.h"
#include "ui/widgets/types/type_row.h"

namespace wb::ui::memory {

// A worker's result for a model: its numbers with every type, and the memories of this machine.
struct Counted {
    wb::memory::Subject subject;
    std::vector<wb::memory::TypedWeights> types;
    std::vector<wb::memory::Memory> memories; // RAM first, then the GPUs
    std::vector<wb::memory::MeasuredLoad> loads;
    std::optional<Error> loadsTrouble; // why the measured loads could not be read
};

// What is loaded next to a model: what encodes pictures and sound, an adapter, or a draft model.
struct Companion {
    enum class Kind { Projector, Adapter, Draft } kind = Kind::Projector;
    QString name;
    quint64 bytes = 0;                // of its tensors
    wb::memory::Subject subject = {}; // of a draft
};

// A plan that was kept to be compared with others.
struct KeptPlan {
    QString model, use, type; // the type is empty where weights stay as stored
    quint64 context = 0;      // of all conversations, or of a sequence in training
    quint64 gpu = 0, main = 0;
    QString settings;
};

class LoadChanges;

// Whose memory is estimated with which settings, and the answer. GUI thread only; only reading a model is left to a worker.
class MemorySession : public QObject {
    Q_OBJECT

public:
    explicit MemorySession(const Services& services, QObject* parent = nullptr); // the services must outlive it

    // A path, a size such as "7B", the name of a known model, or an id of a hub.
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

    // Where the layers are best on the GPUs chosen, or on those of this machine; empty if none exist.
    std::optional<wb::memory::Placement> placement() const;
    void usePlacement();
    // Cards that are taken instead of this machine's devices, as the table of cards names them; empty: this machine.
    void setCards(const std::vector<const wb::memory::Card*>& cards);
    const std::vector<const wb::memory::Card*>& cards() const { return m_cards; }
    std::vector<wb::memory::CardChoice> cardChoices() const;
    std::optional<wb::memory::TypeChoice> bestType() const; // recommended for judgedMemory()

    void keep(); // the present plan; needs isCounted()
    void clearKept();
    const std::vector<KeptPlan>& kept() const { return m_kept; }

    // Adds a file, or one of a hub, that is loaded next to the model; which of the three it is it says itself. Of each kind there
    // is one at most.
    void addCompanion(const QString& what);
    void clearCompanions();
    const std::vector<Companion>& companions() const { return m_companions; }

    // Reads a log of llama.cpp next to the model that is open, shows its parts and remembers them.
    void addLog(const QString& path);
    const std::vector<wb::memory::MeasuredLoad>& lastMeasured() const { return m_measured; }
    std::size_t loadCount() const { return m_counted ? m_counted->loads.size() : 0; }
    void clearMeasured();
    QByteArray measuredCsv() const;

    // What types are judged by: the first card chosen, else the roomiest memory of this machine. Needs isCounted().
    wb::memory::Memory judgedMemory() const;
    std::vector<TypeRow> types() const;
    std::vector<wb::memory::Fit> fits() const; // of this machine, then of the cards
    std::vector<wb::memory::Advice> advice() const;
    // The settings of the present estimate for a program; needs isCounted().
    Result<std::vector<wb::memory::ExportedFile>> exported(wb::memory::ExportTarget target) const;

signals:
    void opened();                         // another model is there
    void changed();                        // anything of the above
    void settingsReplaced();               // not by the panel of settings, which has to show them
    void troubled(const wb::Error& error); // of a log, or of recorded loads

private:
    void fail(const Error& error);
    void onCounted(const Counted& counted);
    void recount();
    void recountRunning();
    void recountTraining();
    void addCorrection();
    void countCompanions();
    std::vector<wb::memory::Memory> graphicsMemories() const;
    void measure(const wb::memory::RuntimeLog& log);
    void storeLoads(const std::vector<wb::memory::MeasuredLoad>& loads);
    const wb::memory::Weights& weights() const;

    const Services& m_services;
    LatestJob m_job, m_logs, m_storing, m_beside;
    std::shared_ptr<LoadChanges> m_loadChanges; // null: none yet
    std::vector<Companion> m_companions;
    std::vector<const wb::memory::Card*> m_cards;
    std::vector<KeptPlan> m_kept;
    std::vector<wb::memory::MeasuredLoad> m_measured;
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
