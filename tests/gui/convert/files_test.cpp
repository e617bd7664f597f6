// SPDX-License-Identifier: MIT
#include "tests/gui/convert/inline_jobs.h"
#include "tests/gui/convert/wizard_bench.h"

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QLineEdit>

namespace wb::test {

using ui::convert::Wizard;

// Files that come into the wizard by a drop or a dialog, and go out.
class FilesTest : public QObject {
    Q_OBJECT

private:
    Wizard& wizard() const { return m_bench->wizard(); }
    QString path(const char* name) const { return m_bench->path(name); }
    bool settle() {
        return QTest::qWaitFor([this] { return !wizard().plans().isPlanning(); });
    }
    // Enters the name in the next file dialog; an empty one rejects it. Notes where it began.
    void answerDialog(const QString& name) {
        QTimer::singleShot(20, m_bench->tab.get(), [this, name] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (!dialog) return;
            m_began = dialog->directory().path();
            if (auto* line = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))) line->setText(name);
            QMetaObject::invokeMethod(dialog, name.isEmpty() ? "reject" : "accept");
        });
    }
    static QByteArray contentFromFile(const QString& file) {
        QFile opened(file);
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
    }
    // `kept` is the file that is written; without it none is.
    void savePlan(const QString& name, const QString& kept = {}) {
        answerDialog(name);
        for (QAction* action : m_bench->tab->actions())
            if (action->text() == QStringLiteral("Save plan…")) action->trigger();
        if (!kept.isEmpty()) QTRY_VERIFY(QFile::exists(kept));
    }

    InlineJobs m_jobs;
    std::unique_ptr<WizardBench> m_bench;
    QString m_began;

private Q_SLOTS:
    void init() {
        m_jobs.never = QStringLiteral("Estimating speed");
        m_bench = std::make_unique<WizardBench>(m_jobs);
    }
    void cleanup() { m_bench.reset(); }

    void aDroppedModelIsQuantized() {
        const QString model = writeModel(path("."));
        QVERIFY(m_bench->tab->takeDrop({model}));
        QTRY_VERIFY(wizard().plans().plan());
        QVERIFY(wizard().plans().isForModel(model));
    }

    void whatIsNoModelIsLeftToOtherTabs() {
        writeMatrix(path("some.imatrix"));
        QVERIFY(!m_bench->tab->takeDrop({path("some.imatrix")}));
        QVERIFY(!m_bench->tab->takeDrop({path(".")}));
        QVERIFY(!m_bench->tab->takeDrop({path("none.gguf")}));
        QCOMPARE(wizard().step(), Wizard::Step::Choose);
    }

    void aMatrixAndAPlanAreTakenBesideAModel() {
        QVERIFY(m_bench->open());
        QVERIFY(m_bench->tab->takeDrop({writeMatrix(path("some.imatrix"))}));
        QCOMPARE(wizard().choices().matrixPath(), path("some.imatrix"));
        QVERIFY(settle());
        savePlan(path("kept.plan.json"), path("kept.plan.json"));
        wizard().choices().setMatrix({});
        QVERIFY(settle());
        QVERIFY(m_bench->tab->takeDrop({path("kept.plan.json")}));
        QVERIFY(settle());
        QCOMPARE(wizard().choices().matrixPath(), path("some.imatrix"));
    }

    void aSavedPlanCanBeFoundAgain() {
        QVERIFY(m_bench->open());
        savePlan(path("bare"), path("bare.plan.json"));
        savePlan(path("plain.json"), path("plain.plan.json"));
        savePlan(path("full.plan.json"), path("full.plan.json"));
        const QStringList plans = QDir(path(".")).entryList({QStringLiteral("*.plan.json")});
        QCOMPARE(plans, (QStringList{QStringLiteral("bare.plan.json"), QStringLiteral("full.plan.json"),
                                     QStringLiteral("plain.plan.json")}));
        wizard().choices().setMix(quant::FileType::Q8_0);
        QVERIFY(settle());
        const QByteArray before = contentFromFile(path("bare.plan.json"));
        QTimer::singleShot(200, m_bench->tab.get(), [this] { m_bench->answerNext(false); });
        savePlan(path("bare"));
        QVERIFY2(m_bench->question.contains(QStringLiteral("already exists")), qPrintable(m_bench->question));
        QCOMPARE(contentFromFile(path("bare.plan.json")), before);
    }

    void theDialogBeginsInTheFolderOfTheSettings() {
        QVERIFY(QDir().mkpath(path("models")));
        m_bench->services.openFolder = [this] { return path("models"); };
        answerDialog({});
        m_bench->click("chooseModel");
        QCOMPARE(m_began, path("models"));
    }
};

WB_GUI_TEST(FilesTest)

} // namespace wb::test

#include "files_test.moc"
