// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/quantize/history.h"
#include "ui/convert/weights/weights_planning.h"
#include "ui/convert/wizard.h"

namespace wb::ui::convert {

// A plan to write weights, made by a job, and its run, which is one of the wizard's queue. GUI thread only; the latest choices win.
class WeightsSession : public QObject {
    Q_OBJECT

public:
    WeightsSession(const Services& services, Wizard& wizard); // both must outlive it

    void begin(WeightsGoal goal, const QString& source);
    void open(const WeightsChoices& choices, const QString& target = {}); // an empty target: that which is proposed
    void resume(const UnfinishedRun& run);                                // of such a plan; joins the queue where something runs
    void close();
    bool isOpen() const { return !m_choices.source.isEmpty(); }

    const WeightsChoices& choices() const { return m_choices; }
    void choose(const WeightsChoices& choices); // plans again where something changed
    bool canUndo() const { return m_history.canUndo(); }
    bool canRedo() const { return m_history.canRedo(); }
    void undo();
    void redo();
    void loadPlan(const QString& path);
    void savePlan(const QString& path);
    void loadRecipe(const QString& path); // of mergekit: base, other models and how they are merged
    void saveRecipe(const QString& path);
    QString planText() const; // of a file

    bool isPlanning() const { return m_planning.isRunning(); }
    std::shared_ptr<const wb::convert::WeightsPlan> plan() const { return m_plan; } // null: none exists of the choices
    const QList<WeightsMember>& members() const { return m_members; }               // of its config.json
    QString failure() const { return m_failure.text(); }
    bool wantsTrust() const { return m_wantsTrust; } // the failure is that the source would run something elsewhere
    double seconds() const { return m_seconds; }     // that a run takes here, the disk omitted; below 0: not known (yet)
    quint64 peakMemory() const;
    QString target() const; // a proposal where none was entered
    void setTarget(const QString& target);

    void checkRun(); // answered by checked(), or a failure
    bool isChecking() const { return m_checking.isRunning(); }
    void run(bool replace); // joins the queue where something runs
    bool isRunning() const { return m_ownRun != 0; }
    bool isKept() const { return m_isKept; } // the last run was canceled, and its work is there
    const std::optional<wb::convert::Outcome>& outcome() const { return m_outcome; } // of the run that ended here; empty: none did
    void backToPlan();                                                               // from the outcome

signals:
    void changed();
    void checked(const wb::ui::convert::RunCheck& check);
    void queued(); // the run waits for others

private:
    void take(const WeightsChoices& choices);
    void saveText(const QString& path, const QString& text);
    void replan();
    void measure();
    void fail(const Sentence& why);
    void onEnded(quint64 id);
    QueuedRun thisRun(bool replace) const;

    const Services& m_services;
    Wizard& m_wizard;
    LatestJob m_planning;
    LatestJob m_measuring;
    LatestJob m_checking;
    LatestJob m_reading; // a saved plan
    WeightsChoices m_choices;
    History<WeightsChoices> m_history;
    std::shared_ptr<const wb::convert::WeightsPlan> m_plan;
    JobPtr m_job; // of that
    QList<WeightsMember> m_members;
    Sentence m_failure;
    bool m_wantsTrust = false;
    double m_seconds = -1;
    std::optional<QString> m_target;
    std::optional<bool> m_resumes; // starts once there is its plan, replacing existing files or not
    quint64 m_ownRun = 0;          // of the queue; 0: none
    bool m_isKept = false;
    std::optional<wb::convert::Outcome> m_outcome;
};

} // namespace wb::ui::convert
