// SPDX-License-Identifier: MIT
#pragma once

#include "ui/inspect/document.h"
#include "ui/inspect/latest_job.h"
#include "ui/plots/distribution_plot.h"

class QLabel;
class QStackedWidget;

namespace wb::ui::inspect {

class HistogramView;

// The values of the chosen tensor with what a typical block of another type could represent marked below them. Hidden it asks for
// nothing; where no device draws plots, a plain histogram and the levels in words stand for them.
class LevelsView : public QWidget {
    Q_OBJECT

public:
    LevelsView(const Document& document, const Services& services, QWidget* parent = nullptr);

    void setTensor(std::optional<std::uint32_t> tensor);
    void setLevels(Dtype type, std::vector<double> levels); // Unknown: no type is chosen

    DistributionPlot* plot() const { return m_plot; }
    const std::vector<double>& marked() const { return m_marked; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void request();
    void refresh();
    QString caption() const;

    const Document& m_document;
    const Services& m_services;
    std::optional<std::uint32_t> m_tensor;
    bool m_isStale = false;
    std::shared_ptr<const stats::TensorStats> m_stats;
    QString m_failure;
    Dtype m_type = Dtype::Unknown;
    std::vector<double> m_levels, m_marked; // all, and those that are drawn
    LatestJob m_job;
    QStackedWidget* m_stack;
    DistributionPlot* m_plot;
    HistogramView* m_histogram;
    QLabel* m_caption;
};

} // namespace wb::ui::inspect
