// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/services.h"
#include "ui/shell/tab.h"

#include <QTimer>

#include <memory>
#include <vector>

class QLabel;
class QStackedWidget;
class QTabWidget;

namespace wb {
struct Model;
}

namespace wb::stats {
struct Contents;
}

namespace wb::ui::inspect {
class ComparePage;
class CompareSession;
class Document;
class InspectActions;
class ModelOpener;
class ModelPage;
class StatisticsRunner;
struct ComparedSide;
struct OpenRequest;
} // namespace wb::ui::inspect

namespace wb::ui {

class MessageBar;

// Looks into model files: what they hold, what they say about themselves, and statistics over every element. Each open model is a
// separate page.
class InspectTab : public Tab {
    Q_OBJECT

public:
    // The services must outlive the tab.
    explicit InspectTab(const Services& services, QWidget* parent = nullptr);
    ~InspectTab() override;

    QString id() const override { return QStringLiteral("inspect"); }
    QString title() const override;
    QIcon icon() const override;
    bool openPaths(const QStringList& paths) override;
    bool takeDrop(const QStringList& paths) override; // by a comparison that waits for its second model, or two models
    bool comparePaths(const QStringList& paths) override;
    QList<QAction*> paletteActions(const QString& text, int limit) override;
    OpenedModel describe(const QString& path) const override;
    QString subject() const override;
    QJsonObject saveSession() const override;
    void restoreSession(const QJsonObject& session) override;

    inspect::ModelPage* currentPage() const;         // null: a comparison is in front, or no model is open
    inspect::ComparePage* currentComparison() const; // null: none is in front

    // A new page that compares two models, where B may still have to be chosen.
    inspect::ComparePage* compare(const inspect::ComparedSide& a, const inspect::ComparedSide& b);
    int modelCount() const { return static_cast<int>(m_models.size()); }

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct OpenModel {
        std::unique_ptr<inspect::Document> document;
        std::unique_ptr<inspect::StatisticsRunner> runner;
        inspect::ModelPage* page = nullptr;
    };

    struct OpenComparison {
        std::unique_ptr<inspect::CompareSession> session;
        inspect::ComparePage* page = nullptr;
    };

    QWidget* makeEmptyPage();
    QWidget* makeModelList();
    QWidget* makeBusyRow();
    void connectActions();
    void askToOpen(bool folder);
    void addOpened(const inspect::OpenRequest& request, const stats::Contents& contents);
    inspect::ModelPage* makePage(const OpenModel& model);
    inspect::ComparePage* makePage(const OpenComparison& comparison);
    OpenComparison* pageComparison(const QWidget* page);
    inspect::ComparedSide comparedSide(const QString& path) const; // with its model where it is open
    void insertPage(int index, QWidget* page, const QString& title, const QString& toolTip, const QString& closeText);
    void insertPage(int index, const OpenComparison& comparison);
    void compareCurrent();
    void showGuide();
    void closeComparison(int index);
    OpenModel* pageModel(const QWidget* page);
    OpenModel* modelAt(const QString& path);
    void insertPage(int index, const OpenModel& model);
    void closePage(int index);
    void enterModels();
    void reload();
    void updateBusy();
    void updateState();
    void rebuildPages();

    const Services& m_services;
    inspect::ModelOpener* m_opener;
    inspect::InspectActions* m_actions;
    MessageBar* m_bar;
    std::vector<Error> m_failures; // of the files that were opened together
    QLabel* m_busyText = nullptr;  // stands before m_busy, which sets it
    QWidget* m_busy;
    QTimer m_busyDelay;
    QStackedWidget* m_stack;
    QTabWidget* m_pages;
    std::vector<OpenModel> m_models; // in the order of opening; the tabs may be in another
    std::vector<OpenComparison> m_comparisons;
    QList<QAction*> m_paletteActions;
};

} // namespace wb::ui
