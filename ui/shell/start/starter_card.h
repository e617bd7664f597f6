// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/card.h"

class QPushButton;

namespace wb::ui {

// Something real to start with: opens the starter model, or explains how to get it.
class StarterCard : public Card {
    Q_OBJECT

public:
    explicit StarterCard(const QString& path, QWidget* parent = nullptr);
    void refresh(); // looks again whether the model is there

signals:
    void openWanted(const QString& path);

private:
    QString m_path;
    QLabel* m_text;
    QLabel* m_command;
    QPushButton* m_open;
};

} // namespace wb::ui
