// SPDX-License-Identifier: MIT
#include "ui/memory/memory_session.h"

#include "core/io/main_memory.h"
#include "core/memory/open_subject.h"
#include "ui/widgets/paths.h"

#include <QFileInfo>

namespace wb::ui::memory {

using namespace wb::memory;

namespace {

Result<Subject> read(const QString& what, bool isPath, unsigned threads, const Progress& progress) {
    if (!isPath) return subjectOfSize(what.trimmed().toStdString());
    formats::OpenOptions options;
    options.threads = threads;
    options.progress = progress;
    return openSubject(fsPath(what), options);
}

Result<Counted> count(const QString& what, bool isPath, unsigned threads, const MemoryLister& lister, const Progress& progress) {
    Counted counted;
    WB_TRY_ASSIGN(counted.subject, read(what, isPath, threads, progress));
    for (const WeightType& type : weightTypes()) {
        if (progress.stop.stop_requested()) return std::unexpected(cancelled());
        if (auto weights = counted.subject.weights(&type)) counted.types.push_back({&type, std::move(*weights)});
    }
    const io::MainMemory main = io::mainMemory();
    counted.memories.push_back(
        {.name = {}, .side = Side::Processor, .bytes = main.bytes, .free = main.free, .margin = usualMargin});
    if (lister)
        for (Memory& memory : lister()) counted.memories.push_back(std::move(memory));
    return counted;
}

} // namespace

MemorySession::MemorySession(const Services& services, MemoryLister lister, QObject* parent)
    : QObject(parent), m_services(services), m_lister(std::move(lister)), m_job(services.jobs) {}

void MemorySession::open(const QString& what) {
    if (what.trimmed().isEmpty()) return;
    m_what = what;
    m_failure.clear();
    const bool isPath = QFileInfo::exists(what);
    const auto work = [what, isPath, threads = m_services.threads, lister = m_lister](const Progress& progress) {
        return count(what, isPath, threads, lister, progress);
    };
    const auto failed = [this](const Error& error) {
        m_counted.reset();
        m_estimate.reset();
        m_trained.reset();
        m_failure = error;
        emit changed();
    };
    m_job.start<Counted>(
        tr("Counting the memory of %1").arg(what), work, [this](const Counted& counted) { onCounted(counted); }, failed);
    emit changed();
}

void MemorySession::onCounted(const Counted& counted) {
    m_counted = counted;
    m_settings.context = defaultContext(counted.subject.spec);
    m_settings.gpuLayers = 0;
    m_type = nullptr;
    recount();
    emit opened();
    emit changed();
}

void MemorySession::setSettings(const Settings& settings) {
    m_settings = settings;
    recount();
    emit changed();
}

void MemorySession::setTraining(const std::optional<TrainingSettings>& training) {
    m_training = training;
    recount();
    emit changed();
}

void MemorySession::setType(const WeightType* type) {
    m_type = type;
    recount();
    emit changed();
}

const Weights& MemorySession::weights() const {
    for (const TypedWeights& typed : m_counted->types)
        if (typed.type == m_type) return typed.weights;
    return m_counted->subject.stored;
}

void MemorySession::recount() {
    m_estimate.reset();
    m_trained.reset();
    if (!m_counted) return;
    m_failure.clear();
    if (m_training) recountTraining();
    else recountRunning();
}

void MemorySession::recountRunning() {
    auto result = wb::memory::estimate(m_counted->subject, weights(), m_settings);
    if (!result) {
        m_failure = result.error();
        return;
    }
    m_rule = ruleOfThumb(m_counted->subject, weights(), m_type, *result);
    m_estimate = std::move(*result);
}

void MemorySession::recountTraining() {
    auto result = estimateTraining(m_counted->subject, *m_training);
    if (!result) {
        m_failure = result.error();
        return;
    }
    m_rule = trainingRule(*result);
    m_trained = std::move(*result);
}

std::vector<TypeRow> MemorySession::types() const {
    std::vector<TypeRow> rows;
    if (!m_estimate) return rows;
    const Subject& subject = m_counted->subject;
    for (const TypedWeights& typed : m_counted->types) {
        const Fit fit = fitOf(subject, typed.weights, m_settings, m_counted->memories.front());
        const quint64 total = planOf(subject.spec, typed.weights, m_settings).total();
        rows.push_back(
            {QString::fromLatin1(typed.type->name), typed.weights.bitsPerWeight(), typed.weights.total(), total, fit.verdict});
    }
    return rows;
}

std::vector<Fit> MemorySession::fits() const {
    std::vector<Fit> rows;
    if (!isCounted()) return rows;
    const Subject& subject = m_counted->subject;
    const auto add = [&](const Memory& memory) {
        if (m_estimate) rows.push_back(fitOf(subject, weights(), m_settings, memory));
        else if (memory.side == Side::Gpu || m_trained->host() > 0) rows.push_back(fitOf(subject, *m_trained, memory));
    };
    for (const Memory& memory : m_counted->memories) add(memory);
    for (const Card& card : cards()) add(memoryOf(card));
    return rows;
}

std::vector<Advice> MemorySession::advice() const {
    if (m_estimate) return adviceFor(m_counted->subject, m_type, m_settings);
    return m_trained ? adviceFor(m_counted->subject, *m_trained) : std::vector<Advice>();
}

Result<std::vector<ExportedFile>> MemorySession::exported(ExportTarget target) const {
    ExportedModel model;
    const QFileInfo file(m_what);
    if (file.exists()) model = {file.absoluteFilePath().toStdString(), m_counted->subject.model->format == "gguf", false};
    return m_estimate ? exportInference(target, model, *m_estimate, 1) : exportTraining(target, model, *m_trained);
}

} // namespace wb::ui::memory
