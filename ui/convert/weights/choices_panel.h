// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/weights/weights_session.h"

#include <QWidget>

#include <functional>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace wb::ui::convert {

class AdapterList;
class MergePanel;

// What is chosen for writing weights: adapters or models that are merged, types, how the files are divided and where they are;
// below what that costs.
class ChoicesPanel : public QWidget {
    Q_OBJECT

public:
    ChoicesPanel(WeightsSession& session, Wizard& wizard, QWidget* parent);

    void refresh();

private:
    void makeChoices();
    void makeTarget();
    QStringList figures() const;
    void chooseTarget();
    void change(const std::function<void(wb::convert::WeightsPlanFile&)>& apply);

    WeightsSession& m_session;
    Wizard& m_wizard;
    QComboBox *m_type, *m_shards;
    QLineEdit* m_target;
    QLabel* m_figures;
    QPushButton* m_run;
    AdapterList* m_adapters;
    MergePanel* m_merge;
};

} // namespace wb::ui::convert
