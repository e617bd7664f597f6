// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/plan_job.h"
#include "ui/convert/quantize/quantize_choices.h"
#include "ui/shell/jobs/latest_job.h"
#include "ui/widgets/sentence.h"

namespace wb::ui::convert {

// A saved plan to open a model with.
struct SavedPlan {
    QString text;            // of the plan file; empty: none
    QString name;            // in sentences about it
    bool isRequired = false; // else choices start again where it is not for this model, or not a plan at all
};

// Opens a model and plans its quantization by the choices, again after each of them; the latest wins. All reading and planning is
// off the GUI thread, which alone may use this class.
class PlanSession : public QObject {
    Q_OBJECT

public:
    // Both must outlive it.
    PlanSession(const Services& services, QuantizeChoices& choices);

    void open(const QString& path, const SavedPlan& plan = {}); // after close()
    void close();
    bool isOpen() const { return !m_path.isEmpty(); }
    void checkFiles();                  // emits filesChanged() if the model differs from the opened one
    void loadPlan(const QString& path); // a plan for another model changes nothing
    void savePlan(const QString& path); // emits saveFailed() where it could not be

    bool isPlanning() const { return m_reading.isRunning() || m_planning.isRunning() || m_checking.isRunning(); }
    QString path() const { return m_path; }         // of the model
    bool isForModel(const QString& path) const;     // whether that is the model of this plan
    ModelPtr model() const { return m_read.model; } // null: not open (yet)
    // Where the model is a Hugging Face folder: the plan that makes it a GGUF file, for plan() where converting alone does what was
    // chosen, else with the types that quantizing starts with. Null for a GGUF file.
    std::shared_ptr<const wb::convert::ConvertPlan> conversion() const { return m_plain ? m_plain : m_read.conversion; }
    std::shared_ptr<const wb::convert::ConvertPlan> plain() const { return m_plain; } // null where plan() quantizes
    bool isFolder() const { return m_read.conversion || m_wantsPreTokenizer || m_read.isAdapter; }
    bool isAdapter() const { return m_read.isAdapter; }            // of PEFT, which has one type and needs its base
    bool wantsPreTokenizer() const { return m_wantsPreTokenizer; } // its splitting rule is not known, and none is chosen
    std::shared_ptr<const quant::Imatrix> matrix() const { return m_read.matrix; }
    std::shared_ptr<const quantize::QuantizePlan> plan() const { return m_plan; } // the last one that could be made; null: none
    wb::convert::JobPtr job() const { return m_job; }                             // of that plan
    wb::convert::GgufRequest request() const;                                     // of the choices, with their earlier inputs
    bool isCurrent() const { return m_plan && !m_isStale && !isPlanning(); }      // plan() is that of the choices
    bool hasOwnTypes() const { return m_hasOwnTypes && !m_choices.request().types.empty(); } // that the mix would not give
    QString planText() const; // for a file; empty: it cannot be saved; without a plan that which the model was opened with

signals:
    void changed();
    void planned();                                       // plan() is new
    void failureChanged(const wb::ui::Sentence& failure); // why there is no plan, or no new one; empty: there is
    void filesChanged();
    void saveFailed(const wb::ui::Sentence& why);

private:
    void adopt(const quantize::PlanFile& plan);
    void beginAnew();
    void replan();
    struct Planned;
    void onPlanned(const Planned& planned);

    const Services& m_services;
    QuantizeChoices& m_choices;
    LatestJob m_reading; // a saved plan
    LatestJob m_planning;
    LatestJob m_checking; // the files of the model
    QString m_path;
    wb::convert::GgufPlanned m_read;   // by the last planning
    quantize::MatrixFile m_matrixFile; // that its matrix was read from
    quantize::FolderChoices m_folder;  // that its conversion was planned with
    std::shared_ptr<const wb::convert::ConvertPlan> m_plain;
    wb::convert::JobPtr m_job;
    bool m_wantsPreTokenizer = false;
    std::shared_ptr<const quantize::QuantizePlan> m_plan;
    std::string m_text; // of m_plan; empty: it cannot be saved
    Sentence m_unsaved; // why
    bool m_hasOwnTypes = false;
    bool m_isStale = false; // the choices could not be planned; m_plan is that of earlier ones
    SavedPlan m_openedWith;
    std::optional<quantize::PlanFile> m_unchecked; // a saved plan that the choices are from, but maybe not for this model
    Sentence m_remark;                             // to be said next to the next plan
};

} // namespace wb::ui::convert
