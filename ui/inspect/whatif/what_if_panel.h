// SPDX-License-Identifier: MIT
#pragma once

#include "ui/inspect/document/document.h"
#include "ui/shell/jobs/latest_job.h"
#include "ui/inspect/tables/tensor_tables.h"
#include "ui/inspect/whatif/tensor_types.h"
#include "ui/widgets/types/type_table_view.h"
#include "core/quant/whatif/trial.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTabWidget;
class QToolButton;

namespace wb::ui::inspect {

class CellTableView;
class ErrorMapView;
class LevelsView;

// The error of the selected tensor in each type, measured in memory by the real quantizers on the device of the settings: all rows
// of a small tensor, some of a large one's until all are requested. With an importance matrix the quantizers use it, types that
// need one are tried too, and the error weighted by it is shown. Works only while it is shown; another tensor stops it.
class WhatIfPanel : public QWidget {
    Q_OBJECT

public:
    WhatIfPanel(const Document& document, const Services& services, QWidget* parent = nullptr);
    ~WhatIfPanel() override;

    void setTensor(std::optional<std::uint32_t> tensor);
    void setMatrix(const QString& path);              // a GGUF or .dat importance matrix; empty: none
    void chooseBlock(const quant::BlockPlace& place); // whose own levels are shown, as whatever type is chosen
    void chooseWorstBlock(int rank);                  // of the chosen type; 0: the worst
    void showTypicalBlock();
    const TensorTypes& types() const { return m_types; }
    bool isMeasuring() const { return m_trial.isRunning(); }

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeHead();
    QWidget* makeTable();
    QWidget* makeDetail();
    QWidget* makeWorstBlocks();
    void askForMatrix();
    void restart();
    void restartIfSeen();
    bool hasWeights() const;
    void measureNext();
    void measureAllRows();
    void stop();
    const quant::WhatIf* chosenResult() const; // null: no type is chosen, or it is not measured yet
    Dtype chosenType() const;
    void showChosen();
    void showBlock();
    quant::Trial typeTrial(Dtype type) const;
    void showResult(const quant::TrialResult& result);
    QString mapTitle(const quant::WhatIf* result) const;
    TableContent worstTable(const quant::WhatIf& result) const;
    void refresh();
    QString progressText() const;
    quint64 rowCount() const;
    bool measuredAll() const;
    QString sourceText() const;

    const Document& m_document;
    const Services& m_services;
    std::optional<std::uint32_t> m_tensor;
    std::optional<std::uint32_t> m_begun; // the tensor the table is about
    TensorTypes m_types;
    TypeTableModel* m_model;
    TypeTableView* m_table;
    ErrorMapView* m_map;
    CellTableView* m_worst;
    LevelsView* m_levels;
    QTabWidget* m_detail;
    QLabel *m_hint, *m_mapTitle;
    QPushButton *m_all, *m_chooseMatrix;
    QToolButton* m_noMatrix;
    std::vector<Dtype> m_waiting; // types to measure, next one last
    std::uint64_t m_rowStep = 1;
    quint64 m_measuredRows = 0; // by the latest result
    bool m_isComplete = false;  // every type was measured
    LatestJob m_trial;
    QString m_failure;
    QString m_device, m_remark; // who quantized, and what it had to say
    std::shared_ptr<quant::TrialEngine> m_engine;
    QString m_matrixPath, m_matrixFailure;
    quant::MatrixPtr m_matrix;
    LatestJob m_matrixJob;
    std::optional<quant::BlockPlace> m_block; // chosen
    Dtype m_blockType = Dtype::Unknown;       // as which its levels are shown or asked for
    LatestJob m_blockJob;
};

} // namespace wb::ui::inspect
