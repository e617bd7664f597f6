// SPDX-License-Identifier: MIT
#pragma once

#include "core/diff/detail.h"
#include "ui/shell/jobs/latest_job.h"

#include <QWidget>

class QLabel;

namespace wb::ui::inspect {

class CellTableView;
class DifferenceMap;
class HistogramView;

// One pair of a comparison: difference map, histogram of the differences and all measures. Reads the pair when it is chosen; the
// choice after it cancels that.
class DifferenceView : public QWidget {
    Q_OBJECT

public:
    explicit DifferenceView(JobRunner* jobs, QWidget* parent = nullptr);

    void setPair(std::shared_ptr<const diff::Comparison> comparison, std::optional<std::size_t> pair);
    const std::shared_ptr<const diff::Detail>& detail() const { return m_detail; } // null: not read yet
    bool isReading() const { return m_job.isRunning(); }

private:
    void showDetail(std::shared_ptr<const diff::Detail> detail);

    LatestJob m_job;
    std::shared_ptr<const diff::Comparison> m_comparison;
    std::optional<std::size_t> m_pair;
    std::shared_ptr<const diff::Detail> m_detail;
    QLabel* m_title;
    DifferenceMap* m_map;
    HistogramView* m_histogram;
    CellTableView *m_measures, *m_bins;
};

} // namespace wb::ui::inspect
