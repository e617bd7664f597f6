// SPDX-License-Identifier: MIT
#include "ui/shell/navigation_rail.h"

#include <QButtonGroup>
#include <QToolButton>
#include <QVBoxLayout>

namespace wb::ui {

NavigationRail::NavigationRail(QWidget* parent) : QFrame(parent), m_layout(new QVBoxLayout(this)), m_group(new QButtonGroup(this)) {
    setObjectName(QStringLiteral("rail"));
    m_layout->setContentsMargins(8, 12, 8, 12);
    m_layout->setSpacing(2);
    m_layout->addStretch();
    connect(m_group, &QButtonGroup::idClicked, this, &NavigationRail::chosen);
}

void NavigationRail::addPlace(const QString& title, const QIcon& icon) {
    auto* button = new QToolButton(this);
    button->setCheckable(true);
    button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    button->setIconSize({22, 22});
    button->setFixedSize(76, 54); // nine fit the lowest window
    button->setFocusPolicy(Qt::StrongFocus);
    const int index = count();
    m_group->addButton(button, index);
    m_layout->insertWidget(index, button, 0, Qt::AlignHCenter);
    setPlace(index, title, icon);
    if (index == 0) button->setChecked(true);
}

void NavigationRail::setPlace(int index, const QString& title, const QIcon& icon) {
    QAbstractButton* button = m_group->button(index);
    button->setText(title);
    button->setAccessibleName(title);
    button->setIcon(icon);
    button->setToolTip(tr("%1 (Ctrl+%2)").arg(title).arg(index + 1));
}

void NavigationRail::setCurrent(int index) {
    if (QAbstractButton* button = m_group->button(index)) button->setChecked(true);
}

int NavigationRail::current() const { return m_group->checkedId(); }

int NavigationRail::count() const { return static_cast<int>(m_group->buttons().size()); }

} // namespace wb::ui
