// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/cards/runnable.h"
#include "ui/memory/rows_model.h"
#include "ui/shell/jobs/latest_job.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QTableView;

namespace wb::ui::memory {

// "What can I run?": for this computer or a card and a context length, the known models with the types that fit.
class RunnablePage : public QWidget {
    Q_OBJECT

public:
    explicit RunnablePage(const Services& services, QWidget* parent = nullptr); // the services must outlive it

    RowsModel* models() { return &m_models; }
    QString summary() const;

signals:
    void estimateWanted(const QString& name); // of a known model

protected:
    void showEvent(QShowEvent* event) override; // the first time it asks

private:
    void ask();
    void show(const std::vector<wb::memory::RunnableModel>& models);
    void estimateChosen();
    void fillDevices();
    void retranslate();

    const Services& m_services;
    LatestJob m_job;
    RowsModel m_models;
    std::vector<wb::memory::RunnableModel> m_shown;
    QComboBox* m_device;
    QSpinBox* m_context;
    QLabel *m_heading, *m_deviceLabel, *m_contextLabel, *m_summary;
    QPushButton* m_estimate;
    QTableView* m_table;
    bool m_wasAsked = false;
};

} // namespace wb::ui::memory
