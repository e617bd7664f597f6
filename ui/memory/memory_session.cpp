// SPDX-License-Identifier: MIT
#include "ui/memory/memory_session.h"

#include "core/formats/open.h"
#include "core/io/main_memory.h"
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
    WB_TRY_ASSIGN(const ModelPtr model, formats::open(fsPath(what), options));
    return subjectOf(model);
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
    if (!m_counted) return;
    auto result = wb::memory::estimate(m_counted->subject, weights(), m_settings);
    m_failure.clear();
    if (!result) {
        m_failure = result.error();
        return;
    }
    m_rule = ruleOfThumb(m_counted->subject, weights(), m_type, *result);
    m_estimate = std::move(*result);
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
    if (!m_estimate) return rows;
    for (const Memory& memory : m_counted->memories) rows.push_back(fitOf(m_counted->subject, weights(), m_settings, memory));
    for (const Card& card : cards()) rows.push_back(fitOf(m_counted->subject, weights(), m_settings, memoryOf(card)));
    return rows;
}

} // namespace wb::ui::memory
