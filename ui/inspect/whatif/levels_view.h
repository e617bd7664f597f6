// SPDX-License-Identifier: MIT
#pragma once

#include "core/quant/whatif/block_levels.h"
#include "ui/inspect/document/document.h"
#include "ui/shell/jobs/latest_job.h"
#include "ui/plots/distribution_plot.h"

class QLabel;
class QSpinBox;
class QStackedWidget;

namespace wb::ui::inspect {

class HistogramView;

// The values of the chosen tensor with what a block of another type could represent marked below them: a typical one, or the groups
// of a chosen one by turns, beginning with the group that errs most. Hidden it asks for nothing; where no device draws plots, a
// plain histogram and the levels in words are for them.
class LevelsView : public QWidget {
    Q_OBJECT

public:
    LevelsView(const Document& document, const Services& services, QWidget* parent = nullptr);

    void setTensor(std::optional<std::uint32_t> tensor);
    void setLevels(Dtype type, std::vector<double> levels); // of a typical block; Unknown: no type is chosen
    void setBlock(std::optional<quant::BlockLevels> block); // instead of the typical one; empty: that again

    DistributionPlot* plot() const { return m_plot; }
    const std::vector<double>& marked() const { return m_marked; }

signals:
    void typicalWanted();

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeBlockBar();
    void request();
    void refresh();
    const quant::BlockLevels::Group* group() const; // null: the typical block is shown
    QString caption() const;
    QString blockCaption() const;

    const Document& m_document;
    const Services& m_services;
    std::optional<std::uint32_t> m_tensor;
    bool m_isStale = false;
    std::shared_ptr<const stats::TensorStats> m_stats;
    QString m_failure;
    Dtype m_type = Dtype::Unknown;
    std::vector<double> m_levels, m_marked; // of a typical block, and those that are drawn
    std::optional<quant::BlockLevels> m_block;
    LatestJob m_job;
    QStackedWidget* m_stack;
    DistributionPlot* m_plot;
    HistogramView* m_histogram;
    QLabel* m_caption;
    QWidget* m_blockBar;
    QSpinBox* m_group; // from 1
};

} // namespace wb::ui::inspect
