// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/convert/weights_plan.h"
#include "ui/convert/run/run_session.h"

#include <QStringList>

namespace wb::ui::convert {

// What a model is turned into other than a GGUF file.
enum class WeightsGoal : std::uint8_t {
    Safetensors, // one file of any tensors that open, as they are called
    Folder,      // a Hugging Face folder: of a GGUF file that which it could have been made of
    Merge,       // the same with adapters merged into the weights
};

struct ChosenAdapter {
    QString path;
    double scale = 1;

    bool operator==(const ChosenAdapter&) const = default;
};

struct WeightsChoices {
    WeightsGoal goal = WeightsGoal::Safetensors;
    QString source;
    QList<ChosenAdapter> adapters;
    std::optional<Dtype> type;                // empty: as stored
    std::uint64_t shardBytes = 5'000'000'000; // 0: one file
    bool trustsSource = false;                // its tensors are read although loading it elsewhere would run unknown code

    bool operator==(const WeightsChoices&) const = default;
};

// Where a row of the plan's config.json comes from.
struct WeightsMember {
    QString key, value;
    bool isGuessed = false;
};

// A plan to write weights, made by a job, and its run. GUI thread only; the latest choices win.
class WeightsSession : public QObject {
    Q_OBJECT

public:
    explicit WeightsSession(const Services& services); // which must outlive it

    void begin(WeightsGoal goal, const QString& source);
    void close();
    bool isOpen() const { return !m_choices.source.isEmpty(); }
    const WeightsChoices& choices() const { return m_choices; }
    void choose(const WeightsChoices& choices); // plans anew where something changed

    bool isPlanning() const { return m_planning.isRunning(); }
    std::shared_ptr<const conversion::WeightsPlan> plan() const { return m_plan; } // null: there is none of the choices
    const QList<WeightsMember>& members() const { return m_members; }              // of a config.json that is made anew
    QString failure() const { return m_failure.text(); }
    bool wantsTrust() const { return m_wantsTrust; } // the failure is that the source would run something elsewhere
    QString target() const;                          // a proposal where none was entered
    void setTarget(const QString& target);

    void checkRun() { m_runs.check(runPlan(), target()); } // answered by RunSession::checked()
    void run(bool replace) { m_runs.start(runPlan(), target(), replace); }
    RunSession& runs() { return m_runs; }

signals:
    void changed();

private:
    struct Planned;
    static Result<Planned> makePlan(const WeightsChoices& choices, const Progress& progress);
    void replan();
    std::shared_ptr<const RunPlan> runPlan() const;

    const Services& m_services;
    LatestJob m_planning;
    RunSession m_runs;
    WeightsChoices m_choices;
    std::shared_ptr<const conversion::WeightsPlan> m_plan;
    QList<WeightsMember> m_members;
    Sentence m_failure;
    bool m_wantsTrust = false;
    std::optional<QString> m_target;
};

} // namespace wb::ui::convert
