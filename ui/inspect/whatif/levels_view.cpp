// SPDX-License-Identifier: MIT
#include "ui/inspect/whatif/levels_view.h"

#include "ui/inspect/distribution/histogram_view.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/card.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace wb::ui::inspect {
namespace {

constexpr std::uint32_t bins = 1024;
constexpr std::size_t maxLevels = 64; // with more, marks would merge

using StatsResult = std::shared_ptr<const stats::TensorStats>;

} // namespace

LevelsView::LevelsView(const Document& document, const Services& services, QWidget* parent)
    : QWidget(parent), m_document(document), m_services(services), m_job(services.jobs), m_stack(new QStackedWidget(this)),
      m_plot(new DistributionPlot(m_stack)), m_histogram(new HistogramView(m_stack)), m_caption(makeMutedLabel(this)) {
    m_caption->setObjectName(QStringLiteral("levelsCaption"));
    m_stack->addWidget(m_plot);
    m_stack->addWidget(m_histogram);
    m_stack->setMinimumSize(120, 80);
    for (QWidget* page : {static_cast<QWidget*>(m_plot), static_cast<QWidget*>(m_histogram)}) page->setMinimumSize(120, 80);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_caption);
    layout->addWidget(makeBlockBar());
    layout->addWidget(m_stack, 1);
    connect(m_plot, &DistributionPlot::availabilityChanged, this, &LevelsView::refresh);
    refresh();
}

QWidget* LevelsView::makeBlockBar() {
    m_blockBar = new QWidget(this);
    m_group = new QSpinBox(m_blockBar);
    m_group->setObjectName(QStringLiteral("blockGroup"));
    m_group->setAccessibleName(tr("Block group"));
    m_group->setToolTip(tr("Each group of a block has its own scale; the one with the largest error is shown first."));
    connect(m_group, &QSpinBox::valueChanged, this, &LevelsView::refresh);
    auto* typical = new QPushButton(tr("Typical block"), m_blockBar);
    typical->setObjectName(QStringLiteral("typicalBlock"));
    typical->setToolTip(tr("Show the levels of a block with a typical scale"));
    connect(typical, &QPushButton::clicked, this, &LevelsView::typicalWanted);
    auto* layout = new QHBoxLayout(m_blockBar);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_group);
    layout->addStretch(1);
    layout->addWidget(typical);
    return m_blockBar;
}

void LevelsView::setTensor(std::optional<std::uint32_t> tensor) {
    m_job.cancel();
    m_tensor = tensor;
    m_stats.reset();
    m_failure.clear();
    m_levels.clear();
    m_block.reset();
    m_type = Dtype::Unknown;
    m_isStale = tensor.has_value();
    refresh();
    if (isVisible()) request();
}

void LevelsView::setLevels(Dtype type, std::vector<double> levels) {
    m_type = type;
    m_levels = std::move(levels);
    refresh();
}

void LevelsView::setBlock(std::optional<quant::BlockLevels> block) {
    m_block = std::move(block);
    if (group()) {
        const QSignalBlocker quiet(m_group);
        m_group->setRange(1, static_cast<int>(m_block->groups.size()));
        m_group->setValue(static_cast<int>(m_block->worstGroup()) + 1);
        m_group->setPrefix(tr("Group "));
        m_group->setSuffix(tr(" of %1").arg(m_block->groups.size()));
    }
    refresh();
}

const quant::BlockLevels::Group* LevelsView::group() const {
    if (!m_block || m_block->groups.empty()) return nullptr;
    return &m_block->groups[std::min(m_block->groups.size(), static_cast<std::size_t>(m_group->value())) - 1];
}

void LevelsView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_isStale) request();
}

void LevelsView::request() {
    if (!m_tensor || !m_services.statistics) return;
    m_isStale = false;
    const auto work = [backend = m_services.statistics, model = m_document.contents().model, tensor = *m_tensor,
                       threads = m_services.settings->threads()](const Progress& progress) -> Result<StatsResult> {
        WB_TRY_ASSIGN(const auto reader, TensorReader::open(*model, model->tensors[tensor]));
        stats::Options options;
        options.bins = bins;
        options.threads = threads;
        WB_TRY_ASSIGN(auto found, backend->compute(reader, options, progress));
        return std::make_shared<const stats::TensorStats>(std::move(found));
    };
    m_job.start<StatsResult>(
        tr("Distribution of a tensor"), work,
        [this](const StatsResult& found) {
            m_stats = found;
            refresh();
        },
        [this](const Error& error) {
            m_failure = translated(error);
            refresh();
        });
}

QString LevelsView::caption() const {
    const QString type = QString::fromLatin1(name(m_type));
    if (group()) return blockCaption();
    if (m_type == Dtype::Unknown) return tr("Select a type to see its levels.");
    if (m_levels.empty()) return tr("%1 is not a block type and has no quantization levels.").arg(type);
    const QString range = tr("%1 to %2").arg(shownNumber(m_levels.front()), shownNumber(m_levels.back()));
    if (m_levels.size() > maxLevels)
        return tr("A typical block of %1 has %2 levels from %3 (too many to draw).").arg(type).arg(m_levels.size()).arg(range);
    return tr("The %2 levels of a typical block of %1, from %3").arg(type).arg(m_levels.size()).arg(range);
}

// Where the block is, and what its elements are made with.
QString LevelsView::blockCaption() const {
    const quant::BlockLevels::Group& shown = *group();
    const std::uint64_t first = m_block->column + static_cast<std::uint64_t>(m_group->value() - 1) * m_block->groupElements;
    QStringList parts{tr("%1, row %2, block %3, columns %4 to %5")
                          .arg(QString::fromLatin1(name(m_block->type)), shownCount(m_block->row), shownCount(m_block->block),
                               shownCount(first), shownCount(first + m_block->groupElements - 1)),
                      tr("scale %1").arg(shownNumber(shown.scale))};
    if (m_block->hasOffset) parts << tr("offset %1").arg(shownNumber(shown.offset));
    parts << tr("%n level(s) from %1 to %2", nullptr, static_cast<int>(shown.levels.size()))
                 .arg(shownNumber(shown.levels.front()), shownNumber(shown.levels.back()));
    if (shown.levels.size() > maxLevels) parts << tr("too many to draw");
    parts << tr("squared error %1").arg(shownNumber(shown.squaredError));
    return parts.join(QStringLiteral(" · "));
}

void LevelsView::refresh() {
    const std::vector<double>& levels = group() ? group()->levels : m_levels;
    m_marked = levels.size() > maxLevels ? std::vector<double>() : levels;
    m_blockBar->setVisible(m_block.has_value());
    m_group->setVisible(m_block && m_block->groups.size() > 1);
    m_caption->setText(caption());
    m_stack->setCurrentIndex(m_plot->isAvailable() ? 0 : 1);
    m_histogram->setStatistics(m_stats);
    if (!m_stats || !m_stats->histogram) {
        const QString nothing = m_stats ? tr("No distribution: no element is finite.") : tr("Reading every element…");
        m_plot->setDistribution({}, !m_tensor ? QString() : m_failure.isEmpty() ? nothing : m_failure);
        return;
    }
    m_plot->setDistribution(Distribution{*m_stats->histogram, {}, {}, m_marked, Counted::Elements});
}

} // namespace wb::ui::inspect
