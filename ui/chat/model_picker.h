// SPDX-License-Identifier: MIT
#pragma once

#include <QDialog>

namespace wb::ui::chat {

class ModelList;

// The list of models over the window, for changing the model in the middle of a chat. Escape leaves everything as it is.
class ModelPicker : public QDialog {
    Q_OBJECT

public:
    explicit ModelPicker(QWidget* parent = nullptr);

    ModelList* list() const { return m_list; }
    void begin(); // shows it

private:
    ModelList* m_list;
};

} // namespace wb::ui::chat
