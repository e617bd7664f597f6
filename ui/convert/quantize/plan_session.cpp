// SPDX-License-Identifier: MIT
#include "ui/convert/quantize/plan_session.h"

#include "core/convert/gguf/tokenizer_json.h"
#include "core/convert/gguf/vocabulary.h"
#include "core/convert/source/tensor_inputs.h"
#include "ui/convert/quantize/plan_text.h"
#include "ui/convert/run/save_plan.h"
#include "ui/widgets/paths.h"

#include <QFileInfo>

#include <utility>

namespace wb::ui::convert {

using namespace wb::quantize;

PlanSession::PlanSession(const Services& services, QuantizeChoices& choices)
    : m_services(services), m_choices(choices), m_reading(services.jobs), m_planning(services.jobs), m_checking(services.jobs) {
    connect(&m_choices, &QuantizeChoices::changed, this, &PlanSession::replan);
}

void PlanSession::open(const QString& path, const SavedPlan& plan) {
    m_path = path;
    m_openedWith = plan;
    if (plan.text.isEmpty()) return replan();
    const auto work = [text = plan.text, name = plan.name](const Progress&) {
        return parsePlan(text.toStdString(), name.toStdString());
    };
    const auto failed = [this](const Error& error) {
        m_openedWith.text.clear();
        if (!m_openedWith.isRequired) return replan();
        close();
        emit failureChanged(error);
    };
    m_reading.start<PlanFile>(tr("Planning"), work, [this](const PlanFile& read) { adopt(read); }, failed);
    emit changed();
}

void PlanSession::adopt(const PlanFile& plan) {
    m_choices.restore(plan);
    m_unchecked = plan;
    replan();
}

void PlanSession::close() {
    for (LatestJob* job : {&m_reading, &m_planning, &m_checking}) job->cancel();
    m_path.clear();
    m_read = {};
    m_matrixFile = {};
    m_folder = {};
    m_plain.reset();
    m_job.reset();
    m_wantsPreTokenizer = false;
    m_plan.reset();
    m_text.clear();
    m_unsaved.clear();
    m_hasOwnTypes = false;
    m_isStale = false;
    m_openedWith = {};
    m_unchecked.reset();
    m_remark.clear();
}

bool PlanSession::isForModel(const QString& path) const {
    return isOpen() && (path == m_path || (QFileInfo::exists(path) && QFileInfo(path) == QFileInfo(m_path)));
}

void PlanSession::checkFiles() {
    if (!m_read.model) return emit filesChanged();
    const auto work = [model = m_read.model](const Progress&) -> Result<bool> {
        return wb::convert::TensorInputs::open(*model, {}).has_value(); // the files are still those that were opened
    };
    const auto done = [this](bool unchanged) {
        if (unchanged) emit changed();
        else emit filesChanged();
    };
    m_checking.start<bool>(tr("Planning"), work, done, [this](const Error& error) { emit failureChanged(error); });
    emit changed();
}

void PlanSession::loadPlan(const QString& path) {
    if (!m_read.model) return;
    const auto work = [model = m_read.model, path](const Progress&) -> Result<PlanFile> {
        WB_TRY_ASSIGN(PlanFile plan, readPlan(fsPath(path)));
        WB_TRY(checkPlanFits(plan, *model));
        return plan;
    };
    const auto done = [this](const PlanFile& plan) {
        m_unchecked = plan;
        m_choices.setFromPlan(plan);
    };
    m_reading.start<PlanFile>(tr("Planning"), work, done, [this](const Error& error) { emit failureChanged(error); });
    emit changed();
}

void PlanSession::savePlan(const QString& path) {
    if (m_text.empty()) return emit saveFailed(m_unsaved);
    const auto work = [path, text = m_text, guard = m_services.openModels->guard()](const Progress&) {
        return writePlan(path, text, guard);
    };
    const auto done = [this](const Result<void>& result) {
        if (!result) emit saveFailed(result.error());
    };
    m_services.jobs->start(tr("Saving the plan"), this, work, done, false);
}

wb::convert::GgufRequest PlanSession::request() const {
    wb::convert::GgufRequest request;
    request.source = fsPath(m_path);
    request.isTrusted = true; // the user was asked when the model or the adapter was chosen
    request.threads = m_services.settings->threads();
    request.folder = m_choices.folder();
    request.quantize = m_choices.request();
    request.matrixFile = m_choices.matrix();
    if (m_choices.folder() == m_folder) { // else it is converted into another file
        request.model = m_read.model;
        request.conversion = m_read.conversion;
    }
    request.isAdapter = m_read.isAdapter;
    if (m_choices.matrix() == m_matrixFile) request.matrix = m_read.matrix;
    return request;
}

// The result of planning for the pages.
struct PlanSession::Planned {
    wb::convert::GgufPlanned gguf;
    std::shared_ptr<const QuantizePlan> plan; // null: none exists
};

// Reads only the missing inputs.
void PlanSession::replan() {
    if (!isOpen()) return;
    wb::convert::GgufRequest request = this->request();
    request.takesUsualType =
        !m_plan && m_openedWith.text.isEmpty() && m_choices.request().mix.fileType == quant::MixOptions().fileType;
    request.savedPlan = m_unchecked;
    const auto work = [request](const Progress& progress) -> Result<Planned> {
        Planned planned{planGguf(request, progress), {}};
        if (progress.stop.stop_requested()) return std::unexpected(canceled());
        planned.plan = planned.gguf.quantized;
        if (!planned.gguf.plain) return planned;
        auto shown = shownPlan(planned.gguf.plain);
        if (shown) planned.plan = std::move(*shown);
        else planned.gguf.failure = shown.error();
        return planned;
    };
    const auto done = [this, matrixFile = request.matrixFile, folder = request.folder](const Planned& planned) {
        m_matrixFile = planned.gguf.matrix ? matrixFile : MatrixFile();
        m_folder = folder;
        onPlanned(planned);
    };
    m_planning.start<Planned>(tr("Planning"), work, done, [this](const Error& error) { emit failureChanged(error); });
    emit changed();
}

void PlanSession::onPlanned(const Planned& planned) {
    const wb::convert::GgufPlanned& read = m_read = planned.gguf;
    const auto isAbout = [&read](Reason reason) { return read.failure && read.failure->reason == reason; };
    m_wantsPreTokenizer = isAbout(wb::convert::unknownPreTokenizer) || isAbout(wb::convert::preTokenizerKind);
    if (read.usualType) m_choices.beginWith(*read.usualType);
    m_isStale = read.failure.has_value();
    const bool isForOther = m_unchecked && read.isForOtherModel;
    if (isForOther && !m_openedWith.isRequired && !m_plan) {
        m_remark = Sentence(*read.failure);
        return beginAnew();
    }
    if (planned.plan) {
        if (m_unchecked) m_choices.setOwnTypes(read.ownTypes);
        m_plan = planned.plan;
        m_plain = read.plain;
        m_job = read.job;
        m_text = read.planText.value_or(std::string());
        m_unsaved = read.planText ? Sentence() : Sentence(read.planText.error());
        m_hasOwnTypes = !read.ownTypes.empty();
    }
    if (planned.plan || isForOther) m_unchecked.reset(); // else what the choices need may come back
    emit failureChanged(read.failure ? Sentence(*read.failure) : std::exchange(m_remark, {}));
    m_remark.clear();
    if (planned.plan) emit this->planned();
    emit changed();
}

// The saved plan is not for the model that is there now, with a message next to the new plan.
void PlanSession::beginAnew() {
    m_unchecked.reset();
    m_openedWith.text.clear();
    m_choices.clear();
    replan();
}

QString PlanSession::planText() const { return m_plan ? QString::fromStdString(m_text) : m_openedWith.text; }

} // namespace wb::ui::convert
