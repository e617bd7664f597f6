// SPDX-License-Identifier: MIT
#include "tests/gui/support/gui_test.h"
#include "tests/gui/support/test_services.h"
#include "ui/convert/commands.h"
#include "ui/convert/vendor/vendor_dialog.h"
#include "ui/shell/jobs/job_runner.h"

#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTemporaryDir>

namespace wb::test {

using ui::convert::VendorDialog;

// Tools of vendors in the window, with scripts that stand in for them.
class VendorTest : public QObject {
    Q_OBJECT

private:
    void program(const char* name, const QByteArray& script) const {
        QFile file(m_folder->filePath(QLatin1String(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\n" + script);
        file.close();
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }
    QString text(const char* label) const { return m_dialog->findChild<QLabel*>(QLatin1String(label))->text(); }
    QString log() const { return m_dialog->findChild<QPlainTextEdit*>(QStringLiteral("vendorLog"))->toPlainText(); }
    QPushButton* runButton() const { return m_dialog->findChild<QPushButton*>(QStringLiteral("vendorRun")); }
    QString model() const { return m_folder->filePath(QStringLiteral("model.onnx")); }
    bool waitForState(const char* part) const {
        return QTest::qWaitFor([&] { return text("vendorState").contains(QLatin1String(part)); }, 10'000);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<ui::QueuedJobRunner> m_jobs;
    std::unique_ptr<TestServices> m_services;
    std::unique_ptr<VendorDialog> m_dialog;

private Q_SLOTS:
    void init() {
#ifdef Q_OS_WIN
        QSKIP("the stand-ins are shell scripts");
#endif
        WB_NEED_SHARED_QT("fixtures/runtime/onnx/dynamic_int8.onnx");
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(QFile::copy(QStringLiteral(WEIGHBRIDGE_SHARED "/fixtures/runtime/onnx/dynamic_int8.onnx"), model()));
        m_jobs = std::make_unique<ui::QueuedJobRunner>();
        m_services = std::make_unique<TestServices>(m_jobs.get());
        m_dialog = std::make_unique<VendorDialog>(*m_services, nullptr);
        m_dialog->setSearch({{m_folder->path().toStdString()}});
        m_dialog->show();
        m_dialog->setTarget(wb::convert::VendorTarget::TensorRt);
        m_dialog->setSource(model());
        QVERIFY(QTest::qWaitFor([this] { return text("vendorTool").contains(QStringLiteral("trtexec")); }));
    }
    void cleanup() {
        m_dialog.reset();
        m_services.reset();
        m_jobs.reset();
        m_folder.reset();
    }

    void aMissingToolShowsHowToInstallIt() {
        QVERIFY2(text("vendorTool").contains(QStringLiteral("was not found")), qPrintable(text("vendorTool")));
        QVERIFY(!runButton()->isEnabled());
        auto* row = m_dialog->findChild<ui::convert::CommandRow*>();
        QVERIFY(row);
        for (auto* button : row->findChildren<QAbstractButton*>()) button->click();
        const QString copied = QGuiApplication::clipboard()->text();
        QVERIFY2(copied.startsWith(QStringLiteral("trtexec --onnx=")) && copied.contains(model()), qPrintable(copied));
    }

    void aToolRunsWithItsOutputShown() {
        program("trtexec", "echo building\nfor w in \"$@\"; do case $w in --saveEngine=*) cp '" + model().toUtf8() +
                               "' \"${w#--saveEngine=}\";; esac; done\n");
        m_dialog->setSearch({{m_folder->path().toStdString()}});
        QVERIFY2(text("vendorTool").contains(QStringLiteral("Found trtexec")), qPrintable(text("vendorTool")));
        runButton()->click();
        QVERIFY2(waitForState("Wrote"), qPrintable(text("vendorState")));
        QVERIFY(log().contains(QStringLiteral("building")));
        QVERIFY(QFile::exists(m_folder->filePath(QStringLiteral("model.engine"))));
        runButton()->click();
        QVERIFY2(waitForState("already exists"), qPrintable(text("vendorState")));
    }

    void aToolIsCanceledAndItsOutputRemoved() {
        program("trtexec", "for w in \"$@\"; do case $w in --saveEngine=*) echo half > \"${w#--saveEngine=}\";; esac; done\n"
                           "echo begun\nsleep 60\n");
        m_dialog->setSearch({{m_folder->path().toStdString()}});
        runButton()->click();
        QVERIFY(QTest::qWaitFor([this] { return log().contains(QStringLiteral("begun")); }, 10'000));
        QVERIFY(m_dialog->isRunning());
        runButton()->click();
        QVERIFY2(waitForState("Canceled"), qPrintable(text("vendorState")));
        QVERIFY(!QFile::exists(m_folder->filePath(QStringLiteral("model.engine"))));
    }

    void aToolThatFailsIsReported() {
        program("trtexec", "echo out of memory >&2\nexit 7\n");
        m_dialog->setSearch({{m_folder->path().toStdString()}});
        runButton()->click();
        QVERIFY2(waitForState("status 7"), qPrintable(text("vendorState")));
        QVERIFY(log().contains(QStringLiteral("out of memory")));
    }
};

WB_GUI_TEST(VendorTest)

} // namespace wb::test

#include "vendor_test.moc"
