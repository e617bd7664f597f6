// SPDX-License-Identifier: MIT
#pragma once

#include <QFrame>

class QLabel;
class QToolButton;
class QTreeView;

namespace wb::ui {

class Job;
class JobsModel;

// The strip at the bottom of the window: every long job with its figures, and pause and cancel for the chosen one.
class JobsTray : public QFrame {
    Q_OBJECT

public:
    explicit JobsTray(JobsModel* model, QWidget* parent = nullptr);

signals:
    void closeWanted();

protected:
    void changeEvent(QEvent* event) override;

private:
    QToolButton* addButton(const QString& iconName);
    std::shared_ptr<Job> chosen() const;
    void pauseOrResume();
    void updateButtons();
    void retranslate();

    JobsModel* m_model;
    QLabel* m_heading;
    QTreeView* m_view;
    QToolButton* m_pause = nullptr;
    QToolButton* m_cancel = nullptr;
    QToolButton* m_clear = nullptr;
    QToolButton* m_close = nullptr;
};

} // namespace wb::ui
