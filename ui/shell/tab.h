// SPDX-License-Identifier: MIT
#pragma once

#include <QIcon>
#include <QJsonObject>
#include <QList>
#include <QStringList>
#include <QWidget>

class QAction;

namespace wb::ui {

class WorkSource;

// The entry of a model in the list of recent files.
struct OpenedModel {
    QString format;    // "GGUF"; empty: not known
    quint64 bytes = 0; // of all its files; 0: not known
    int files = 1;
};

// One place of the navigation rail: Inspect, Convert. The shell knows tabs only by this interface.
// Everything happens on the GUI thread.
class Tab : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    virtual QString id() const = 0;    // stable, for settings and sessions: "inspect"
    virtual QString title() const = 0; // translated; asked again after a change of language
    virtual QIcon icon() const = 0;    // asked again after a change of theme

    // Opens files or folders that were dropped, chosen or handed over by another tab. False if this tab has no use for them.
    virtual bool openPaths(const QStringList& paths) = 0;

    // Compares two models with each other; false if this tab does not.
    virtual bool comparePaths(const QStringList& paths) {
        Q_UNUSED(paths);
        return false;
    }

    // Handles files that were dropped on this tab while it is in front; false leaves them to openPaths() of all tabs. Must return
    // quickly: the program they were dragged from waits for it.
    virtual bool takeDrop(const QStringList& paths) {
        Q_UNUSED(paths);
        return false;
    }

    // The commands of the command palette (Ctrl+K) while the program runs: actions, open models, tensors that match `text`. The tab
    // keeps ownership of the actions; at most `limit`.
    virtual QList<QAction*> paletteActions(const QString& text, int limit) = 0;

    // Facts about a path that it has just opened, requested when `opened` is emitted.
    virtual OpenedModel describe(const QString& path) const {
        Q_UNUSED(path);
        return {};
    }

    // The title of its present page, for the window: "model.gguf". Empty: nothing in particular.
    virtual QString subject() const { return {}; }

    // One sentence for the start page on what waits here for the user. Empty: nothing does.
    virtual QString reminder() const { return {}; }

    // Its part of the list of work, which it owns. Null: its jobs are all there is.
    virtual WorkSource* workSource() { return nullptr; }

    // What must come back at the next start.
    virtual QJsonObject saveSession() const = 0;
    virtual void restoreSession(const QJsonObject& session) = 0;

signals:
    // `path` was opened; the shell adds it to the recent files.
    void opened(const QString& path);
    // Another tab shall take these paths and come to the front.
    void handOverWanted(const QString& tabId, const QStringList& paths);
    void jobsWanted(); // the Jobs page shall come to the front
    // The tab that compares models shall take these two and come to the front.
    void comparisonWanted(const QStringList& paths);
    // One sentence for the status line; an error stays until the next message or messageOver().
    void message(const QString& text, bool isError);
    void messageOver(const QString& text); // takes that message off the status line if it is still shown
    void subjectChanged();
    void reminderChanged();
};

} // namespace wb::ui
