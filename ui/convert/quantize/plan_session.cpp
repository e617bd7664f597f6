// SPDX-License-Identifier: MIT
#include "ui/convert/quantize/plan_session.h"

#include "core/convert/gguf/tokenizer_json.h"
#include "core/convert/gguf/vocabulary.h"
#include "ui/convert/quantize/planning.h"
#include "ui/widgets/paths.h"

#include <QFileInfo>
#include <QSaveFile>

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
    m_model.reset();
    m_matrixFile = {};
    m_matrix.reset();
    m_conversion.reset();
    m_plain.reset();
    m_folder = {};
    m_wantsPreTokenizer = false;
    m_isAdapter = false;
    m_plan.reset();
    m_text.clear();
    m_unsaved.clear();
    m_hasOwnTypes = false;
    m_isStale = false;
    m_openedWith = {};
    m_unchecked.reset();
    m_remark.clear();
}

bool PlanSession::isOf(const QString& path) const {
    return isOpen() && (path == m_path || (QFileInfo::exists(path) && QFileInfo(path) == QFileInfo(m_path)));
}

void PlanSession::checkFiles() {
    if (!m_model) return emit filesChanged();
    const auto work = [model = m_model](const Progress&) -> Result<bool> { return isUnchanged(*model); };
    const auto done = [this](bool unchanged) {
        if (unchanged) emit changed();
        else emit filesChanged();
    };
    m_checking.start<bool>(tr("Planning"), work, done, [this](const Error& error) { emit failureChanged(error); });
    emit changed();
}

void PlanSession::loadPlan(const QString& path) {
    if (!m_model) return;
    const auto work = [model = m_model, path](const Progress&) -> Result<PlanFile> {
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
    const auto work = [path, text = m_text](const Progress&) -> Result<void> {
        QSaveFile file(path);
        const bool saved = file.open(QIODevice::WriteOnly) && file.write(QByteArray::fromStdString(text)) >= 0 && file.commit();
        if (saved) return {};
        return fail(ErrorCode::NotWritable, Reason("plan.not_saved"), About{path.toStdString()},
                    WB_TEXT("The plan could not be saved to {}."), shortPath(path).toStdString());
    };
    const auto done = [this](const Result<void>& result) {
        if (!result) emit saveFailed(result.error());
    };
    m_services.jobs->start(tr("Saving the plan"), this, work, done, false);
}

// Reads again only what is not read yet.
void PlanSession::replan() {
    if (!isOpen()) return;
    const bool isSameMatrix = m_choices.matrix() == m_matrixFile;
    const bool isSameModel = m_choices.folder() == m_folder; // else it is converted into another file
    PlanInput input;
    input.path = fsPath(m_path);
    if (isSameModel) input.model = m_model;
    if (isSameModel) input.conversion = m_conversion;
    input.isAdapter = m_isAdapter;
    if (isSameMatrix) input.matrix = m_matrix;
    input.takesUsualType =
        !m_plan && m_openedWith.text.isEmpty() && m_choices.request().mix.fileType == quant::MixOptions().fileType;
    input.folder = m_choices.folder();
    input.request = m_choices.request();
    input.matrixFile = m_choices.matrix();
    input.savedPlan = m_unchecked;
    input.threads = m_services.threads;
    const auto work = [input](const Progress& progress) { return makePlan(input, progress); };
    const auto done = [this, matrixFile = input.matrixFile, folder = input.folder](const PlanOutput& output) {
        m_matrixFile = output.matrix ? matrixFile : MatrixFile();
        m_folder = folder;
        onPlanned(output);
    };
    m_planning.start<PlanOutput>(tr("Planning"), work, done, [this](const Error& error) { emit failureChanged(error); });
    emit changed();
}

void PlanSession::onPlanned(const PlanOutput& output) {
    m_model = output.model;
    m_conversion = output.conversion;
    m_isAdapter = output.isAdapter;
    m_matrix = output.matrix;
    const auto isAbout = [&output](Reason reason) { return output.failure && output.failure->reason == reason; };
    m_wantsPreTokenizer = isAbout(wb::convert::unknownPreTokenizer) || isAbout(wb::convert::preTokenizerKind);
    if (output.usualType) m_choices.beginWith(*output.usualType);
    m_isStale = output.failure.has_value();
    const bool isForOther = m_unchecked && output.isForOtherModel;
    if (isForOther && !m_openedWith.isRequired && !m_plan) {
        m_remark = Sentence(*output.failure);
        return beginAnew();
    }
    if (output.plan) {
        if (m_unchecked) m_choices.setOwnTypes(output.ownTypes);
        m_plan = output.plan;
        m_plain = output.plain;
        m_text = output.text.value_or(std::string());
        m_unsaved = output.text ? Sentence() : Sentence(output.text.error());
        m_hasOwnTypes = !output.ownTypes.empty();
    }
    if (output.plan || isForOther) m_unchecked.reset(); // else what the choices need may come back
    emit failureChanged(output.failure ? Sentence(*output.failure) : std::exchange(m_remark, {}));
    m_remark.clear();
    if (output.plan) emit planned();
    emit changed();
}

// The saved plan is not for the model that lies there now, which is said beside the new plan.
void PlanSession::beginAnew() {
    m_unchecked.reset();
    m_openedWith.text.clear();
    m_choices.clear();
    replan();
}

QString PlanSession::planText() const { return m_plan ? QString::fromStdString(m_text) : m_openedWith.text; }

} // namespace wb::ui::convert
