// SPDX-License-Identifier: MIT
#pragma once

#include <QMap>
#include <QObject>
#include <QStringList>

namespace wb::ui {

// The models that are open in the window. A tab enters its own; any tab may look. GUI thread only.
class OpenModels : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    // The files and folders of this computer that the tab of this id has open from now on, in its order.
    void set(const QString& tab, const QStringList& paths);
    QStringList paths(const QString& tab) const { return m_paths.value(tab); }

signals:
    void changed();

private:
    QMap<QString, QStringList> m_paths;
};

} // namespace wb::ui
