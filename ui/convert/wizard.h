// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/quantize/budget_session.h"
#include "ui/convert/quantize/mix_session.h"
#include "ui/convert/quantize/speed_estimate.h"
#include "ui/convert/queue/run_queue.h"
#include "ui/convert/run/run_session.h"

namespace wb::ui::convert {

// The way of a model through the tab: choose one, see the plan, run it, see the result. While runs of the queue are under way the
// next one can be planned. It owns the choices and the sessions of the steps, and tracks the current step; the pages talk to the
// session they need, and can be made again in another language at any time. GUI thread only.
class Wizard : public QObject {
    Q_OBJECT

public:
    enum class Step { Choose, Plan, Run, Result }; // Run: what runs and what waits

    explicit Wizard(const Services& services, QObject* parent = nullptr); // the services must outlive it
    const Services& services() const { return m_services; }

    Step step() const { return m_step; }
    QString failure() const { return m_failure.text(); } // why there is no plan, no types or no result; what of a session is lost

    QuantizeChoices& choices() { return m_choices; }
    PlanSession& plans() { return m_plans; }
    BudgetSession& budget() { return m_budget; }
    MixSession& mixes() { return m_mixes; }
    SpeedEstimate& speeds() { return m_speeds; }
    RunSession& runs() { return m_runs; }
    RunQueue& queue() { return m_queue; }
    // The saved progress of this plan's canceled run: it can be continued or discarded. Empty: none was, or nothing is kept.
    const std::optional<UnfinishedRun>& kept() const { return m_kept; }

    void openModel(const QString& path, const QString& planText = {}); // planText: PlanSession's, of an earlier time
    void showPlan(); // of the model that is open, with all choices; what changed on the disk is read again
    void closeModel();
    bool hasChoices() const { return m_step == Step::Plan && !m_choices.isDefault(); } // that closing would lose

    void setTarget(const QString& target);         // as it was entered; stays until another model is opened
    QString target() const;                        // a proposal where none was entered
    bool hasPlan() const;                          // that of the choices, which can be carried out
    bool canRun() const;                           // it is also that of the goal
    void checkRun(const QString& target);          // answered by RunSession::checked(), or a failure
    void run(const QString& target, bool replace); // a target that was checked; joins the queue where something runs
    void resume(const UnfinishedRun& run);         // the same
    void backToPlan();
    void showRuns();                                            // the step Run
    void leaveRuns();                                           // to the plan, or to the choice of a model; what runs continues
    void checkMixes(const std::vector<quant::FileType>& types); // plans a run for each; answered by mixesChecked(), or a failure
    void queue(const QList<QueuedRun>& runs);                   // that were checked
    // A run that was planned and checked elsewhere: at once, or after those of the queue, and then 0. The starter reports its end;
    // the step is the one before where no other run continues.
    quint64 runBeside(const QueuedRun& run);
    void endBeside(quint64 id);
    void forgetKept();

signals:
    void changed();    // of anything but the figures of a run
    void choiceMade(); // the user did something: the message about the last choice is cleared
    void mixesChecked(const QList<wb::ui::convert::PlannedRun>& runs);

private:
    void reset();
    void setFailure(const Sentence& failure);
    void setFailureOfTarget(const Sentence& failure); // over once another target is entered
    void onPlanned();
    void startRun(const QString& target, bool replace);
    void onRunEnded(quint64 id);
    void lookForKept();
    QueuedRun thisRun(const QString& target, bool replace) const;
    QString planName() const;
    bool goesOnInQueue(quint64 id) const;

    const Services& m_services;
    QuantizeChoices m_choices;
    PlanSession m_plans;
    SpeedEstimate m_speeds;
    BudgetSession m_budget;
    MixSession m_mixes;
    RunSession m_runs;
    RunQueue m_queue;
    LatestJob m_checkingMixes;
    LatestJob m_lookingForKept;
    Step m_step = Step::Choose;
    Sentence m_failure;
    bool m_isFailureOfTarget = false;
    quint64 m_ownRun = 0; // that of this plan, as long as its page is shown; 0: none
    std::optional<UnfinishedRun> m_kept;
    std::optional<QString> m_target;
    bool m_isTargetOfRun = false;           // m_target is that of a run which was continued: it goes with the plan of that run
    std::optional<UnfinishedRun> m_resumed; // starts once there is its plan
};

} // namespace wb::ui::convert
