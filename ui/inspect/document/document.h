// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/contents/model_statistics.h"

#include <QObject>
#include <QString>

#include <set>
#include <span>

namespace wb::verify {
struct Report;
}

namespace wb::ui::inspect {

using stats::TensorResult;

// One open model as the views see it: its contents, and a signal when statistics arrive. GUI thread only.
class Document : public QObject {
    Q_OBJECT

public:
    // `path` is what the user opened; empty: what the model says.
    explicit Document(stats::Contents contents, const QString& path = {}, QObject* parent = nullptr);

    const stats::Contents& contents() const { return m_contents; }
    const Model& model() const { return *m_contents.model; }
    QString path() const { return m_path; }
    QString title() const; // the last component of the path

    // Code that loading it elsewhere would run: as its reader says, or as a scan found since. Null: not known yet.
    const std::shared_ptr<const Danger>& danger() const { return m_danger ? m_danger : m_contents.model->danger; }
    void setDanger(std::shared_ptr<const Danger> danger);
    bool isScanned() const { return m_danger != nullptr; } // whether danger() is of a scan, which finds more than a reader

    // The report of the last time its files were verified. Null: not yet.
    const std::shared_ptr<const verify::Report>& integrity() const { return m_integrity; }
    void setIntegrity(std::shared_ptr<const verify::Report> report) { m_integrity = std::move(report); }

    // Whether the bytes of a tensor differ from their checksum.
    bool isDamaged(std::uint32_t tensor) const { return m_damaged.contains(tensor); }

    std::uint32_t computedCount() const { return m_computed; } // tensors with statistics
    void addStatistics(std::span<const TensorResult> results);

    // Results of the views for one tensor, from one reading. That of the tensor asked for last is kept.
    std::shared_ptr<stats::TensorPass> pass(std::uint32_t tensor) const;
    // The problems of the files and those that statistics found in the values, gravest first.
    const std::vector<Problem>& problems() const { return m_problems; }

    // Position of each tensor in the natural order of names (blk.2 before blk.10); found at the first call.
    const std::vector<std::uint32_t>& nameRanks() const;

signals:
    void statisticsChanged();
    void dangerChanged();
    void problemsChanged();

private:
    bool addProblems(const TensorResult& result);

    stats::Contents m_contents;
    QString m_path;
    std::shared_ptr<const Danger> m_danger;
    std::shared_ptr<const verify::Report> m_integrity;
    std::uint32_t m_computed = 0;
    std::vector<Problem> m_problems;
    std::set<std::uint32_t> m_withProblems; // tensors whose values have some
    std::set<std::uint32_t> m_damaged;
    mutable std::vector<std::uint32_t> m_nameRanks;
    mutable std::shared_ptr<stats::TensorPass> m_pass;
};

} // namespace wb::ui::inspect
