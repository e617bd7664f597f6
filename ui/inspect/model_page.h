// SPDX-License-Identifier: MIT
#pragma once

#include "ui/inspect/map/comparison_choice.h"
#include "ui/inspect/tensors/export.h"
#include "ui/inspect/document/statistics_runner.h"
#include "ui/shell/jobs/latest_job.h"

#include <QJsonObject>
#include <QWidget>

#include <set>

class QLabel;
class QSplitter;
class QTabWidget;
class QToolButton;

namespace wb::ui {
class MessageBar;
} // namespace wb::ui

namespace wb::ui::inspect {

class CheckpointPanel;
class DistributionPanel;
class HeaderCard;
class HeatMapPanel;
class MetadataPanel;
class NumbersPanel;
class SpectrumPanel;
class StoragePanel;
class TensorPanel;
class TrendPanel;
class WhatIfPanel;

// One open model: header, metadata with totals and problems on the left, the tensors and the panels of the selected one on the
// right. It only shows: model and statistics belong to `document` and `runner`, so a page can be made again in another language.
class ModelPage : public QWidget {
    Q_OBJECT

public:
    enum class Side { Metadata, Totals, Problems, Safety }; // Safety: once it is determined
    enum class Detail {
        Tensor,
        Map,
        Distribution,
        Trend,
        Model,
        WhatIf,
        Spectrum,
        Storage,
        Integrity,
        Checkpoint
    }; // Checkpoint: of models that are one

    ModelPage(Document& document, StatisticsRunner& runner, const Services& services, QWidget* parent = nullptr);

    TensorPanel* tensors() const { return m_tensors; }
    MetadataPanel* metadata() const { return m_metadata; }
    void showSide(Side side);
    void showDetail(Detail detail);
    HeatMapPanel* heatMapPanel();                                                  // makes it where it was never seen
    void setOtherModels(OtherModels models) { m_otherModels = std::move(models); } // to compare tensors with
    void checkRun(); // on the devices of the services, in the background; the header says whether the model runs here
    void enlargeDetail(bool enlarged); // to the whole page

    void computeAll();
    void toggleComputing();
    void checkFiles(); // in the background; a change shows the bar with "Reload"
    void askForExport();
    void exportTo(const QString& path, ExportFormat format);
    void askForValues(const std::vector<std::uint32_t>& tensors);
    // Their values, in the form that the ending of the path says (core/formats/value_export.h).
    void exportValues(const std::vector<std::uint32_t>& tensors, const QString& path);

    QJsonObject save() const;
    void restore(const QJsonObject& state);

signals:
    void reloadWanted();
    void message(const QString& text, bool isError);
    void quantizeWanted();
    void compareWanted();
    void memoryWanted();

private:
    QWidget* makeSides();
    QWidget* makeDetails();
    QWidget* makeTrend(QWidget* parent);
    void offerPictures(QWidget* panel); // of its plots
    QWidget* makeWhatIf(QWidget* parent);
    QWidget* makeHeatMap(QWidget* parent);
    QWidget* makeDistribution(QWidget* parent);
    QWidget* makeModelMap(QWidget* parent);
    QWidget* makeSpectrum(QWidget* parent);
    QWidget* makeStorage(QWidget* parent);
    QWidget* makeIntegrity(QWidget* parent);
    QWidget* makeCheckpoint(QWidget* parent);
    QToolButton* makeEnlarge();
    void connectRunner();
    void scan();
    void showProblemCount();
    void showTensor();
    bool mayRead(std::uint32_t tensor) const;
    std::optional<std::uint32_t> readableTensor() const; // the current one, unless its bytes are on a hub and were not asked for
    void askToFetch(std::optional<std::uint32_t> tensor);
    void fetch();
    void showChanged(const Error& error);

    Document& m_document;
    StatisticsRunner& m_runner;
    const Services& m_services;
    LatestJob m_scan, m_checking;
    HeaderCard* m_header;
    MessageBar* m_bar;
    MessageBar* m_fetchBar;                 // asks before bytes come from a hub
    std::set<std::uint32_t> m_fetchable;    // tensors that may come
    bool m_isAllFetchable = false;          // all may
    std::optional<std::uint32_t> m_toFetch; // what the bar asks for; empty: all
    QSplitter *m_columns, *m_rows;
    QTabWidget *m_sides, *m_details;
    MetadataPanel* m_metadata;
    TensorPanel* m_tensors;
    NumbersPanel* m_numbers;
    QWidget *m_sideCard, *m_listCard;
    QLabel* m_shownTensor = nullptr; // its name, where the whole page shows one tensor
    QToolButton* m_enlarge;
    TrendPanel* m_trend = nullptr; // created when first shown, like the members below
    WhatIfPanel* m_whatIf = nullptr;
    QJsonObject m_trendState; // until then
    HeatMapPanel* m_view = nullptr;
    QJsonObject m_viewState;
    OtherModels m_otherModels;
    DistributionPanel* m_distribution = nullptr;
    SpectrumPanel* m_spectrum = nullptr;
    StoragePanel* m_storage = nullptr;
    CheckpointPanel* m_checkpoint = nullptr;
};

} // namespace wb::ui::inspect
