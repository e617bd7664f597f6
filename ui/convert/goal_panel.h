// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/wizard.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QRadioButton;
class QSpinBox;

namespace wb::ui::convert {

// How the types are chosen: by the name of a mix, by a size of the file, or by the memory of the machine that will run the model.
class GoalPanel : public QWidget {
    Q_OBJECT

public:
    explicit GoalPanel(Wizard& wizard, QWidget* parent = nullptr);

    void refresh();

private:
    void makeMixes();
    void makeSizes();
    void makeOptions();
    QWidget* row(const QList<QWidget*>& widgets);
    void chooseByGoal();
    void askForMatrix();
    QString sizeNote() const;

    Wizard& m_wizard;
    QRadioButton *m_byMix, *m_bySize, *m_byMemory;
    QComboBox* m_mix;
    QDoubleSpinBox *m_size, *m_memory;
    QSpinBox* m_context;
    QPushButton* m_find;
    QLabel *m_note, *m_figures;
    QLineEdit* m_matrix;
    QCheckBox *m_everyRow, *m_pure, *m_requantize, *m_keepSplit;
};

} // namespace wb::ui::convert
