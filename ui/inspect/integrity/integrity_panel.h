// SPDX-License-Identifier: MIT
#pragma once

#include "core/verify/verify.h"
#include "ui/shell/jobs/latest_job.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QPushButton;

namespace wb::ui::inspect {

class CellTableView;
class Document;

// Whether the opened model is complete and undamaged, as `wb verify` reports it. Starts on request only: checksums and hashes read
// whole files.
class IntegrityPanel : public QWidget {
    Q_OBJECT

public:
    // A model on a hub cannot be verified. The document keeps the report for the next panel.
    IntegrityPanel(Document& document, JobRunner* jobs, QWidget* parent = nullptr);

    void start(); // or cancels what runs
    bool isRunning() const { return m_job.isRunning(); }

private:
    QWidget* makeHead();
    void showReport(const verify::Report& report);
    void showState();

    Document& m_document;
    QString m_path; // empty: on a hub
    LatestJob m_job;
    QLabel *m_verdict, *m_sentence;
    QCheckBox *m_deep, *m_hashes;
    QPushButton* m_start;
    CellTableView *m_checks, *m_files;
};

} // namespace wb::ui::inspect
