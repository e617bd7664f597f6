// SPDX-License-Identifier: MIT
#include "ui/inspect/distribution/distribution_panel.h"

#include "ui/inspect/tables/cell_table_view.h"
#include "ui/inspect/distribution/histogram_view.h"
#include "ui/inspect/map/map_tables.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/tabs.h"
#include "ui/widgets/box_name.h"
#include "ui/widgets/card.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>

#include <cmath>
#include <numeric>

namespace wb::ui::inspect {
namespace {

constexpr std::size_t tableBins = 256; // of the table next to the plot, whose bins are finer
constexpr std::size_t maxLevels = 64;  // with more, marks would merge

// The plain histogram of a distribution: the bins of the table.
stats::StatsPtr plainStatistics(const Distribution& distribution) {
    auto stats = std::make_shared<stats::TensorStats>();
    stats->histogram = stats::coarser(distribution.histogram, tableBins);
    stats->finite = std::accumulate(stats->histogram->counts.begin(), stats->histogram->counts.end(), std::uint64_t{0});
    stats->mean = distribution.mean;
    stats->std = distribution.std;
    return stats;
}

// The middle of the bin that contains the median; 0 for nothing.
double histogramMedian(const stats::Histogram& histogram) {
    const std::uint64_t all = std::accumulate(histogram.counts.begin(), histogram.counts.end(), std::uint64_t{0});
    std::uint64_t below = 0;
    for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin)
        if ((below += histogram.counts[bin]) * 2 >= all && all > 0)
            return std::lerp(histogram.low, histogram.high,
                             (static_cast<double>(bin) + 0.5) / static_cast<double>(histogram.counts.size()));
    return 0;
}

} // namespace

DistributionPanel::DistributionPanel(const Document& document, const Services& services, QWidget* parent)
    : QWidget(parent), m_document(document), m_services(services), m_job(services.jobs), m_stack(new QStackedWidget(this)),
      m_plot(new DistributionPlot(m_stack)), m_histogram(new HistogramView(m_stack)), m_reason(makeMutedLabel(this)) {
    setObjectName(QStringLiteral("distributionPanel"));
    auto* halves = new QSplitter(Qt::Horizontal, this);
    halves->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 6, 10, 4);
    layout->setSpacing(4);
    layout->addWidget(makeControls());
    layout->addWidget(m_reason);
    layout->addWidget(halves, 1);
    connect(m_plot, &DistributionPlot::availabilityChanged, this, &DistributionPanel::showAvailability);
    showAvailability();
    m_stack->addWidget(m_plot);
    m_stack->addWidget(m_histogram);
    halves->addWidget(m_stack);
    halves->addWidget(makeTables());
    halves->setStretchFactor(0, 1);
    halves->setSizes({600, 300});
    setTensor({});
}

QWidget* DistributionPanel::makeControls() {
    auto* controls = new QWidget(this);
    auto* row = new QHBoxLayout(controls);
    row->setContentsMargins(0, 0, 0, 0);
    m_subject = new QComboBox(controls);
    m_subject->setObjectName(QStringLiteral("distributionSubject"));
    nameBox(m_subject, tr("Data"));
    m_logCounts = new QCheckBox(tr("Log counts"), controls);
    m_logValues = new QCheckBox(tr("Log values"), controls);
    m_logValues->setToolTip(tr("Show values on a symmetric log axis; bar areas then represent counts."));
    m_cumulative = new QCheckBox(tr("Cumulative curve"), controls);
    row->addWidget(m_subject);
    row->addWidget(m_logCounts);
    row->addWidget(m_logValues);
    row->addWidget(m_cumulative);
    row->addStretch(1);
    connect(m_subject, &QComboBox::currentIndexChanged, this, &DistributionPanel::refresh);
    connect(m_logCounts, &QCheckBox::toggled, m_plot, &DistributionPlot::setLogarithmicCounts);
    connect(m_logCounts, &QCheckBox::toggled, m_histogram, &HistogramView::setLogarithmic);
    connect(m_logValues, &QCheckBox::toggled, m_plot, &DistributionPlot::setSymmetricLogarithm);
    connect(m_cumulative, &QCheckBox::toggled, m_plot, &DistributionPlot::setCumulative);
    m_cumulative->setChecked(true);
    return controls;
}

QWidget* DistributionPanel::makeTables() {
    QTabWidget* tabs = makeTabs(QStringLiteral("distributionTables"), this);
    const auto add = [tabs](const char* name, const QString& accessible, const QString& title) {
        auto* table = new CellTableView(accessible, tabs);
        table->setObjectName(QLatin1String(name));
        tabs->addTab(table, title);
        return table;
    };
    m_codeFacts = add("codeFacts", tr("Code usage"), tr("Code usage"));
    m_codes = add("codes", tr("Count of each code"), tr("Codes"));
    for (CellTableView* table : {m_codeFacts, m_codes}) table->setEmptyText(tr("Codes exist only for quantized types."));
    m_bins = add("distributionBins", tr("Histogram bins"), tr("Bins"));
    return tabs;
}

void DistributionPanel::setTensor(std::optional<std::uint32_t> tensor) {
    if (tensor && tensor == m_tensor) return;
    m_tensor = tensor;
    m_facts = {};
    m_job.cancel();
    fillSubjects();
    m_codeFacts->setTable({});
    m_codes->setTable({});
    showNothing(tensor ? tr("Reading every element…") : tr("Select a tensor to see its distribution."));
    m_isStale = tensor.has_value();
    if (isVisible()) request();
}

void DistributionPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_isStale) request();
}

void DistributionPanel::request() {
    if (!m_tensor || !m_services.statistics) return;
    m_isStale = false;
    m_job.start<stats::DistributionFacts>(
        tr("Distribution of a tensor"),
        [backend = m_services.statistics, pass = m_document.pass(*m_tensor), threads = m_services.settings->threads()](
            const Progress& progress) { return pass->distribution(*backend, threads, progress); },
        [this](const stats::DistributionFacts& facts) { showFacts(facts); },
        [this](const Error& error) { showNothing(translated(error)); });
}

void DistributionPanel::showFacts(const stats::DistributionFacts& facts) {
    m_facts = facts;
    fillSubjects();
    if (facts.codes) {
        m_codeFacts->setTable(codeFactsTable(*facts.codes));
        m_codes->setTable(codesTable(*facts.codes, m_document.contents().tensor(*m_tensor).dtype));
    }
    refresh();
}

void DistributionPanel::fillSubjects() {
    const QSignalBlocker blocker(m_subject);
    const int before = m_subject->currentData().toInt();
    m_subject->clear();
    m_subject->addItem(tr("Values"), static_cast<int>(Subject::Values));
    if (m_facts.codes) {
        m_subject->addItem(tr("Block scales"), static_cast<int>(Subject::Scales));
        if (m_facts.codes->minimums) m_subject->addItem(tr("Block minimums"), static_cast<int>(Subject::Minimums));
        m_subject->addItem(tr("Codes"), static_cast<int>(Subject::Codes));
    }
    m_subject->setCurrentIndex(std::max(0, m_subject->findData(before)));
}

// Representable values of a type in a block of median scale and median minimum.
std::vector<double> DistributionPanel::levels() const {
    if (!m_facts.codes || !m_facts.codes->medianScale) return {};
    const std::vector<float> own = dtypeLevels(m_document.contents().tensor(*m_tensor).dtype);
    if (own.size() > maxLevels) return {};
    const double minimum = m_facts.codes->minimums ? histogramMedian(*m_facts.codes->minimums) : 0;
    std::vector<double> levels;
    for (const float level : own) levels.push_back(double{level} * *m_facts.codes->medianScale + minimum);
    return levels;
}

std::optional<Distribution> DistributionPanel::distribution(Subject subject) const {
    if (!m_facts.stats) return {};
    switch (subject) {
    case Subject::Scales: return Distribution{m_facts.codes->scales, {}, {}, {}, Counted::Groups};
    case Subject::Minimums: return Distribution{*m_facts.codes->minimums, {}, {}, {}, Counted::Groups};
    case Subject::Codes: {
        const double first = blockFacts(m_document.contents().tensor(*m_tensor).dtype)->firstCode;
        const auto& counts = m_facts.codes->counts;
        return Distribution{{first - 0.5, first + static_cast<double>(counts.size()) - 0.5, counts}, {}, {}, {}, Counted::Codes};
    }
    case Subject::Values: break;
    }
    if (!m_facts.stats->histogram) return {};
    return Distribution{*m_facts.stats->histogram, m_facts.stats->mean, m_facts.stats->std, levels(), Counted::Elements};
}

void DistributionPanel::showNothing(const QString& why) {
    m_why = why;
    m_plot->setDistribution({}, why);
    m_histogram->setStatistics(nullptr);
    m_bins->setTable({});
    showAvailability();
}

void DistributionPanel::showAvailability() {
    m_reason->setText(m_why.isEmpty() ? m_plot->unavailableReason()
                                      : QStringLiteral("%1 %2").arg(m_plot->unavailableReason(), m_why));
    m_reason->setVisible(!m_plot->isAvailable());
    m_stack->setCurrentIndex(m_plot->isAvailable() ? 0 : 1);
}

void DistributionPanel::refresh() {
    if (!m_facts.stats) return;
    const auto shown = distribution(static_cast<Subject>(m_subject->currentData().toInt()));
    if (!shown) return showNothing(tr("No distribution: no element is finite."));
    m_why.clear();
    m_plot->setDistribution(shown);
    m_histogram->setStatistics(plainStatistics(*shown), shown->counted);
    m_bins->setTable(histogramTable(stats::coarser(shown->histogram, tableBins)));
    showAvailability();
}

} // namespace wb::ui::inspect
