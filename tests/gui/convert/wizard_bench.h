// SPDX-License-Identifier: MIT
#pragma once

#include "tests/gui/convert/small_model.h"
#include "tests/gui/support/gui_test.h"
#include "tests/gui/support/test_services.h"
#include "ui/convert/convert_tab.h"
#include "ui/convert/quantize/plan_text.h"
#include "ui/convert/run/unfinished_list.h"
#include "ui/convert/wizard.h"
#include "ui/shell/jobs/work_source.h"

#include <QApplication>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTimer>

namespace wb::test {

// A convert tab in a folder of its own, which goes with it, and how a test uses it.
class WizardBench {
public:
    using Wizard = ui::convert::Wizard;

    explicit WizardBench(ui::JobRunner& jobs) : services(&jobs) {
        services.work.set({.threads = 1, .cacheFolder = path("cache")});
        services.stateFolder = path("state");
        restart();
    }

    // A new tab, as after a restart of the program.
    void restart() {
        tab = std::make_unique<ui::ConvertTab>(services);
        tab->resize(1180, 700);
        tab->show();
        if (!QTest::qWaitFor([this] { return !tab->unfinished().isBusy(); })) qFatal("the unfinished runs are not listed");
    }

    // The widget of that object name, which must be there.
    template <typename Widget>
    Widget* find(const char* name) const {
        auto* widget = tab->findChild<Widget*>(QLatin1String(name));
        if (!widget) qFatal("there is no %s", name);
        return widget;
    }
    void click(const char* name) const { QTest::mouseClick(find<QPushButton>(name), Qt::LeftButton); }
    // Answers the next question while it is asked, and notes it; `yes` is the button that goes on.
    void answerNext(bool yes) { answerNext(yes ? QMessageBox::DestructiveRole : QMessageBox::RejectRole); }
    void answerNext(QMessageBox::ButtonRole role) {
        question.clear();
        QTimer::singleShot(20, tab.get(), [this, role] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (!box) return;
            question = box->text();
            for (QAbstractButton* button : box->buttons())
                if (box->buttonRole(button) == role) return button->click();
            box->close();
        });
    }
    Wizard& wizard() const { return tab->wizard(); }
    QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }

    // Opens a model and waits for its plan; the small one where none is named.
    bool open(const QString& model = {}) {
        tab->openPaths({model.isEmpty() ? writeModel(m_folder.path()) : model});
        return QTest::qWaitFor(
            [this] { return !wizard().plans().isPlanning() && (wizard().plans().plan() || !wizard().failure().isEmpty()); });
    }
    // Waits until what was chosen is planned and measured.
    bool settle() const {
        return QTest::qWaitFor([this] { return !wizard().plans().isPlanning() && !wizard().budget().isMeasuring(); });
    }
    // Clicks on the button that runs, and waits for the end of the check and of its questions.
    bool clickRun() const {
        click("run");
        return QTest::qWaitFor([this] { return !wizard().runs().isChecking() && !QApplication::activeModalWidget(); });
    }
    // The first job of this tab with that name as its title or file; without such a job the id of the result is empty.
    ui::WorkItem job(const char* name) const {
        const auto items = tab->workSource()->items();
        for (const ui::WorkItem& item : items)
            if (item.title.contains(QLatin1String(name))) return item;
        return {};
    }
    void resumeJob(const char* name) const { tab->workSource()->resume(job(name).id); }
    void removeJob(const char* name) const { tab->workSource()->remove(job(name).id); }

    // The plan as options for a command line.
    QString options() const { return ui::convert::commandOptions(wizard().plans().plan().get(), wizard().choices().request()); }
    // What the page says of a failure.
    QString failure() const { return find<QLabel>("failure")->text(); }
    bool waitFor(Wizard::Step step) const {
        return QTest::qWaitFor([this, step] { return wizard().step() == step; });
    }

private:
    QTemporaryDir m_folder;

public:
    TestServices services;
    std::unique_ptr<ui::ConvertTab> tab;
    QString question; // the last one that was answered
};

} // namespace wb::test
