// SPDX-License-Identifier: MIT
#pragma once

#include "ui/library/library_session.h"
#include "ui/shell/services.h"
#include "ui/shell/tab.h"
#include "ui/widgets/sentence.h"

class QAction;
class QLabel;
class QLineEdit;
class QMenu;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace wb::ui::library {
class Details;
class LibraryModel;
class LibraryProxy;
class StoreBar;
} // namespace wb::ui::library

namespace wb::ui {

class MessageBar;

// Every model on this computer, whichever program keeps it.
class LibraryTab : public Tab {
    Q_OBJECT

public:
    // The services must outlive the tab.
    explicit LibraryTab(const Services& services, QWidget* parent = nullptr);
    ~LibraryTab() override;

    QString id() const override { return QStringLiteral("library"); }
    QString title() const override;
    QIcon icon() const override;
    bool openPaths(const QStringList&) override { return false; } // a folder is a model to look at, unless it is dropped here
    bool takeDrop(const QStringList& paths) override;             // folders are added to the library
    QList<QAction*> paletteActions(const QString& text, int limit) override;
    QJsonObject saveSession() const override;
    void restoreSession(const QJsonObject& session) override;

    library::LibrarySession& session() { return *m_session; }
    library::LibraryModel& model() { return *m_model; }
    QTableView& table() { return *m_table; }
    QStringList chosenIds() const;
    void choose(const QString& id); // if it is listed

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeActions();
    QWidget* makeTop();
    QWidget* makeEmptyPage();
    QWidget* makeBody();
    void connectSession();
    QList<const wb::library::Entry*> chosen() const;
    QStringList entryNames(const QList<const wb::library::Entry*>& entries) const;
    void handOver(const char* tabId);
    void reveal();
    void askForFolder();
    void askForRemoval(const wb::library::RemovalPlan& plan);
    void reportVerified(const library::Verified& files);
    void fillFolderMenu();
    void refresh();
    void fitNames();
    void updateActions();
    void updateSummary();
    void retranslate();

    const Services& m_services;
    library::LibrarySession* m_session;
    library::LibraryModel* m_model;
    library::LibraryProxy* m_proxy;
    QAction *m_inspect, *m_compare, *m_convert, *m_chat, *m_memory, *m_reveal, *m_verify, *m_remove, *m_add, *m_rescan,
        *m_duplicates, *m_find;
    QMenu* m_folders;
    QToolButton* m_foldersButton;
    QLineEdit* m_filter;
    MessageBar* m_bar;
    QLabel* m_summary;
    QLabel* m_empty;
    QWidget* m_waysOut; // below it
    library::StoreBar* m_disk;
    QStackedWidget* m_stack;
    QTableView* m_table;
    library::Details* m_details;
    QString m_wanted;      // an id to choose once it is listed
    QStringList m_removed; // names of the models whose removal is planned
};

} // namespace wb::ui
