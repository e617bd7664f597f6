// SPDX-License-Identifier: MIT
#pragma once

#include "ui/memory/memory_session.h"
#include "ui/memory/report.h"
#include "ui/shell/tab.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QStackedWidget;
class QToolButton;

namespace wb::ui {

class MessageBar;

namespace memory {
class MemoryView;
class RunnablePage;
class TrainingPanel;
} // namespace memory

// The memory of a model: typed in as a size or dropped as a file.
class MemoryTab : public Tab {
    Q_OBJECT

public:
    // The services must outlive the tab.
    explicit MemoryTab(const Services& services, QWidget* parent = nullptr);
    ~MemoryTab() override;

    QString id() const override { return QStringLiteral("memory"); }
    QString title() const override;
    QIcon icon() const override;
    bool openPaths(const QStringList& paths) override;
    bool takeDrop(const QStringList& paths) override;
    QList<QAction*> paletteActions(const QString& text, int limit) override;
    QJsonObject saveSession() const override;
    void restoreSession(const QJsonObject& session) override;

    memory::MemorySession& session() { return *m_session; }
    memory::MemoryView& view() { return *m_view; }
    memory::RunnablePage& runnable() { return *m_runnable; }

signals:
    // Request to use the settings of this estimate: a conversation with this many tokens of context, or a type of the weights
    // by its name.
    void chatWanted(const QString& path, quint64 context);
    void quantizeWanted(const QString& path, const QString& type);

private:
    void connectSession();
    void fillReports();
    void fillMeasured();
    void copyReport(memory::ReportForm form);
    void saveMeasured();
    QWidget* makeQuestion();
    QWidget* makeSettings(QWidget* parent);
    void chooseUse();
    void fillUses();
    void fillExports();
    void copyExport(wb::memory::ExportTarget target);
    void saveExport(wb::memory::ExportTarget target);
    void askForModel();
    void enterModel();
    void refresh();
    void retranslate();

    const Services& m_services;
    LatestJob m_saving;
    memory::MemorySession* m_session;
    QAction *m_choose, *m_type, *m_keep, *m_talk, *m_log, *m_beside, *m_alone, *m_which;
    QLineEdit* m_what;
    MessageBar* m_bar;
    QLabel* m_empty;
    memory::RunnablePage* m_runnable;
    bool m_showsRunnable = false; // though a model is open
    QStackedWidget* m_stack;
    memory::MemoryView* m_view;
    QComboBox* m_use; // running, or a way of training
    QLabel* m_useLabel;
    QWidget* m_running;
    memory::TrainingPanel* m_training;
    QToolButton* m_export;
    QMenu* m_exports;
};

} // namespace wb::ui
