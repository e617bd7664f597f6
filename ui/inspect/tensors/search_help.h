// SPDX-License-Identifier: MIT
#pragma once

#include <QFrame>

namespace wb::ui::inspect {

// The card that explains the search language: its fields, and examples that can be taken over with a click.
class SearchHelp : public QFrame {
    Q_OBJECT

public:
    explicit SearchHelp(QWidget* parent = nullptr);

    // Opens below `anchor`, inside the screen.
    void showBelow(const QWidget* anchor);

signals:
    void exampleChosen(const QString& query);
};

} // namespace wb::ui::inspect
