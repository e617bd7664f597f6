// SPDX-License-Identifier: MIT
#include "ui/chat/model_picker.h"

#include "ui/chat/model_list.h"
#include "ui/widgets/translate.h"

#include <QVBoxLayout>

namespace wb::ui::chat {

ModelPicker::ModelPicker(QWidget* parent) : QDialog(parent), m_list(new ModelList(this)) {
    setObjectName(QStringLiteral("modelPicker"));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_list);
    resize(720, 440);
    for (const auto leave : {&ModelList::openFileWanted, &ModelList::browseWanted}) connect(m_list, leave, this, &QDialog::hide);
    connect(m_list, &ModelList::chosen, this, &QDialog::hide);
    keepTranslated(this, [this] { setWindowTitle(tr("Choose a model to chat with")); });
}

void ModelPicker::begin() {
    m_list->begin();
    open();
}

} // namespace wb::ui::chat
