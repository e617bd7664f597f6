// SPDX-License-Identifier: MIT
#include "ui/convert/quantize/mix_session.h"

#include "core/quant/backend.h"
#include "ui/convert/size_edit.h"

#include <QFileInfo>

namespace wb::ui::convert {

using namespace wb::quantize;

MixSession::MixSession(const Services& services, const QuantizeChoices& choices, const PlanSession& plans,
                       const BudgetSession& budget)
    : m_services(services), m_choices(choices), m_plans(plans), m_budget(budget), m_job(services.jobs) {
    connect(&budget, &BudgetSession::changed, this, [this] {
        const Goal& goal = m_budget.goal();
        if (goal.memory != m_judgedMemory || goal.context != m_judgedContext) judge();
    });
}

bool MixSession::isStale() const { return m_subject != Subject{m_plans.model(), m_choices.matrix()}; }

void MixSession::measure(bool everyRow) {
    const Subject subject{m_plans.model(), m_choices.matrix()};
    const bool isSame = m_subject == subject && m_everyRow == everyRow && (m_table || isMeasuring());
    if (!subject.model || m_plans.isPlanning() || isSame) return;
    clear();
    m_subject = subject;
    m_everyRow = everyRow;
    QuantizeRequest request = m_choices.request();
    request.matrix = m_plans.matrix();
    const auto work = [request, model = subject.model, everyRow, threads = m_services.settings->threads(),
                       quantizer = m_services.quantizer](const Progress& progress) -> Result<MixTable> {
        const std::shared_ptr<quant::Backend> backend = quantizer ? quantizer() : nullptr;
        quant::BudgetOptions options;
        options.sampledElements = everyRow ? 0 : mixSample;
        options.threads = threads;
        options.backend = backend.get();
        return compareMixes(model, request, options, progress);
    };
    const auto done = [this](const MixTable& table) {
        m_table = table;
        judge();
    };
    const auto failed = [this](const Error& error) {
        m_failure = error;
        emit changed();
    };
    const auto title = [name = QFileInfo(m_plans.path()).fileName()] { return tr("Comparing quantization types of %1").arg(name); };
    m_job.start<MixTable>(title, work, done, failed, true, [this] { emit changed(); });
    emit changed();
}

void MixSession::stop() {
    if (!isMeasuring()) return;
    m_job.cancel();
    emit changed();
}

void MixSession::clear() {
    m_job.cancel();
    m_table.reset();
    m_needs.clear();
    m_advice.reset();
    m_failure.clear();
    m_subject = {};
    emit changed();
}

void MixSession::judge() {
    if (!m_table) return;
    memory::Settings settings;
    settings.context = static_cast<std::uint64_t>(m_budget.goal().context);
    m_judgedMemory = m_budget.goal().memory;
    m_judgedContext = m_budget.goal().context;
    const auto bytes = enteredBytes(m_judgedMemory);
    const memory::Memory memory{.name = {}, .side = memory::Side::Processor, .bytes = bytes.value_or(0)};
    m_needs = judgeMixes(*m_table, settings, std::span(&memory, 1));
    m_advice = adviseMix(*m_table, m_needs);
    emit changed();
}

} // namespace wb::ui::convert
