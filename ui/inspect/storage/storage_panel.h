// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/peft/peft.h"
#include "ui/inspect/document/document.h"
#include "ui/shell/jobs/latest_job.h"

#include <QWidget>

class QLabel;
class QSplitter;

namespace wb::ui::inspect {

class CellTableView;

// How the chosen tensor is stored: its place, the parts that a logical weight is made of, other names of the same bytes, what the
// reader noted. Of a low-rank adapter's weight also its norm and singular values, which a job computes while the panel is shown.
class StoragePanel : public QWidget {
    Q_OBJECT

public:
    StoragePanel(const Document& document, const Services& services, QWidget* parent = nullptr);

    void setTensor(std::optional<std::uint32_t> tensor);

signals:
    void tensorChosen(std::uint32_t tensor); // a part or an alias

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void request();
    void showSpectrum(const peft::Spectrum& spectrum);
    bool isAdapter() const;

    const Document& m_document;
    std::optional<std::uint32_t> m_tensor;
    bool m_isStale = false;
    LatestJob m_job;
    QLabel* m_hint;
    QSplitter* m_columns;
    CellTableView *m_facts, *m_parts, *m_spectrum;
    QWidget* m_spectrumColumn;
    QLabel* m_spectrumTitle;
};

} // namespace wb::ui::inspect
