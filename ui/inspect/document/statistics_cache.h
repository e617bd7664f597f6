// SPDX-License-Identifier: MIT
#pragma once

#include "ui/inspect/document/document.h"

#include <QString>

namespace wb::ui::inspect {

// Results of statistics by what the model's files are (name, size, place, time of change), so that an unchanged model shows them at
// once when it is opened again. One JSON file a model; a file that does not parse counts as absent and is replaced by the next
// save. Thread-safe: it keeps nothing but the folder's name.
class StatisticsCache {
public:
    static constexpr qint64 defaultLimit = 256ll << 20;

    explicit StatisticsCache(const QString& cacheFolder, qint64 limitBytes = defaultLimit);

    std::vector<TensorResult> load(const Model& model) const;

    // Replaces the cache of this model, then removes the models saved longest ago until the folder is within its limit.
    // False where it could not be written; models that are no files are not kept.
    bool save(const stats::Contents& contents) const;

    // The location of this model's results; empty for models without identity.
    QString fileFor(const Model& model) const;

private:
    void trim() const;

    QString m_folder;
    qint64 m_limit;
};

} // namespace wb::ui::inspect
