// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/device_ref.h"

#include <QObject>
#include <QString>

namespace wb::ui {

// The settings that matter to work, with what the user left open decided.
struct WorkChoices {
    unsigned threads = 0;    // 0: all of this computer
    DeviceRef device;        // computes statistics, heat maps, quantization; runs models unless the Chat tab chooses another
    QString cacheFolder;     // for results that can be computed again; exists; empty: nothing is cached
    std::size_t context = 0; // tokens of a new chat; 0: 8,192 or the model's own if shorter

    bool operator==(const WorkChoices&) const = default;
};

// The choices in force. They change while the program runs: a job takes its values when it starts, and what shows a value shows it
// again on changed(). GUI thread only.
class WorkSettings : public QObject {
    Q_OBJECT

public:
    explicit WorkSettings(const WorkChoices& choices = {}, QObject* parent = nullptr) : QObject(parent), m_choices(choices) {}

    unsigned threads() const { return m_choices.threads; }
    const DeviceRef& device() const { return m_choices.device; }
    std::size_t context() const { return m_choices.context; }
    const QString& cacheFolder() const { return m_choices.cacheFolder; }

    void set(const WorkChoices& choices); // by the owner

signals:
    void changed();

private:
    WorkChoices m_choices;
};

} // namespace wb::ui
