// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/unfinished.h"

#include <QFrame>

class QLabel;

namespace wb::ui::convert {

// The saved progress of a canceled run, and the two ways from there.
class KeptBar : public QFrame {
    Q_OBJECT

public:
    explicit KeptBar(QWidget* parent = nullptr);

    void showKept(const UnfinishedRun* kept); // null: there is nothing

signals:
    void resumeWanted();
    void discardWanted();

private:
    QLabel* m_text;
};

} // namespace wb::ui::convert
