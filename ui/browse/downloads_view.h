// SPDX-License-Identifier: MIT
#pragma once

#include "ui/browse/downloads.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QTreeView;

namespace wb::ui::browse {

class DownloadsModel;

// The list of downloads with what can be done to the chosen one, and with the speed and the hours of all.
class DownloadsView : public QWidget {
    Q_OBJECT

public:
    explicit DownloadsView(Downloads& downloads, QWidget* parent = nullptr);

    QTreeView* list() { return m_list; }
    // Asks before the received bytes go; `id` is empty for one that is not in the queue.
    void askToRemove(const wb::hub::DownloadRequest& request, std::optional<quint64> id);
    QList<QAction*> commands() const { return {m_goOn, m_pause, m_earlier, m_later, m_page, m_remove, m_pauseAll, m_clear}; }

signals:
    void pageWanted(const wb::hub::Repository& repository); // to look at it, or to accept its terms

protected:
    void showEvent(QShowEvent* event) override;

private:
    void makeActions();
    QWidget* makeBar();
    void makeList();
    QComboBox* addBox(const char* name);
    Downloads::Row chosen() const;
    void withChosen(const std::function<void(quint64 id)>& use);
    void move(int places);
    void goOn();
    void remove();
    void limitChosen(int choice);
    void refresh();
    void retranslate();

    Downloads& m_downloads;
    DownloadsModel* m_model;
    QTreeView* m_list;
    QLabel* m_empty;
    QLabel* m_state; // of the chosen one, where it is a sentence
    QAction *m_goOn = nullptr, *m_pause = nullptr, *m_earlier = nullptr, *m_later = nullptr, *m_page = nullptr, *m_remove = nullptr,
            *m_pauseAll = nullptr, *m_clear = nullptr;
    QComboBox *m_speed = nullptr, *m_hours = nullptr, *m_own = nullptr;
};

} // namespace wb::ui::browse
