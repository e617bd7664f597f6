// SPDX-License-Identifier: MIT
#include "ui/inspect/distribution/numbers_panel.h"

#include "ui/inspect/tables/cell_table_view.h"
#include "ui/inspect/document/glossary.h"
#include "ui/inspect/distribution/histogram_view.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/tabs.h"
#include "ui/inspect/tensors/tensor_column.h"
#include "ui/widgets/card.h"
#include "ui/widgets/plain_text.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>

namespace wb::ui::inspect {

NumbersPanel::NumbersPanel(const Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_title(new QLabel(this)), m_hint(makeMutedLabel(this)),
      m_stack(new QStackedWidget(this)), m_logarithmic(new QCheckBox(tr("Log scale"), this)) {
    m_title->setObjectName(QStringLiteral("tensorTitle"));
    m_title->setTextFormat(Qt::PlainText);
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_hint->setObjectName(QStringLiteral("tensorHint"));
    m_hint->setAlignment(Qt::AlignCenter);
    m_hint->setTextFormat(Qt::PlainText);
    m_stack->addWidget(m_hint);
    m_logarithmic->setToolTip(tr("Show counts on a log scale so that rare values stay visible."));

    auto* heading = new QHBoxLayout;
    heading->addWidget(m_title, 1);
    heading->addWidget(m_logarithmic);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 6, 10, 4);
    layout->setSpacing(4);
    layout->addLayout(heading);
    layout->addWidget(m_stack, 1);
    connect(&document, &Document::statisticsChanged, this, &NumbersPanel::refresh);
    refresh();
}

void NumbersPanel::makeColumns() {
    m_scalars = new CellTableView(tr("Tensor statistics"), this);
    m_scalars->setObjectName(QStringLiteral("scalars"));
    m_scalars->setStretchedColumn(0);
    m_scalars->setMinimumWidth(fontMetrics().averageCharWidth() * 40); // no number is cut
    m_histogram = new HistogramView(this);
    m_histogram->setLogarithmic(m_logarithmic->isChecked());
    connect(m_logarithmic, &QCheckBox::toggled, m_histogram, &HistogramView::setLogarithmic);

    auto* columns = new QSplitter(Qt::Horizontal, this);
    columns->addWidget(m_scalars);
    columns->addWidget(m_histogram);
    QWidget* const lists = makeLists();
    lists->setMinimumWidth(fontMetrics().averageCharWidth() * 24);
    columns->addWidget(lists);
    columns->setSizes({258, 330, 292});
    columns->setStretchFactor(1, 1);
    columns->setChildrenCollapsible(false);
    m_stack->addWidget(columns);
}

QWidget* NumbersPanel::makeLists() {
    QTabWidget* tabs = makeTabs(QStringLiteral("lists"), this);
    m_top = new CellTableView(tr("Largest elements"), tabs);
    m_percentiles = new CellTableView(tr("Percentiles"), tabs);
    m_bins = new CellTableView(tr("Histogram bins"), tabs);
    m_top->setObjectName(QStringLiteral("top"));
    m_percentiles->setObjectName(QStringLiteral("percentiles"));
    m_bins->setObjectName(QStringLiteral("bins"));
    tabs->addTab(m_top, tr("Largest"));
    tabs->addTab(m_percentiles, tr("Percentiles"));
    tabs->addTab(m_bins, tr("Bins"));
    return tabs;
}

void NumbersPanel::setTensor(std::optional<std::uint32_t> tensor) {
    m_tensor = tensor;
    m_failure.clear();
    m_isBusy = false;
    refresh();
}

void NumbersPanel::setBusy(bool busy) {
    m_isBusy = busy;
    showHint();
}

void NumbersPanel::showFailure(const QString& reason) {
    m_failure = reason;
    m_isBusy = false;
    showHint();
}

bool NumbersPanel::isLogarithmic() const { return m_logarithmic->isChecked(); }

void NumbersPanel::setLogarithmic(bool logarithmic) { m_logarithmic->setChecked(logarithmic); }

void NumbersPanel::refresh() {
    const stats::Contents& contents = m_document.contents();
    const stats::StatsPtr stats = m_tensor ? contents.stats[*m_tensor] : nullptr;
    if (stats && !m_scalars) makeColumns();
    m_title->setText(m_tensor ? QStringLiteral("%1   %2   %3")
                                    .arg(shownCell(contents, *m_tensor, Column::Name), shownCell(contents, *m_tensor, Column::Type),
                                         shownCell(contents, *m_tensor, Column::Shape))
                              : QString());
    if (m_tensor && info(contents.tensor(*m_tensor).dtype).kind == DtypeKind::Complex)
        m_title->setText(m_title->text() + QStringLiteral("   ") + tr("(magnitudes of complex elements)"));
    m_title->setToolTip(m_tensor ? dtypeExplanation(contents.tensor(*m_tensor).dtype) : QString());
    showHint();
    if (stats == m_shown) return; // another tensor's statistics arrived
    m_shown = stats;
    if (!stats) return;
    m_histogram->setStatistics(stats);
    m_scalars->setTable(scalarTable(*stats));
    m_percentiles->setTable(percentileTable(*stats));
    m_top->setTable(topTable(stats->top, contents.tensor(*m_tensor).shape, stats.get()));
    m_bins->setTable(stats->histogram ? histogramTable(*stats->histogram) : TableContent{});
}

void NumbersPanel::showHint() {
    const bool hasNumbers = m_tensor && m_document.contents().stats[*m_tensor];
    m_stack->setCurrentIndex(hasNumbers ? 1 : 0);
    m_logarithmic->setVisible(hasNumbers);
    if (hasNumbers) return;
    if (!m_tensor) m_hint->setText(tr("Select a tensor to see its statistics."));
    else if (!m_failure.isEmpty()) m_hint->setText(m_failure);
    else if (m_isBusy) m_hint->setText(tr("Reading every element…"));
    else m_hint->clear();
}

} // namespace wb::ui::inspect
