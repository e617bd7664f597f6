// SPDX-License-Identifier: MIT
#include "ui/inspect/compare/difference_view.h"

#include "ui/inspect/compare/compare_tables.h"
#include "ui/inspect/compare/difference_map.h"
#include "ui/inspect/distribution/histogram_view.h"
#include "ui/inspect/tables/cell_table_view.h"
#include "ui/widgets/card.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/tabs.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include <numeric>

namespace wb::ui::inspect {

DifferenceView::DifferenceView(JobRunner* jobs, QWidget* parent) : QWidget(parent), m_job(jobs), m_title(makeMutedLabel(this)) {
    m_title->setObjectName(QStringLiteral("differenceTitle"));
    m_title->setTextFormat(Qt::PlainText);
    m_title->setWordWrap(false);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* parts = new QSplitter(Qt::Horizontal, this);
    parts->setChildrenCollapsible(false);
    m_map = new DifferenceMap(parts);
    parts->addWidget(m_map);
    auto* middle = new QWidget(parts);
    m_histogram = new HistogramView(middle);
    m_histogram->setAccessibleName(tr("Histogram of differences"));
    auto* logarithmic = new QCheckBox(tr("Log counts"), middle);
    logarithmic->setObjectName(QStringLiteral("differenceLog"));
    connect(logarithmic, &QCheckBox::toggled, m_histogram, &HistogramView::setLogarithmic);
    logarithmic->setChecked(true); // most elements of a quantized tensor differ by little
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_histogram, 1);
    column->addWidget(logarithmic);
    parts->addWidget(middle);
    auto* tables = makeTabs(QStringLiteral("differenceTables"), parts);
    m_measures = new CellTableView(tr("Measures of the pair"), tables);
    m_measures->setObjectName(QStringLiteral("measures"));
    m_bins = new CellTableView(tr("Histogram bins"), tables);
    m_bins->setObjectName(QStringLiteral("differenceBins"));
    tables->addTab(m_measures, tr("Measures"));
    tables->addTab(m_bins, tr("Bins"));
    parts->addWidget(tables);
    parts->setSizes({300, 320, 280});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 4, 10, 4);
    layout->setSpacing(4);
    layout->addWidget(m_title);
    layout->addWidget(parts, 1);
    setPair({}, {});
}

void DifferenceView::setPair(std::shared_ptr<const diff::Comparison> comparison, std::optional<std::size_t> pair) {
    m_job.cancel();
    m_comparison = std::move(comparison);
    m_pair = m_comparison ? pair : std::nullopt;
    showDetail({});
    if (!m_pair) return m_title->setText(tr("Select a pair of tensors to see its differences."));
    const diff::Pair& shown = m_comparison->pairs[*m_pair];
    const QString names =
        shown.a == shown.b ? text(shown.a.front()) : QStringLiteral("%1 ↔ %2").arg(text(shown.a.front()), text(shown.b.front()));
    if (shown.elements == 0) return m_title->setText(tr("%1: no elements").arg(names));
    if (shown.failure) return m_title->setText(translated(*shown.failure));
    m_title->setText(tr("%1: reading…").arg(names));
    m_job.start<std::shared_ptr<const diff::Detail>>(
        tr("Reading differences"),
        [comparison = m_comparison, pair = *m_pair](const Progress& progress) -> Result<std::shared_ptr<const diff::Detail>> {
            diff::DetailOptions options;
            options.progress = progress;
            WB_TRY_ASSIGN(diff::Detail detail, diff::readDetail(*comparison, pair, options));
            return std::make_shared<const diff::Detail>(std::move(detail));
        },
        [this, names](const std::shared_ptr<const diff::Detail>& detail) {
            m_title->setText(detail->isSampled ? tr("%1: a sample of %2 elements").arg(names, shownCount(detail->read)) : names);
            showDetail(detail);
        },
        [this](const Error& error) { m_title->setText(translated(error)); });
}

void DifferenceView::showDetail(std::shared_ptr<const diff::Detail> detail) {
    m_detail = std::move(detail);
    m_map->setDetail(m_detail);
    m_measures->setTable(m_pair ? measuresTable(m_comparison->pairs[*m_pair], m_detail.get()) : TableContent{});
    if (!m_detail || m_detail->errors.high <= 0) { // nothing differs
        m_histogram->setStatistics({});
        return m_bins->setTable({});
    }
    auto stats = std::make_shared<stats::TensorStats>();
    stats->histogram = m_detail->errors;
    stats->finite = std::accumulate(m_detail->errors.counts.begin(), m_detail->errors.counts.end(), std::uint64_t{0});
    m_histogram->setStatistics(stats);
    m_bins->setTable(histogramTable(m_detail->errors));
}

} // namespace wb::ui::inspect
