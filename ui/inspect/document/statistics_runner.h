// SPDX-License-Identifier: MIT
#pragma once

#include "ui/inspect/document/document.h"
#include "ui/inspect/document/statistics_cache.h"
#include "ui/shell/jobs/latest_job.h"

#include <QTimer>

namespace wb::ui::inspect {

// Brings statistics into one document: of the tensor the user looks at (the latest request wins), of the whole model as a job in
// the Jobs page, and from the cache of earlier sessions. GUI thread only; everything stops when it is destroyed.
class StatisticsRunner : public QObject {
    Q_OBJECT

public:
    StatisticsRunner(Document& document, const Services& services, QObject* parent = nullptr);
    ~StatisticsRunner() override;

    // Brings what an earlier session computed, if the files are the same.
    void loadCache();

    // Computes one tensor unless everything about it is computed, and drops the request before it.
    void request(std::uint32_t tensor);
    std::optional<std::uint32_t> requested() const { return m_requested; } // while it is being computed

    // Computes the missing statistics, in the order of the bytes on disk. Canceling keeps the finished ones.
    void computeAll();
    void cancelAll();
    bool isComputingAll() const { return m_all != nullptr; }

signals:
    void tensorFailed(std::uint32_t tensor, const wb::Error& error);
    void activityChanged();                   // requested() or isComputingAll()
    void modelFailed(const wb::Error& error); // the whole-model job
    void changedOnDisk(const wb::Error& error);

private:
    struct Mailbox;

    void finishOne(const TensorResult& result, const std::optional<Error>& error = {});
    void deliver(const TensorResult& result);
    void collect();
    void finishAll(const Result<void>& result);
    void fail(const Error& error, std::optional<std::uint32_t> tensor);
    stats::Contents undamagedContents() const;
    void saveCache();

    Document& m_document;
    const Services& m_services;
    StatisticsCache m_cache;
    LatestJob m_one;
    std::optional<std::uint32_t> m_requested;
    std::shared_ptr<JobHandle> m_all;
    std::shared_ptr<Mailbox> m_mailbox;
    QTimer m_collector;
    bool m_unsaved = false; // some results are not in the cache
};

} // namespace wb::ui::inspect
