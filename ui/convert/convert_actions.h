// SPDX-License-Identifier: MIT
#pragma once

#include <QAction>
#include <QList>

namespace wb::ui::convert {

// Everything the tab can do, with its shortcut; what the step at hand has no use for is disabled. Texts follow the language of the
// window.
class ConvertActions : public QObject {
    Q_OBJECT

public:
    explicit ConvertActions(QWidget* tab);

    QAction *choose, *search, *undo, *redo, *loadPlan, *savePlan, *copyOptions, *memory, *run;
    QList<QAction*> all() const;

private:
    void retranslate();
};

} // namespace wb::ui::convert
