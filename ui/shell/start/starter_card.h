// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/card.h"

class QPushButton;

namespace wb::ui {

// Something real to start with: opens the starter model if it is on this computer, else leads to models to download.
class StarterCard : public Card {
    Q_OBJECT

public:
    explicit StarterCard(const QString& path, QWidget* parent = nullptr);
    void refresh(); // looks again whether the model is there

signals:
    void openWanted(const QString& path);
    void browseWanted();

private:
    QString m_path;
    QLabel* m_text;
    QPushButton* m_open;
    QPushButton* m_browse;
};

} // namespace wb::ui
