// SPDX-License-Identifier: MIT
#pragma once

#include <QFrame>
#include <QIcon>

class QButtonGroup;
class QToolButton;
class QVBoxLayout;

namespace wb::ui {

// The column of places at the left edge: an icon over a label each. Exactly one place is chosen once there is one.
class NavigationRail : public QFrame {
    Q_OBJECT

public:
    explicit NavigationRail(QWidget* parent = nullptr);

    void addPlace(const QString& title, const QIcon& icon);
    void setPlace(int index, const QString& title, const QIcon& icon);
    void setCurrent(int index);
    int current() const;
    int count() const;

signals:
    void chosen(int index); // by the user

private:
    QVBoxLayout* m_layout;
    QButtonGroup* m_group;
};

} // namespace wb::ui
