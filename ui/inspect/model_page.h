// SPDX-License-Identifier: MIT
#pragma once

#include "ui/inspect/export.h"
#include "ui/inspect/statistics_runner.h"

#include <QJsonObject>
#include <QWidget>

class QSplitter;
class QTabWidget;

namespace wb::ui::inspect {

class MessageBar;
class MetadataPanel;
class NumbersPanel;
class TensorPanel;
class TrendPanel;
class WhatIfPanel;

// One open model: header, metadata with totals and problems on the left, the tensors and what is known of the chosen one on the
// right. It only shows: model and statistics belong to `document` and `runner`, so a page can be made anew in another language.
class ModelPage : public QWidget {
    Q_OBJECT

public:
    enum class Side { Metadata, Totals, Problems };
    enum class Detail { Tensor, Trend, WhatIf };

    ModelPage(Document& document, StatisticsRunner& runner, const Services& services, QWidget* parent = nullptr);

    TensorPanel* tensors() const { return m_tensors; }
    MetadataPanel* metadata() const { return m_metadata; }
    void showSide(Side side);
    void showDetail(Detail detail);

    void computeAll();
    void toggleComputing();
    void checkFiles(); // in the background; a change shows the bar with "Reload"
    void askForExport();
    void exportTo(const QString& path, ExportFormat format);

    QJsonObject save() const;
    void restore(const QJsonObject& state);

signals:
    void reloadWanted();
    void message(const QString& text, bool isError);

private:
    QWidget* makeSides();
    QWidget* makeDetails();
    QWidget* makeTrend(QWidget* parent);
    QWidget* makeWhatIf(QWidget* parent);
    void connectRunner();
    void showTensor();
    void showChanged(const Error& error);

    Document& m_document;
    StatisticsRunner& m_runner;
    const Services& m_services;
    MessageBar* m_bar;
    QSplitter *m_columns, *m_rows;
    QTabWidget *m_sides, *m_details;
    MetadataPanel* m_metadata;
    TensorPanel* m_tensors;
    NumbersPanel* m_numbers;
    TrendPanel* m_trend = nullptr; // made when first seen
    WhatIfPanel* m_whatIf = nullptr; // the same
    QJsonObject m_trendState;      // until then
};

} // namespace wb::ui::inspect
