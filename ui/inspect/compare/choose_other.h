// SPDX-License-Identifier: MIT
#pragma once

#include "ui/inspect/compare/compare_session.h"

#include <QWidget>

class QListWidget;

namespace wb::ui::inspect {

// Asks for the second model of a comparison: one that is open, a file or a folder. A drop on the page chooses, too.
class ChooseOther : public QWidget {
    Q_OBJECT

public:
    using OpenSides = std::function<QList<ComparedSide>()>; // models of this computer that are open in the window

    ChooseOther(const Services& services, OpenSides openSides, QWidget* parent = nullptr);

    void refresh(const QString& own); // the list, without the model at this path

signals:
    void chosen(const wb::ui::inspect::ComparedSide& side);

private:
    void ask(bool folder);

    const Services& m_services;
    OpenSides m_openSides;
    QList<ComparedSide> m_sides;
    QListWidget* m_list;
    QWidget* m_listTitle;
};

} // namespace wb::ui::inspect
