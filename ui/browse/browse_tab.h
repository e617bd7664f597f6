// SPDX-License-Identifier: MIT
#pragma once

#include "ui/browse/browse_session.h"
#include "ui/browse/saved_searches.h"
#include "ui/shell/tab.h"

#include <QUrl>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;
class QToolButton;

namespace wb::ui::browse {
class Downloads;
class DownloadsWork;
class PageView;
class ResultsModel;
class TokensDialog;
} // namespace wb::ui::browse

namespace wb::ui {

class LocalModels;
class MessageBar;

// Models of Hugging Face and ModelScope in one list: search, look at a model's files and card, download. Nothing is searched before
// the tab is shown; resumeDownloads() resumes the downloads of the last start before that.
class BrowseTab : public Tab {
    Q_OBJECT

public:
    // The services must outlive the tab.
    explicit BrowseTab(const Services& services, QWidget* parent = nullptr);
    ~BrowseTab() override;

    QString id() const override { return QStringLiteral("browse"); }
    QString title() const override;
    QIcon icon() const override;
    bool openPaths(const QStringList& paths) override; // ids of hubs: hf:owner/name
    QList<QAction*> paletteActions(const QString& text, int limit) override;
    QJsonObject saveSession() const override;
    void restoreSession(const QJsonObject& session) override;
    WorkSource* workSource() override;

    browse::BrowseSession& session() { return *m_session; }
    browse::PageView& page() { return *m_page; }
    browse::Downloads& downloads() { return *m_downloads; }
    void resumeDownloads(); // those of the last start, before the tab is shown
    QTableView& table() { return *m_table; }

    wb::hub::TokenBox& tokens() { return *m_box; }

signals:
    void downloaded(const QString& folder); // a download has ended well

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* makeTop();
    QWidget* makeFilters();
    QWidget* makeBody();
    QWidget* makeResults();
    QList<QComboBox*> boxes() const;
    QJsonObject currentSearch() const;
    QString filterHint() const;
    QString searchName() const; // what a person would call it
    void useSearch(const QJsonObject& search);
    void connectDownloads();
    void showDownloads(); // how many are not done, with the way to them
    void showFailure(const Error& error);
    void fitNames();
    void askAboutSpace(const wb::hub::QueuedDownload& download, const Error& warning);
    void readTokens();
    void askForTokens();
    void takeTokens(const browse::TokensDialog& dialog);
    QComboBox* addBox(const char* name);
    void connectSession();
    browse::Question question() const;
    void ask(bool isTyping);
    void openCurrent();
    void refresh();
    void retranslate();

    std::shared_ptr<wb::hub::TokenBox> m_box = std::make_shared<wb::hub::TokenBox>();
    LocalModels* m_local; // of the services; may be null
    HubNetwork m_network; // of the services; its settings know the box
    LatestJob m_known;    // reads what the environment says
    browse::BrowseSession* m_session;
    browse::Downloads* m_downloads;
    browse::DownloadsWork* m_work;
    browse::ResultsModel* m_model;
    QAction* m_find;
    QLineEdit* m_text;
    QComboBox *m_hub = nullptr, *m_format = nullptr, *m_size = nullptr, *m_task = nullptr, *m_sort = nullptr;
    QWidget* m_filters = nullptr; // the row of the rarer ones
    QToolButton* m_more = nullptr;
    QAction* m_tokens = nullptr;
    QLineEdit* m_author = nullptr;
    QComboBox *m_licence = nullptr, *m_gate = nullptr, *m_language = nullptr, *m_library = nullptr, *m_disk = nullptr,
              *m_quant = nullptr, *m_capability = nullptr, *m_since = nullptr;
    browse::SavedSearches* m_searches = nullptr;
    QToolButton* m_searchesButton = nullptr;
    QPushButton* m_showJobs = nullptr;
    MessageBar* m_bar;
    QLabel* m_count;
    QLabel* m_hint = nullptr;
    QTableView* m_table = nullptr;
    browse::PageView* m_page = nullptr;
    QUrl m_termsPage; // what the bar leads to
    bool m_wasSeen = false;
    bool m_isTroubled = false; // a hub did not answer the newest question
    bool m_showsOld = false;   // and its rows are from an earlier time
};

} // namespace wb::ui
