// SPDX-License-Identifier: MIT
#pragma once

#include <QLabel>

namespace wb::ui {

// One line of plain text, such as a name or a path, that never widens its window: it is elided in the middle, since names differ at
// their ends. `text` stays whole.
class ElidedLabel : public QLabel {
    Q_OBJECT

public:
    explicit ElidedLabel(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace wb::ui
