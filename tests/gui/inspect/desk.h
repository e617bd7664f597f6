// SPDX-License-Identifier: MIT
#pragma once

#include "tests/gui/inspect/fake_backend.h"
#include "tests/gui/inspect/manual_jobs.h"
#include "tests/gui/inspect/sample_models.h"
#include "tests/gui/support/gui_test.h"
#include "tests/gui/support/test_services.h"
#include "ui/inspect/inspect_tab.h"
#include "ui/inspect/model_page.h"
#include "ui/inspect/tensors/tensor_panel.h"
#include "ui/inspect/tensors/tensor_table_model.h"
#include "ui/shell/settings/language.h"
#include "ui/widgets/message_bar.h"

#include <QLineEdit>
#include <QTabWidget>
#include <QTableView>

namespace wb::test {

using namespace wb::ui;
using namespace wb::ui::inspect;

// A tab with its own services and one sample file.
struct Desk {
    Desk() : services(&jobs, {.threads = 1, .cacheFolder = folder.filePath(QStringLiteral("cache"))}, &backend), tab(services) {
        path = writeSafetensors(folder, QStringLiteral("sample.safetensors"), sampleTensors());
        tab.resize(1200, 700);
        tab.show();
    }
    // Shortcuts reach only what has the focus in the active window.
    bool focus(QWidget* widget) {
        tab.activateWindow();
        widget->setFocus();
        return QTest::qWaitForWindowActive(&tab) && widget->hasFocus();
    }

    void open(const QString& file) {
        tab.openPaths({file});
        jobs.runAll();
    }
    QTableView* table() const { return tab.currentPage()->findChild<QTableView*>(QStringLiteral("tensorTable")); }
    QLineEdit* search() const { return tab.currentPage()->findChild<QLineEdit*>(QStringLiteral("tensorSearch")); }
    QString bar(const QWidget* parent) const {
        const auto* found = parent->findChild<MessageBar*>();
        return found->isHidden() ? QString() : found->text();
    }
    QTabWidget* pages() const { return tab.findChild<QTabWidget*>(QStringLiteral("models")); }

    QTemporaryDir folder;
    ManualJobs jobs;
    FakeBackend backend;
    TestDevices devices;
    TestServices services;
    QString path;
    InspectTab tab;
};

} // namespace wb::test
