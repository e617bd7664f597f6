// SPDX-License-Identifier: MIT
#pragma once

#include <QAction>
#include <QList>

namespace wb::ui::inspect {

// Everything the tab can do with the model in front, with its shortcut. Texts follow the language of the window.
class InspectActions : public QObject {
    Q_OBJECT

public:
    explicit InspectActions(QWidget* tab);

    QAction *search, *searchMetadata, *tree, *compute, *exportList, *reload, *trend, *problems, *compare, *quantize, *talk, *memory,
        *close, *guide;
    QList<QAction*> all() const;

private:
    void retranslate();
};

} // namespace wb::ui::inspect
