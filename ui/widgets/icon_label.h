// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

namespace wb::ui {

// Shows one icon, drawn at paint time so that it follows the theme; a QLabel would keep the old theme's picture. Decoration only:
// it has no accessible content.
class IconLabel : public QWidget {
    Q_OBJECT

public:
    IconLabel(const QString& iconName, int side, QWidget* parent);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_name;
};

} // namespace wb::ui
