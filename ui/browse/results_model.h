// SPDX-License-Identifier: MIT
#pragma once

#include "ui/browse/browse_session.h"

#include <QAbstractTableModel>
#include <QSet>

namespace wb::ui {
class LocalModels;
}

namespace wb::ui::browse {

// The rows of a search, in the order of its question; fetches more while it is scrolled.
class ResultsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    // Hub and task, which repeat from row to row, come last.
    enum Column { Name, Parameters, Fit, Downloads, Likes, Updated, Licence, Task, HubName, ColumnCount };

    // `local`: the models of this computer, which are marked; null: none are known.
    explicit ResultsModel(BrowseSession& session, LocalModels* local = nullptr, QObject* parent = nullptr);

    const wb::hub::ModelRow* row(int row) const; // null: none exists
    void retranslate();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;

private:
    QString text(const wb::hub::ModelRow& row, int column) const;
    static std::uint64_t neededBytes(const wb::hub::ModelRow& row);
    std::optional<wb::memory::Verdict> fitVerdict(const wb::hub::ModelRow& row) const; // empty: not known

    void showDownloaded(const LocalModels& local);
    bool isDownloaded(const wb::hub::ModelRow& row) const;

    BrowseSession& m_session;
    QSet<QString> m_downloaded; // "hf:owner/name" of models of this computer
    int m_rows = 0;             // as far as views were reported
};

// "2026-11-23T…" as a date of the user's country; what is no date as it is.
QString dateText(const std::string& iso);

} // namespace wb::ui::browse
