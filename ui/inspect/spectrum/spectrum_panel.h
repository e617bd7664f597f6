// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/spectral/spectrum.h"
#include "ui/inspect/document/document.h"
#include "ui/shell/jobs/latest_job.h"

#include <QTimer>
#include <QWidget>

#include <mutex>

class QLabel;
class QPushButton;
class QTabWidget;

namespace wb::ui::inspect {

class CellTableView;
class SpectrumPlot;

// Singular values of the selected matrix with norms, ranks and the power-law fit, and the same measures of all matrices of the
// model by the randomized method. Small matrices are measured when they are selected, large ones on request.
class SpectrumPanel : public QWidget {
    Q_OBJECT

public:
    SpectrumPanel(Document& document, const Services& services, QWidget* parent = nullptr);
    ~SpectrumPanel() override;

    void setTensor(std::optional<std::uint32_t> tensor);
    void compute();                                                                       // of the selected tensor, or cancels
    void computeAll();                                                                    // or cancels
    const std::shared_ptr<const stats::Spectrum>& spectrum() const { return m_spectrum; } // null: none yet
    bool isComputingAll() const { return m_all.isRunning(); }
    void showAll(); // the table of all matrices

signals:
    void tensorChosen(std::uint32_t tensor);

protected:
    void showEvent(QShowEvent* event) override;

private:
    // The results of the job for all matrices so far; shared with its thread.
    struct Found {
        std::mutex mutex;
        std::vector<std::pair<std::uint32_t, stats::Spectrum>> spectra; // without the values
        std::vector<std::pair<std::uint32_t, Error>> failures;
    };

    void request();
    void showSpectrum(std::shared_ptr<const stats::Spectrum> spectrum);
    void showFound();
    void updateButtons();
    bool isMatrix() const;

    Document& m_document;
    const Services& m_services;
    LatestJob m_job, m_all;
    QTimer m_refresh;
    std::optional<std::uint32_t> m_tensor;
    bool m_isStale = false;
    std::shared_ptr<const stats::Spectrum> m_spectrum;
    std::shared_ptr<Found> m_found;
    QLabel* m_hint;
    QPushButton *m_compute, *m_computeAll;
    SpectrumPlot* m_plot;
    QTabWidget* m_tables;
    CellTableView *m_measures, *m_values, *m_matrices;
};

} // namespace wb::ui::inspect
