// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/start/recent_files.h"
#include "ui/widgets/card.h"

class QListView;

namespace wb::ui {

class RecentModel;

// The recent files of the start page. Enter or a click opens one, Delete takes it off the list.
class RecentCard : public Card {
    Q_OBJECT

public:
    explicit RecentCard(QWidget* parent = nullptr);
    void setFiles(const QList<RecentFile>& files);

signals:
    void openWanted(const QString& path);
    void forgetWanted(const QString& path);

private:
    QString currentPath() const;
    void showMenu(const QPoint& position);

    RecentModel* m_model;
    QListView* m_list;
    QLabel* m_empty;
};

} // namespace wb::ui
