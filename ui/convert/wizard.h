// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/quantize/budget_plan.h"
#include "core/convert/quantize/calibration.h"
#include "core/convert/quantize/plan_file.h"
#include "core/convert/quantize/quantize_run.h"
#include "ui/convert/unfinished.h"
#include "ui/shell/services.h"
#include "ui/widgets/sentence.h"

#include <QObject>

namespace wb::ui::convert {

// What a chosen size is compared with.
struct Gain {
    double error = 0;
    QString stock; // the reference's mix of that size; empty: none fits
    double stockError = 0;
    bool exact = false; // measured on every row
    QStringList remarks; // what the device that measured did wrong
};

// What the types are chosen by, as it was entered.
struct Goal {
    enum class Kind { Mix, Size, Memory };
    Kind kind = Kind::Mix;
    QString size;
    QString memory = QStringLiteral("8 GiB");
    int context = 8192; // tokens
    QString sizedFor;   // the model whose size was proposed
};

// How a quantization is made, step by step: a model, a plan that changes with every choice, a run, a result. It holds everything the
// pages show, so that they can be made anew in another language. Long work runs as jobs; the latest choice wins. GUI thread only.
class Wizard : public QObject {
    Q_OBJECT

public:
    enum class Step { Choose, Plan, Run, Result };

    explicit Wizard(Services& services, QObject* parent = nullptr);

    Step step() const { return m_step; }
    bool isPlanning() const { return m_planJob != nullptr; }
    bool isMeasuring() const { return m_measureJob != nullptr; }
    QString failure() const { return m_failure.text(); } // why there is no plan, or why the run failed, or what of the last session is lost

    // ---- choices; each makes the plan anew
    void openModel(const QString& path, const QString& plan = {}); // `plan`: planText of an earlier session, if it still fits
    quint64 choiceCount() const { return m_serial; } // of any model; grows with every choice
    bool isOf(const QString& path) const; // whether that model is the one that is planned for, or was
    void showPlan();                      // of that one, with all choices; what changed on the disk is read anew
    void setMix(quant::FileType type);   // drops the types chosen one by one
    void setMatrix(const QString& path); // empty: none
    void setAllowRequantize(bool allow);
    void setKeepSplit(bool keep);
    void setPure(bool pure); // one type for every tensor instead of a mix
    void setTypes(const std::vector<std::string>& tensors, std::optional<Dtype> type); // empty: what the mix says
    bool canMeasure() const { return m_plan && !m_isStale && !isPlanning(); } // else what is below does nothing
    void chooseUnder(quint64 fileBytes); // anew where it was being done for another size
    void chooseFitting(quint64 memoryBytes, quint64 context); // weights, cache and buffers together
    void setEveryRow(bool every) { m_everyRow = every; }      // the two above measure all rows instead of samples
    void stopMeasuring();
    void loadPlan(const QString& path); // one that was kept; a plan for another model changes nothing
    void undo();                        // the latest choice, in the order they were made
    void redo();
    bool canUndo() const { return m_step == Step::Plan && !m_undone.empty(); }
    bool canRedo() const { return m_step == Step::Plan && !m_redone.empty(); }
    void closeModel();
    bool hasChoices() const; // that closing would lose

    QString modelPath() const { return m_modelPath; }
    ModelPtr model() const { return m_model; }
    const wb::convert::QuantizeRequest& request() const { return m_request; }
    const QString matrixPath() const { return QString::fromStdString(m_matrix.path); }
    std::shared_ptr<const wb::convert::QuantizePlan> plan() const { return m_plan; } // null: none (yet)
    bool canRun() const; // the plan is that of the choices and can be carried out
    double estimatedSeconds() const;                                                 // below 0: not known (yet)
    bool isChanged() const { return m_isChanged && !m_request.types.empty(); } // the plan has types that its mix would not give
    std::optional<Gain> gain() const { return canMeasure() ? m_gain : std::nullopt; } // of a choice by size, once its plan stands
    Result<std::string> savedPlan() const; // for --plan; only where there is a plan
    QString planText() const; // the same, empty where it cannot be saved; that of the last session while none can be made of it
    QString optionsText() const;                                                     // the same types as options of the two programs
    void setTarget(const QString& target) { m_chosenTarget = target; } // as it was typed or chosen; stays until another model
    QString wantedTarget() const { return m_chosenTarget.value_or(suggestedTarget()); }
    QString targetProblem(const QString& target) const;       // why nothing can be written there; empty: nothing is known against it
    bool targetExists(const QString& target) const;           // one of the files to write does
    // What a run to the target would destroy: work of an unfinished one whose result is another file.
    struct Endangered {
        std::optional<UnfinishedRun> run; // that could go on; empty: none that this window knows the plan of
        std::optional<int> percent;       // done of it, where that is known
    };
    std::optional<Endangered> endangered(const QString& target) const;
    std::optional<quint64> cacheBytes(quint64 context) const; // with the state of recurrent layers; empty: the model does not say
    quint64 bufferBytes(quint64 context) const;               // of the runtime, beside weights and cache
    const Goal& goal() const { return m_goal; }
    void setGoal(const Goal& goal) { m_goal = goal; } // only kept here
    bool measuresEveryRow() const { return m_everyRow; }

    // ---- run
    void run(const QString& target, bool replace); // refuses what has a targetProblem
    void resume(const UnfinishedRun& run);
    void setPaused(bool paused);
    void cancelRun();
    bool isPaused() const { return m_paused; }
    bool isStopping() const { return m_stopping; } // cancelled, and what is done is being kept
    QString target() const { return m_target; }
    quint64 doneBytes() const { return m_done; }
    quint64 totalBytes() const { return m_total; }
    double bytesPerSecond() const { return m_runJob ? m_runJob->unitsPerSecond() : 0; } // the tray shows the same
    std::optional<wb::convert::QuantizeOutcome> outcome() const { return m_outcome; }
    QString firstTarget() const; // the file to open
    void backToPlan();

signals:
    void changed();    // anything but the figures of a run
    void progressed(); // those

private:
    struct Planned;
    struct Choices { // what can be taken back
        wb::convert::QuantizeRequest request;
        wb::convert::MatrixFile matrix;
        std::optional<Gain> gain;
    };
    Choices choices() const { return {m_request, m_matrix, m_gain}; }
    void remember(); // before a choice, which also ends a measurement
    void takeBack(std::vector<Choices>& from, std::vector<Choices>& to);
    void setChoices(Choices choices);
    void replan();
    void takeUp(wb::convert::PlanFile plan);
    QString typeText() const; // of the plan, as both programs call it
    QString suggestedTarget() const;
    void startAnew();
    void takePlanned(quint64 serial, const Result<void>& result, const Planned& planned);
    void calibrate();
    bool knowsSpeeds() const; // of all types of the plan
    void measure(quint64 fileBytes);
    void startRun(const QString& target, bool replace);
    void takeOutcome(const Result<void>& result, const wb::convert::QuantizeOutcome& outcome);
    void fail(const Sentence& sentence);
    void noteProgress(quint64 done, quint64 total);
    void notePaused(bool paused);
    wb::convert::MatrixFile matrixFile() const { return m_matrix; }

    Services& m_services;
    Step m_step = Step::Choose;
    Sentence m_failure;
    QString m_modelPath;
    ModelPtr m_model;
    wb::convert::QuantizeRequest m_request;
    wb::convert::MatrixFile m_matrix;
    std::shared_ptr<const quant::Imatrix> m_readMatrix; // of m_matrix
    std::shared_ptr<const wb::convert::QuantizePlan> m_plan;
    std::optional<wb::convert::PlanFile> m_takenUp; // is the request already, and is checked once its model is open
    QString m_sessionPlan;                          // what that was in the last session
    Sentence m_remark;                              // to be said beside the next plan
    std::optional<UnfinishedRun> m_resumedRun;      // goes on once that is done
    struct Measured { // what speeds depend on besides the type
        bool weighted = false;
        unsigned threads = 0;
        QString device;
        bool operator==(const Measured&) const = default;
    };
    Measured m_speedsOf;
    wb::convert::Speeds m_speeds;
    Goal m_goal;
    std::optional<Gain> m_gain;
    std::vector<Choices> m_undone; // what undo gives back, the latest last
    std::vector<Choices> m_redone;
    bool m_everyRow = false;
    bool m_isChanged = false;
    bool m_isStale = false; // the last choices could not be planned; m_plan is that of the ones before
    quint64 m_serial = 0;
    quint64 m_measureSerial = 0;
    quint64 m_measuredFor = 0; // bytes of the file, while types are measured
    std::shared_ptr<JobHandle> m_planJob;
    std::shared_ptr<JobHandle> m_calibrationJob;
    std::shared_ptr<JobHandle> m_measureJob;

    std::optional<QString> m_chosenTarget;
    std::shared_ptr<JobHandle> m_runJob;
    std::shared_ptr<RunClaim> m_claim; // of that run
    QString m_target; // of the run
    bool m_paused = false;
    bool m_stopping = false;
    quint64 m_done = 0;
    quint64 m_total = 0;
    std::optional<wb::convert::QuantizeOutcome> m_outcome;
};

} // namespace wb::ui::convert
