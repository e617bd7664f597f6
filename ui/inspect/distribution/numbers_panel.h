// SPDX-License-Identifier: MIT
#pragma once

#include "ui/inspect/document/document.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QStackedWidget;
class QTabWidget;

namespace wb::ui::inspect {

class CellTableView;
class HistogramView;

// The chosen tensor: its numbers, its histogram, percentiles and largest elements.
class NumbersPanel : public QWidget {
    Q_OBJECT

public:
    explicit NumbersPanel(const Document& document, QWidget* parent = nullptr);

    void setTensor(std::optional<std::uint32_t> tensor);
    void setBusy(bool busy);                 // its statistics are being computed
    void showFailure(const QString& reason); // they could not be

    bool isLogarithmic() const;
    void setLogarithmic(bool logarithmic);

private:
    void makeColumns(); // when there are numbers for the first time
    QWidget* makeLists();
    void refresh();
    void showHint();

    const Document& m_document;
    std::optional<std::uint32_t> m_tensor;
    stats::StatsPtr m_shown;
    bool m_isBusy = false;
    QString m_failure;
    QLabel* m_title;
    QLabel* m_hint;
    QStackedWidget* m_stack;
    QCheckBox* m_logarithmic;
    CellTableView* m_scalars = nullptr;
    HistogramView* m_histogram = nullptr;
    CellTableView *m_percentiles = nullptr, *m_top = nullptr, *m_bins = nullptr;
};

} // namespace wb::ui::inspect
