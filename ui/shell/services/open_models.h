// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

#include <QList>
#include <QMap>
#include <QObject>
#include <QStringList>

#include <filesystem>

namespace wb::ui {

// A model that a tab has open.
struct ModelInUse {
    QString path;   // a file or folder of this computer
    ModelPtr model; // knows all its files; may be null

    bool operator==(const ModelInUse&) const = default;
};

// Refuses an output that would replace a file of a model that is open in the window, under whatever name. Whatever saves a file in
// the window asks it first. A value, for the job that writes.
class OutputGuard {
public:
    explicit OutputGuard(QList<ModelInUse> models) : m_models(std::move(models)) {}

    // Invalid, io::outputIsInput. Looks at the disk. An output that does not exist yet is accepted.
    Result<void> check(const std::filesystem::path& output) const;

private:
    QList<ModelInUse> m_models;
};

// The models that are open in the window. A tab enters its own; any tab may look. GUI thread only.
class OpenModels : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    // The models that the tab of this id has open from now on, in its order.
    void set(const QString& tab, const QList<ModelInUse>& models);
    QStringList paths(const QString& tab) const;
    OutputGuard guard() const; // of the models of all tabs, as they are now

signals:
    void changed();

private:
    QMap<QString, QList<ModelInUse>> m_models;
};

} // namespace wb::ui
