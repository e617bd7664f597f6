// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/source/merge_choices.h"
#include "ui/convert/number_list.h"

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLayout;
class QLineEdit;
class QPlainTextEdit;
class QSpinBox;

namespace wb::ui::convert {

// How several models are merged: the other models with their weights, the method, and the numbers that this method has.
class MergePanel : public QWidget {
    Q_OBJECT

public:
    explicit MergePanel(QWidget* parent = nullptr);

    // As they are shown from now on. `base`: the model that the others are merged with.
    void setChoices(const wb::convert::MergeChoices& choices, const QString& base);

    // What must be entered or corrected first, in one sentence; empty: nothing. Numbers are the planner's to check.
    QString missing() const;

signals:
    void choicesWanted(const wb::convert::MergeChoices& choices); // what the user chose
    void openWanted();                                            // a recipe of mergekit
    void saveWanted();

private:
    QLayout* makeRecipe();
    void makeMethod();
    void makeNumbers();
    void makeTexts();
    QDoubleSpinBox* addNumber(const char* name, const QString& label, const QString& tip, double least, double most,
                              double wb::merge::MergeSettings::* field);
    void setModels(const NumberList::Entries& entries);
    void setMethod(wb::merge::MergeMethod method);
    void readRules();
    void readLayers();
    void change(const std::function<void(wb::convert::MergeChoices&)>& apply);
    void showRow(QWidget* field, bool shown);
    void refreshTokenizers();

    wb::convert::MergeChoices m_choices;
    QString m_base;
    QString m_invalid; // of the rules or layers that are entered
    NumberList* m_models;
    QFormLayout* m_form;
    QComboBox *m_method, *m_tokenizer;
    QDoubleSpinBox *m_baseWeight, *m_t, *m_density, *m_lambda;
    QSpinBox* m_seed;
    QLineEdit* m_layers;
    QPlainTextEdit* m_rules;
};

} // namespace wb::ui::convert
