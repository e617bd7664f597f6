// SPDX-License-Identifier: MIT
#include "core/formats/open.h"
#include "tests/gui/inspect/manual_jobs.h"
#include "tests/gui/inspect/sample_models.h"
#include "tests/gui/inspect/tester_mode.h"
#include "tests/gui/support/gui_test.h"
#include "ui/inspect/document/document.h"
#include "ui/inspect/integrity/integrity_panel.h"
#include "ui/inspect/tables/cell_table_view.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>

using namespace wb;
using namespace wb::ui;
using namespace wb::ui::inspect;

namespace {

QString panelText(const QWidget& panel, const char* name) { return panel.findChild<QLabel*>(QLatin1String(name))->text(); }

} // namespace

class IntegrityTest : public QObject {
    Q_OBJECT

private slots:
    void reportsAnIntactModelAndADamagedOne() {
        const QTemporaryDir folder;
        test::writeSafetensors(folder, QStringLiteral("model.safetensors"), {{"a", {2}, {1, 2}}});
        const QString path = folder.filePath(QStringLiteral("model.safetensors"));
        const auto model = formats::open(path.toStdString());
        QVERIFY(model);
        Document document(stats::modelContents(*model), path);
        test::ManualJobs jobs;
        IntegrityPanel panel(document, &jobs);
        const auto* checks = panel.findChild<CellTableView*>(QStringLiteral("integrityChecks"));
        const auto* files = panel.findChild<CellTableView*>(QStringLiteral("integrityFiles"));
        const QAbstractItemModelTester checkTester(checks->model(), wb::test::fatal), fileTester(files->model(), wb::test::fatal);
        QCOMPARE(jobs.waiting(), 0); // only on request
        panel.findChild<QCheckBox*>(QStringLiteral("integrityDeep"))->setChecked(true);
        panel.findChild<QPushButton*>(QStringLiteral("integrityStart"))->click();
        QVERIFY(panel.isRunning());
        jobs.runAll();
        QCOMPARE(panelText(panel, "integrityVerdict"), IntegrityPanel::tr("Intact"));
        QVERIFY(checks->model()->rowCount() >= 2);
        QCOMPARE(files->model()->rowCount(), 1);
        const IntegrityPanel again(document, &jobs); // in another language
        QCOMPARE(panelText(again, "integrityVerdict"), IntegrityPanel::tr("Intact"));

        QFile file(path);
        QVERIFY(file.open(QIODevice::Append));
        file.write("x");
        file.close();
        panel.start();
        jobs.runAll();
        QCOMPARE(panelText(panel, "integrityVerdict"), IntegrityPanel::tr("Damaged"));
        QVERIFY(checks->model()->index(0, 0).data().toString().contains(QLatin1String("model.safetensors")));
    }

    void theButtonCancelsAndAMissingFileIsSaid() {
        const QTemporaryDir folder;
        test::writeSafetensors(folder, QStringLiteral("model.safetensors"), {{"a", {2}, {1, 2}}});
        const QString path = folder.filePath(QStringLiteral("model.safetensors"));
        const auto model = formats::open(path.toStdString());
        QVERIFY(model);
        Document document(stats::modelContents(*model), path);
        test::ManualJobs jobs;
        IntegrityPanel panel(document, &jobs);
        panel.start();
        const auto job = jobs.find(IntegrityPanel::tr("Verifying %1").arg(QStringLiteral("model.safetensors")));
        QVERIFY(job);
        panel.start();
        QVERIFY(job->isCanceled());
        QVERIFY(!panel.isRunning());
        QFile::remove(path);
        panel.start();
        jobs.runAll();
        QCOMPARE(panelText(panel, "integrityVerdict"), IntegrityPanel::tr("Not verified"));
        QVERIFY(panelText(panel, "integritySentence").contains(QLatin1String("model.safetensors")));
    }

    void aModelOnAHubHasNoButton() {
        const QTemporaryDir folder;
        test::writeSafetensors(folder, QStringLiteral("model.safetensors"), {{"a", {2}, {1, 2}}});
        const auto model = formats::open(folder.filePath(QStringLiteral("model.safetensors")).toStdString());
        QVERIFY(model);
        Document document(stats::modelContents(*model), QStringLiteral("hf:acme/tiny"));
        test::ManualJobs jobs;
        const IntegrityPanel panel(document, &jobs);
        QVERIFY(!panel.findChild<QPushButton*>(QStringLiteral("integrityStart"))->isEnabled());
    }
};

WB_GUI_TEST(IntegrityTest)
#include "integrity_test.moc"
