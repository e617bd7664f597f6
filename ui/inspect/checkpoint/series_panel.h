// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/series_statistics.h"
#include "ui/inspect/document/document.h"
#include "ui/inspect/trend/trend.h"
#include "ui/shell/jobs/latest_job.h"

#include <QTimer>
#include <QWidget>

#include <mutex>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;

namespace wb::ui::inspect {

class CellTableView;
class TrendView;

// The checkpoints of a training run: their losses, and any statistic of the tensors that were measured in all of them, as a plot
// and a table. Shows a document with a series.
class SeriesPanel : public QWidget {
    Q_OBJECT

public:
    SeriesPanel(Document& document, const Services& services, QWidget* parent = nullptr);
    ~SeriesPanel() override;

    void setTensor(std::optional<std::uint32_t> tensor); // whose line is the first one
    void compute();                                      // the selected tensor in every checkpoint; or cancels
    void computeAll();                                   // all tensors; or cancels
    bool isComputing() const { return m_job.isRunning(); }
    void showStatistic(Column statistic);

signals:
    void tensorChosen(quint32 tensor);

private:
    // The results of the job so far; shared with its thread.
    struct Found {
        std::mutex mutex;
        std::vector<stats::CheckpointStatistics> checkpoints; // without histograms, in the order of the series
        std::vector<Problem> problems;
    };

    QWidget* makeControls();
    void start(std::set<std::string> names, std::function<QString()> title);
    void collect();
    void refresh();
    void updateButtons();
    std::optional<Column> statistic() const; // empty: the loss
    std::vector<std::uint32_t> shownTensors() const;
    std::vector<TrendLine> lines() const;
    void fillTable();
    QString hint() const;

    const std::vector<SeriesEntry>& entries() const { return *m_document.model().series; }

    Document& m_document;
    const Services& m_services;
    LatestJob m_job;
    QTimer m_refresh;
    std::optional<std::uint32_t> m_tensor;
    std::shared_ptr<Found> m_found; // of the job that runs
    // By name of the tensor: one entry per checkpoint, null while unknown.
    std::map<std::string, std::vector<std::shared_ptr<const stats::TensorStats>>> m_measured;
    std::vector<std::uint32_t> m_order; // the tensors measured, in the model's order
    std::vector<Problem> m_problems;
    QString m_failure;
    TrendAxis m_axis = TrendAxis::Checkpoint;
    std::vector<std::uint64_t> m_positions; // of the checkpoints on the axis
    QComboBox* m_statistic;
    QCheckBox* m_logarithmic;
    QLabel* m_hint;
    QPushButton *m_compute, *m_computeAll;
    TrendView* m_plot;
    CellTableView* m_table;
};

} // namespace wb::ui::inspect
