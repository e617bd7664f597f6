// SPDX-License-Identifier: MIT
#pragma once

#include <QComboBox>

namespace wb::ui::convert {

// A list that opens as soon as it is shown, where keys only look for an entry: nothing is chosen before Enter or a click. A closed
// QComboBox chooses with every key.
class TypeBox : public QComboBox {
    Q_OBJECT

public:
    explicit TypeBox(QWidget* parent);

    bool isChosen() const { return m_chosen; } // by the user

    void showPopup() override;
    void hidePopup() override;

signals:
    void ended(); // once, with or without a choice

protected:
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void open();
    void end();

    bool m_chosen = false;
    bool m_ended = false;
};

} // namespace wb::ui::convert
