// SPDX-License-Identifier: MIT
#pragma once

#include "ui/inspect/document/document.h"
#include "ui/shell/jobs/latest_job.h"
#include "ui/plots/distribution_plot.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QStackedWidget;

namespace wb::ui::inspect {

class CellTableView;
class HistogramView;

// How the values of the chosen tensor are distributed, and of block types how its scales, minimums and codes are: as a plot and as
// tables. A hidden panel asks for nothing.
class DistributionPanel : public QWidget {
    Q_OBJECT

public:
    DistributionPanel(const Document& document, const Services& services, QWidget* parent = nullptr);

    void setTensor(std::optional<std::uint32_t> tensor);
    DistributionPlot* plot() const { return m_plot; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    enum class Subject { Values, Scales, Minimums, Codes };

    QWidget* makeControls();
    QWidget* makeTables();
    void request();
    void showFacts(const stats::DistributionFacts& facts);
    void fillSubjects();
    void refresh();
    void showNothing(const QString& why);
    void showAvailability();
    std::optional<Distribution> distribution(Subject subject) const;
    std::vector<double> levels() const;

    const Document& m_document;
    const Services& m_services;
    std::optional<std::uint32_t> m_tensor;
    bool m_isStale = false;
    stats::DistributionFacts m_facts;
    QString m_why; // nothing is shown; empty where something is
    LatestJob m_job;
    QStackedWidget* m_stack; // the plot, or the plain histogram where no device can draw it
    DistributionPlot* m_plot;
    HistogramView* m_histogram;
    QLabel* m_reason;
    QComboBox* m_subject;
    QCheckBox *m_logCounts, *m_logValues, *m_cumulative;
    CellTableView *m_codeFacts, *m_codes, *m_bins;
};

} // namespace wb::ui::inspect
