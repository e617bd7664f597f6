// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/weights/weights_plan.h"
#include "ui/shell/jobs/latest_job.h"
#include "ui/shell/services.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTableView;

namespace wb::ui::convert {

class ParentsModel;

// The result of a merge compared with the models that were merged, on request: reading all of them takes as long as merging.
class ParentsPanel : public QWidget {
    Q_OBJECT

public:
    ParentsPanel(const Services& services, QWidget* parent);

    void setPlan(const std::shared_ptr<const wb::convert::WeightsPlan>& plan); // null: nothing is shown

private:
    void compare();
    void refresh();

    const Services& m_services;
    LatestJob m_comparing;
    ParentsModel* m_model;
    QPushButton* m_compare;
    QLabel* m_state;
    QTableView* m_table;
    std::shared_ptr<const wb::convert::WeightsPlan> m_plan;
};

} // namespace wb::ui::convert
