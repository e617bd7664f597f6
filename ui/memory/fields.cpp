// SPDX-License-Identifier: MIT
#include "ui/memory/fields.h"

#include "ui/widgets/wheel.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QSpinBox>

namespace wb::ui::memory {

QSpinBox* makeSpin(QWidget* parent, const char* name, int least, int most, int step) {
    auto* spin = new QSpinBox(parent);
    spin->setObjectName(QString::fromLatin1(name));
    spin->setRange(least, most);
    spin->setSingleStep(step);
    spin->setGroupSeparatorShown(true);
    spin->setKeyboardTracking(false);
    needFocusForWheel(spin);
    return spin;
}

QComboBox* makeBox(QWidget* parent, const char* name) {
    auto* box = new QComboBox(parent);
    box->setObjectName(QString::fromLatin1(name));
    needFocusForWheel(box);
    return box;
}

QFormLayout* makeForm(QWidget* parent) {
    auto* form = new QFormLayout(parent);
    form->setContentsMargins(0, 0, 0, 0);
    form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    return form;
}

void setLabel(QFormLayout* form, QWidget* field, const QString& text) {
    static_cast<QLabel*>(form->labelForField(field))->setText(text);
    field->setAccessibleName(text);
}

} // namespace wb::ui::memory
