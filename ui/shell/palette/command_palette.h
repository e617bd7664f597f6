// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/palette/command_model.h"

#include <QFrame>

class QLabel;
class QLineEdit;
class QListView;

namespace wb::ui {

// The field that finds anything (Ctrl+K): it is over the upper part of the window. The keyboard stays in the field; the arrow
// keys choose a line, Enter runs it, Escape or a click elsewhere closes.
class CommandPalette : public QFrame {
    Q_OBJECT

public:
    // `commands` gives everything on offer for a text; it is called at every change of the text.
    CommandPalette(std::function<QList<Command>(const QString& text)> commands, QWidget* window);

    void open();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void find(const QString& text);
    void step(int steps);
    void run();
    void place();
    void announce();

    std::function<QList<Command>(const QString&)> m_commands;
    CommandModel* m_model;
    QLineEdit* m_field;
    QListView* m_list;
    QLabel* m_nothing;
};

} // namespace wb::ui
