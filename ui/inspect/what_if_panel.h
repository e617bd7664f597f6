// SPDX-License-Identifier: MIT
#pragma once

#include "core/quant/what_if.h"
#include "ui/inspect/document.h"
#include "ui/inspect/tensor_tables.h"
#include "ui/shell/services.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTableView;

namespace wb::ui::inspect {

class CellTableView;
class ErrorMapView;
class WhatIfModel;

// What the chosen tensor would lose as each type, measured in memory by the real quantizers: every sixteenth row at once, all rows when
// asked. Works only while it is seen; another tensor stops it.
class WhatIfPanel : public QWidget {
    Q_OBJECT

public:
    WhatIfPanel(const Document& document, const Services& services, QWidget* parent = nullptr);
    ~WhatIfPanel() override;

    void setTensor(std::optional<std::uint32_t> tensor);
    WhatIfModel* results() const { return m_model; }
    bool isMeasuring() const { return m_job != nullptr; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeTable();
    QWidget* makeDetail();
    void restart();
    int rowOf(int type) const; // in the table as it is sorted
    void measureNext();
    void measureAllRows();
    void stop();
    void showChosen();
    TableContent worstTable(const quant::WhatIf& result) const;
    void refresh();

    const Document& m_document;
    const Services& m_services;
    std::optional<std::uint32_t> m_tensor;
    std::optional<std::uint32_t> m_begun; // the tensor the table is about
    WhatIfModel* m_model;
    QTableView* m_table;
    ErrorMapView* m_map;
    CellTableView* m_worst;
    QLabel *m_hint, *m_mapTitle;
    QPushButton* m_all;
    std::vector<Dtype> m_waiting; // types to measure, next one last
    std::uint64_t m_rowStep = 16;
    quint64 m_serial = 0;
    std::shared_ptr<JobHandle> m_job;
    QString m_failure;
};

} // namespace wb::ui::inspect
