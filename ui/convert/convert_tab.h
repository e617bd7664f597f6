// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/weights/weights_session.h"
#include "core/quant/mix/file_type.h"
#include "ui/convert/unfinished.h"
#include "ui/shell/services.h"
#include "ui/shell/tab.h"

#include <optional>

class QStackedWidget;
class QVBoxLayout;

namespace wb::ui::convert {
class ChoosePage;
class ConvertActions;
class PlanPage;
class QueueStrip;
class ResultPage;
class RunPage;
class RunsWork;
class UnfinishedList;
class WeightsPage;
class Wizard;
} // namespace wb::ui::convert

namespace wb::ui {

class DangerQuestion;

// Converts Hugging Face folders and makes models smaller: choose one, see the plan, run it, see what it lost.
class ConvertTab : public Tab {
    Q_OBJECT

public:
    // The services must outlive the tab.
    explicit ConvertTab(const Services& services, QWidget* parent = nullptr);
    ~ConvertTab() override;

    QString id() const override { return QStringLiteral("convert"); }
    QString title() const override;
    QIcon icon() const override;
    bool openPaths(const QStringList& paths) override;
    bool takeDrop(const QStringList& paths) override; // a model by its name; next to one a plan or a matrix
    QList<QAction*> paletteActions(const QString& text, int limit) override;
    QString subject() const override;
    QJsonObject saveSession() const override;
    void restoreSession(const QJsonObject& session) override;
    WorkSource* workSource() override;

    // Opens a model to be quantized to this type, which may be changed then.
    void openFor(const QString& path, quant::FileType type);

    convert::Wizard& wizard() { return *m_wizard; }
    convert::UnfinishedList& unfinished() { return *m_unfinished; }
    convert::WeightsSession& weights() { return *m_weights; }

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void makePages();
    void enterModels();
    void refresh();
    void takeWantedType();
    void say(const QString& text);
    void retract();
    void askForModel();
    void askForFolder();
    void showVendorTools();
    void askForWeights(convert::WeightsGoal goal);
    void useWeights(convert::WeightsGoal goal, const QString& path);
    void offerOpenModels();
    bool mayLeavePlan();
    void resume(const convert::UnfinishedRun& run);
    void discard(const convert::UnfinishedRun& run);
    void discardQueued(quint64 id);
    bool mayDiscard(const QString& target, bool isAway);

    const Services& m_services;
    convert::Wizard* m_wizard;
    convert::UnfinishedList* m_unfinished;
    convert::RunsWork* m_work;
    convert::WeightsSession* m_weights;
    DangerQuestion* m_question;
    convert::ConvertActions* m_actions;
    QVBoxLayout* m_layout;
    QStackedWidget* m_stack;
    convert::QueueStrip* m_strip = nullptr;
    QString m_said; // in the status line, an error
    QString m_subject;
    bool m_hasRun = false; // of the last refresh(): a run was in progress
    QString m_wantedPath;
    std::optional<quant::FileType> m_wantedType; // of that model, once it is open
    convert::ChoosePage* m_choosePage = nullptr;
    convert::PlanPage* m_planPage = nullptr;
    convert::RunPage* m_runPage = nullptr;
    convert::ResultPage* m_resultPage = nullptr;
    convert::WeightsPage* m_weightsPage = nullptr;
};

} // namespace wb::ui
