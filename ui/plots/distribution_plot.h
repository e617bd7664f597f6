// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/stats.h"
#include "ui/plots/plot_axis.h"
#include "ui/widgets/imgui/imgui_widget.h"
#include "ui/widgets/imgui/plot_drawing.h"

#include <optional>
#include <vector>

namespace wb::ui {

enum class Counted { Elements, Groups, Codes };

// The contents of a distribution plot.
struct Distribution {
    stats::Histogram histogram;
    std::optional<double> mean, std; // marked, with multiples of σ
    std::vector<double> levels;      // marked below: what a type can represent
    Counted counted = Counted::Elements;
};

// A histogram with even or symmetric logarithmic values and even or logarithmic counts, and the cumulative curve over it. The mouse
// or the arrow keys read single bins; the reading is also the accessible description.
class DistributionPlot : public ImGuiWidget {
    Q_OBJECT

public:
    explicit DistributionPlot(QWidget* parent = nullptr);

    void setDistribution(std::optional<Distribution> distribution, const QString& reason = {}); // nothing to show, but the reason
    void setLogarithmicCounts(bool logarithmic);
    void setSymmetricLogarithm(bool logarithmic); // of the values
    void setCumulative(bool shown);

    int currentBin() const { return m_bin; } // -1: none
    QString sentence() const;
    QSize sizeHint() const override { return {420, 240}; }
    QSize minimumSizeHint() const override { return {240, 140}; }

protected:
    void drawPlot(ImDrawList& list, PlotWords& words) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    bool isEmpty() const { return !m_shown || m_shown->histogram.counts.empty(); }
    int binCount() const { return static_cast<int>(m_shown->histogram.counts.size()); }
    QRectF plotPixels() const;
    PlotArea area(double top) const;  // values in place(), heights up to `top`
    double place(double value) const; // on the axis
    double edge(int bin) const;       // value
    double height(double count) const;
    QString binSentence() const;
    QString wholeSentence() const;
    void setBin(int bin);
    void prepare();
    QString countTitle() const;
    void drawFooter(ImDrawList& list, PlotWords& words) const;
    void drawAxes(ImDrawList& list, PlotWords& words) const;
    void drawMarkers(ImDrawList& list, PlotWords& words) const;

    std::optional<Distribution> m_shown;
    QString m_reason;
    bool m_logCounts = false, m_symmetricLog = false, m_cumulative = false;
    std::vector<double> m_edges, m_heights; // as drawn: places, and densities along the axis
    std::vector<glm::dvec2> m_curve;        // cumulative
    double m_total = 0, m_top = 1;
    int m_bin = -1;
};

} // namespace wb::ui
