// SPDX-License-Identifier: MIT
#pragma once

#include "core/diff/diff.h"
#include "ui/shell/jobs/latest_job.h"

namespace wb::ui::inspect {

// One side of a comparison.
struct ComparedSide {
    QString path;             // a file or folder of this computer; empty: not chosen yet
    ModelPtr model = nullptr; // null: opened by the comparison

    QString title() const;
};

// A comparison of two models: the job that makes it, its result, and the user's changes of the mapping, which are kept for these
// two paths between starts. The views are made again in another language; this stays.
class CompareSession : public QObject {
    Q_OBJECT

public:
    CompareSession(const Services& services, ComparedSide a, ComparedSide b, QObject* parent = nullptr);

    const ComparedSide& a() const { return m_a; }
    const ComparedSide& b() const { return m_b; }
    void setB(const ComparedSide& side); // forgets the result
    void swap();

    void start(); // the comparison, as a visible job
    void cancel();
    bool isRunning() const { return m_job.isRunning(); }
    const std::shared_ptr<const diff::Comparison>& comparison() const { return m_comparison; } // null: none yet
    const std::shared_ptr<const Error>& failure() const { return m_failure; }                  // of the last start
    bool isStale() const { return m_isStale; } // the mapping changed since the comparison

    const diff::MapFile& mapping() const { return m_map; }
    void setMapping(diff::MapFile map);
    Result<void> pairUp(const std::string& a, const std::string& b); // of the opened models; Invalid if they do not fit
    void ignore(const std::vector<std::string>& names);

    const Services& services() const { return m_services; }

signals:
    void changed();
    void progressed(quint64 done, quint64 total);

private:
    struct Compared;

    QString mapPath() const; // where the changes are kept; empty: nowhere
    void loadMapping();
    void keepMapping();
    void drop();

    const Services& m_services;
    ComparedSide m_a, m_b;
    diff::MapFile m_map;
    LatestJob m_job;
    std::shared_ptr<const diff::Comparison> m_comparison;
    std::shared_ptr<const Error> m_failure;
    bool m_isStale = false;
};

} // namespace wb::ui::inspect
