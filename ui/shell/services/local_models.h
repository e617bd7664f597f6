// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/graph/run_check.h"
#include "core/library/listing.h"

#include <QList>
#include <QObject>
#include <QString>

#include <optional>

namespace wb::ui {

// A model of the library, as other tabs offer it.
struct LocalModel {
    wb::library::Entry entry;
    std::optional<wb::infer::RunCheck> check; // whether it runs here; empty: not known yet
};

// The models of this computer, which the Library tab lists; any tab may look. GUI thread only.
class LocalModels : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    void set(QList<LocalModel> models); // by the owner
    bool isKnown() const { return m_isKnown; }
    const QList<LocalModel>& models() const { return m_models; } // by name; empty until they are known

    // Has them listed if they are not; changed() follows.
    void request() {
        if (!m_isKnown) emit requested();
    }

signals:
    void changed();
    void requested(); // for the owner

private:
    QList<LocalModel> m_models;
    bool m_isKnown = false;
};

} // namespace wb::ui
