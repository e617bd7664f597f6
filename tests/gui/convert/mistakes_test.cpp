// SPDX-License-Identifier: MIT
#include "tests/gui/convert/inline_jobs.h"
#include "tests/gui/convert/wizard_bench.h"
#include "ui/shell/window_actions.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPointer>
#include <QRadioButton>
#include <QRegularExpression>
#include <QSet>
#include <QSpinBox>
#include <QWheelEvent>

#ifdef Q_OS_UNIX
#include <unistd.h>
#endif

namespace wb::test {

using ui::convert::Wizard;

#ifdef Q_OS_UNIX
// Where root runs the test, makes it look like an ordinary user, since every folder takes files from root. Files are opened as root
// still.
class AsOrdinaryUser {
public:
    AsOrdinaryUser() : m_user(getuid()), m_changed(m_user == 0 && setreuid(nobody, static_cast<uid_t>(-1)) == 0) {}
    ~AsOrdinaryUser() {
        if (m_changed && setreuid(m_user, static_cast<uid_t>(-1)) != 0) qFatal("root cannot be root again");
    }

private:
    static constexpr uid_t nobody = 65534;
    uid_t m_user;
    bool m_changed;
};
#endif

// What goes wrong in the hands of a user, and what the plan's page says then.
class MistakesTest : public QObject {
    Q_OBJECT

private:
    Wizard& wizard() const { return m_bench->wizard(); }
    QString path(const char* name) const { return m_bench->path(name); }
    QString failure() const { return m_bench->failure(); }

    // Types a target and runs; no question may come up.
    void runTo(const QString& target) {
        auto* line = m_bench->find<QLineEdit>("target");
        line->clear();
        QTest::keyClicks(line, target);
        QVERIFY(m_bench->clickRun());
    }
    bool settle() const { return m_bench->settle(); }
    void findBySize(const QString& size) {
        m_bench->find<QRadioButton>("bySize")->setChecked(true);
        m_bench->find<QLineEdit>("size")->setText(size);
        m_bench->click("find");
        QVERIFY(settle());
    }

    InlineJobs m_jobs;
    std::unique_ptr<WizardBench> m_bench;

private Q_SLOTS:
    void aRefusalOfATargetGoesWithThatTarget() {
        wizard().checkRun(path("no folder/small.gguf"));
        QTRY_VERIFY2(failure().contains(QStringLiteral("does not exist")), qPrintable(failure()));
        QVERIFY(m_bench->find<QLabel>("failure")->property("isError").toBool());
        wizard().setTarget(path("small.gguf"));
        QVERIFY2(failure().isEmpty(), qPrintable(failure()));
    }

    void aFileThatBecomesLargerIsSaid() {
        wizard().choices().setMix(quant::FileType::Q8_0);
        QVERIFY(m_bench->settle());
        const auto* cost = m_bench->find<QLabel>("outputSize");
        QVERIFY(!cost->text().contains(QStringLiteral("larger")));
        wizard().run(path("small.gguf"), false);
        QVERIFY(m_bench->waitFor(Wizard::Step::Result));
        QVERIFY(m_bench->open(path("small.gguf")));
        wizard().choices().setAllowRequantize(true);
        wizard().choices().setMix(quant::FileType::F16);
        QVERIFY(m_bench->settle());
        QVERIFY2(cost->text().contains(QStringLiteral("larger than the source")), qPrintable(cost->text()));
        QVERIFY(cost->property("isError").toBool());
    }

    void init() {
        m_jobs.never = QStringLiteral("Estimating speed");
        m_bench = std::make_unique<WizardBench>(m_jobs);
        QVERIFY(m_bench->open());
    }
    void cleanup() { m_bench.reset(); }

    void aQuestionOutlivesThePageThatAsks() {
        QFile there(path("there.gguf"));
        QVERIFY(there.open(QIODevice::WriteOnly));
        const QPointer<QLineEdit> before = m_bench->find<QLineEdit>("target");
        QTimer::singleShot(10, m_bench->tab.get(), [this] { // pages are made anew in another language
            QEvent event(QEvent::LanguageChange);
            QCoreApplication::sendEvent(m_bench->tab.get(), &event);
            m_bench->answerNext(true);
        });
        runTo(path("there.gguf"));
        QVERIFY2(m_bench->question.contains(QStringLiteral("already exists")), qPrintable(m_bench->question));
        QVERIFY(!before);
        QCOMPARE(wizard().step(), Wizard::Step::Plan);
        QVERIFY(!QApplication::activeModalWidget());
    }

    void theTargetIsNoPlaceToWriteTo() {
        runTo(path("model-f32.gguf"));
        QVERIFY2(failure().contains(QStringLiteral("is the source model")), qPrintable(failure()));
        runTo(path("none/out.gguf"));
        QVERIFY2(failure().contains(QStringLiteral("does not exist")), qPrintable(failure()));
        QVERIFY(QDir().mkpath(path("folder.gguf")));
        runTo(path("folder.gguf"));
        QVERIFY2(failure().contains(QStringLiteral("is a folder")), qPrintable(failure()));
        runTo(QString());
        QVERIFY2(failure().contains(QStringLiteral("Choose an output file")), qPrintable(failure()));
    }

    void theTargetOfASplitModelIsAnotherOne() {
        QVERIFY(m_bench->open(writeSplitModel(path("."))));
        QCOMPARE(QFileInfo(m_bench->find<QLineEdit>("target")->text()).fileName(), QStringLiteral("model-Q4_K_M.gguf"));
        m_bench->find<QCheckBox>("keepSplit")->click();
        QVERIFY(settle());
        runTo(path("model-f32.gguf"));
        QVERIFY2(failure().contains(QStringLiteral("model-f32-00001-of-00002.gguf is the source model")), qPrintable(failure()));
        runTo(path("other.gguf"));
        QVERIFY(m_bench->waitFor(Wizard::Step::Result));
        QVERIFY(QFile::exists(path("other-00002-of-00002.gguf")));
    }

    void theFolderTakesNoNewFiles() {
#ifdef Q_OS_UNIX
        constexpr auto closed = QFile::ReadOwner | QFile::ExeOwner | QFile::ReadOther | QFile::ExeOther;
        QVERIFY(QDir().mkpath(path("closed")));
        QVERIFY(QFile::setPermissions(path("closed"), closed));
        QVERIFY(QFile::setPermissions(path("."), closed | QFile::WriteOwner));
        const AsOrdinaryUser user;
        runTo(path("closed/out.gguf"));
        QVERIFY2(failure().contains(QStringLiteral("Cannot write to the folder")), qPrintable(failure()));
#endif
    }

    void aBareNameIsPutBesideTheModel() {
        runTo(QStringLiteral("bare.gguf"));
        QVERIFY(m_bench->waitFor(Wizard::Step::Result));
        QVERIFY(QFile::exists(path("bare.gguf")));
    }

    void theSameTargetTwiceIsAskedFor() {
        runTo(path("twice.gguf"));
        QVERIFY(m_bench->waitFor(Wizard::Step::Result));
        m_bench->click("backToPlan");
        m_bench->answerNext(false);
        QVERIFY(m_bench->clickRun());
        QVERIFY2(m_bench->question.contains(QStringLiteral("already exists")), qPrintable(m_bench->question));
        QCOMPARE(wizard().step(), Wizard::Step::Plan);
        m_bench->answerNext(true);
        QVERIFY(m_bench->clickRun());
        QVERIFY(m_bench->waitFor(Wizard::Step::Result));
    }

    void aChosenTargetIsNotThatOfTheNextModel() {
        QVERIFY(QFile::copy(path("model-f32.gguf"), path("second-f32.gguf")));
        auto* line = m_bench->find<QLineEdit>("target");
        line->clear();
        QTest::keyClicks(line, path("mine.gguf"));
        wizard().choices().setMix(quant::FileType::Q8_0);
        QVERIFY(settle());
        QCOMPARE(line->text(), path("mine.gguf"));
        m_bench->answerNext(true);
        QVERIFY(m_bench->open(path("second-f32.gguf")));
        QCOMPARE(line->text(), path("second-Q4_K_M.gguf"));
    }

    void theSameModelAgainKeepsTheChoices() {
        wizard().choices().setMix(quant::FileType::Q8_0);
        QVERIFY(settle());
        const auto again = [this] { return m_bench->tab->openPaths({path("./model-f32.gguf")}) && settle(); };
        QVERIFY(again());
        QVERIFY(m_bench->question.isEmpty() && wizard().choices().canUndo());
        QCOMPARE(wizard().choices().request().mix.fileType, quant::FileType::Q8_0);
        runTo(path("out.gguf"));
        QVERIFY(m_bench->waitFor(Wizard::Step::Result));
        QVERIFY(again());
        QCOMPARE(wizard().step(), Wizard::Step::Plan);
        QCOMPARE(wizard().choices().request().mix.fileType, quant::FileType::Q8_0);
        const auto before = wizard().plans().model();
        QVERIFY(!writeModel(path(".")).isEmpty()); // it is another file now
        QVERIFY(again());
        QVERIFY(wizard().plans().model() != before);
        QCOMPARE(wizard().choices().request().mix.fileType, quant::FileType::Q8_0);
    }

    void choicesAreNotLostWithoutAQuestion() {
        QVERIFY(QFile::copy(path("model-f32.gguf"), path("second.gguf")));
        wizard().choices().setTypes({"blk.0.ffn_up.weight"}, Dtype::Q8_0);
        QVERIFY(settle());
        m_bench->answerNext(false);
        QVERIFY(m_bench->tab->openPaths({path("second.gguf")}));
        QVERIFY2(m_bench->question.contains(QStringLiteral("model-f32.gguf")), qPrintable(m_bench->question));
        m_bench->answerNext(false);
        m_bench->click("otherModel");
        QVERIFY2(m_bench->question.contains(QStringLiteral("model-f32.gguf")), qPrintable(m_bench->question));
        QVERIFY(wizard().plans().isForModel(path("model-f32.gguf")) && wizard().choices().request().types.size() == 1);
        m_bench->answerNext(true);
        QVERIFY(m_bench->tab->openPaths({path("second.gguf")}));
        QVERIFY(wizard().plans().isForModel(path("second.gguf")) && wizard().choices().request().types.empty());
    }

    void theWheelChangesNothingThatIsNotFocused() {
        auto* context = m_bench->find<QSpinBox>("context");
        m_bench->find<QRadioButton>("byMemory")->setChecked(true);
        const auto turn = [](QWidget* widget) {
            QWheelEvent event({5, 5}, widget->mapToGlobal(QPointF(5, 5)), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                              Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(widget, &event);
        };
        const int tokens = context->value();
        turn(context);
        QCOMPARE(context->value(), tokens);
        context->setFocus();
        QTRY_VERIFY(context->hasFocus());
        turn(context);
        QVERIFY(context->value() != tokens);
        m_bench->find<QRadioButton>("byMix")->setChecked(true);
        for (const char* name : {"mix", "bulkType"}) {
            auto* box = m_bench->find<QComboBox>(name);
            const int chosen = box->currentIndex();
            turn(box);
            QCOMPARE(box->currentIndex(), chosen);
        }
        QVERIFY(!wizard().choices().canUndo());
    }

    void theModelGoesAwayMeanwhile() {
        QVERIFY(QFile::remove(path("model-f32.gguf")));
        runTo(path("out.gguf"));
        QVERIFY(m_bench->waitFor(Wizard::Step::Plan));
        QTRY_VERIFY2(failure().contains(QStringLiteral("model-f32.gguf")), qPrintable(failure()));
        QVERIFY(!QFile::exists(path("out.gguf")) && !QFile::exists(path("out.gguf.part")));
    }

    void aQuantizedModelIsAcceptedOnlyWhenAsked() {
        wizard().choices().setMix(quant::FileType::Q8_0);
        QVERIFY(settle());
        runTo(path("model-Q8_0.gguf"));
        QVERIFY(m_bench->waitFor(Wizard::Step::Result));
        m_bench->click("another");
        QVERIFY(m_bench->open(path("model-Q8_0.gguf")));
        QVERIFY2(failure().contains(QStringLiteral("already quantized")), qPrintable(failure()));
        QVERIFY(!m_bench->find<QPushButton>("run")->isEnabled());
        m_bench->find<QCheckBox>("requantize")->setChecked(true);
        QVERIFY(settle());
        QVERIFY(m_bench->find<QPushButton>("run")->isEnabled());
    }

    void aMatrixOfAnotherModelIsNamed() {
        wizard().choices().setMatrix(writeMatrix(path("other.dat")));
        QVERIFY(settle());
        QVERIFY2(failure().contains(QStringLiteral("no data for 5 of 6 tensors")), qPrintable(failure()));
        QVERIFY(wizard().canRun());
        wizard().choices().setMatrix(path("model-f32.gguf"));
        QVERIFY(settle());
        QVERIFY2(failure().contains(QStringLiteral("not an importance matrix")), qPrintable(failure()));
        QVERIFY(!wizard().canRun());
    }

    void aSizeMayBeTooSmallOrMoreThanEnough() {
        findBySize(QStringLiteral("10 KB"));
        QVERIFY2(failure().contains(QStringLiteral("cannot be quantized to")), qPrintable(failure()));
        findBySize(QStringLiteral("1 GB"));
        QVERIFY2(failure().isEmpty(), qPrintable(failure()));
        QVERIFY(wizard().canRun());
        QVERIFY2(m_bench->find<QLabel>("gain")->text().contains(QStringLiteral("F16")), "the largest mix that fits");
    }

    // Files are measured in MB; who asks in MiB is answered in both.
    void aSizeIsAnsweredInItsOwnUnit() {
        const auto* cost = m_bench->find<QLabel>("outputSize");
        findBySize(QStringLiteral("1 GiB"));
        QVERIFY2(cost->text().contains(QRegularExpression(QStringLiteral("[kM]B \\([0-9.]+ [KM]iB\\)"))), qPrintable(cost->text()));
        findBySize(QStringLiteral("1 GB"));
        QVERIFY2(!cost->text().contains(QStringLiteral("iB")), qPrintable(cost->text()));
    }

    // What stands there is not what was asked for until types were chosen for it.
    void aSizeIsObeyedOrNothingIsWritten() {
        const auto* run = m_bench->find<QPushButton>("run");
        const auto* cost = m_bench->find<QLabel>("outputSize");
        const quint64 whole = wizard().plans().plan()->fileBytes();
        const QString smaller = QStringLiteral("%1 B").arg(whole * 9 / 10);
        QVERIFY(run->isEnabled());
        m_bench->find<QRadioButton>("bySize")->setChecked(true);
        m_bench->find<QLineEdit>("size")->setText(smaller);
        QVERIFY(!run->isEnabled() && !wizard().canRun());
        QVERIFY2(cost->text().contains(QStringLiteral("over your limit of %1").arg(smaller)), qPrintable(cost->text()));
        QVERIFY(cost->property("isError").toBool());
        QVERIFY(m_bench->find<QLabel>("mixNote")->text().contains(QStringLiteral("click Find best types")));
        findBySize(smaller);
        QVERIFY(run->isEnabled() && !cost->property("isError").toBool());
        QVERIFY2(cost->text().contains(QStringLiteral("B (")), qPrintable(cost->text())); // in the unit that was typed, too
        QVERIFY(wizard().plans().plan()->fileBytes() <= whole * 9 / 10);
        m_bench->find<QLineEdit>("size")->setText(QStringLiteral("%1 B").arg(whole * 8 / 10));
        QVERIFY2(!run->isEnabled(), "it was for another size");
        findBySize(QStringLiteral("10 KB"));
        QVERIFY2(!failure().isEmpty() && !run->isEnabled(), "the types are still those of the size before");
        findBySize(smaller);
        m_bench->find<QCheckBox>("everyRow")->setChecked(true);
        QVERIFY2(!run->isEnabled(), "they were chosen by samples");
        m_bench->find<QCheckBox>("everyRow")->setChecked(false);
        wizard().choices().setTypes({"blk.0.ffn_up.weight"}, Dtype::F32);
        QVERIFY(settle());
        QVERIFY2(!run->isEnabled(), "it has grown beyond the size by hand");
        wizard().choices().undo();
        QVERIFY(settle());
        QVERIFY(run->isEnabled());
        m_bench->find<QRadioButton>("byMemory")->setChecked(true);
        QVERIFY(!run->isEnabled());
    }

    void aKnownMixIsThatMixAgainAfterASize() {
        findBySize(QStringLiteral("%1 B").arg(wizard().plans().plan()->fileBytes() * 9 / 10));
        QVERIFY(wizard().plans().hasOwnTypes());
        const auto name = wizard().choices().request().mix.fileType;
        m_bench->find<QRadioButton>("byMix")->setChecked(true);
        QVERIFY(settle());
        QVERIFY(!wizard().plans().hasOwnTypes() && m_bench->find<QPushButton>("run")->isEnabled());
        QCOMPARE(wizard().plans().plan()->fileType, name);
        wizard().choices().undo();
        QVERIFY(settle());
        QVERIFY2(wizard().plans().hasOwnTypes(), "one step of undo");
    }

    void nothingIsMeasuredWithoutAPlan() {
        m_bench->find<QRadioButton>("bySize")->setChecked(true);
        const auto* find = m_bench->find<QPushButton>("find");
        wizard().budget().chooseUnder(1'000'000);
        QVERIFY(settle());
        QVERIFY(wizard().budget().result() && find->isEnabled());
        wizard().choices().setMatrix(path("model-f32.gguf")); // which is none
        QVERIFY(!find->isEnabled());
        QVERIFY(settle());
        QVERIFY(!wizard().budget().result() && !find->isEnabled());
        wizard().budget().chooseUnder(1'000'000);
        QVERIFY(!wizard().budget().isMeasuring());
        QVERIFY2(failure().contains(QStringLiteral("not an importance matrix")), qPrintable(failure()));
        wizard().choices().undo();
        QVERIFY(settle());
        QVERIFY2(wizard().budget().result() && find->isEnabled(), "that of the choice by size");
        wizard().choices().setMatrix(writeMatrix(path("other.dat")));
        QVERIFY(settle());
        QVERIFY2(!wizard().budget().result(), "it was measured without the matrix");
    }

    void aChoiceEndsTheMeasurement() {
        const auto measureAndThen = [this](auto choose) {
            wizard().budget().chooseUnder(1'000'000);
            QVERIFY(wizard().budget().isMeasuring());
            choose();
            QVERIFY(!wizard().budget().isMeasuring());
            QVERIFY(settle());
            QVERIFY(!wizard().budget().result());
        };
        measureAndThen([&] { wizard().choices().setTypes({"blk.0.ffn_up.weight"}, Dtype::Q8_0); });
        measureAndThen([&] { wizard().choices().setAllowRequantize(true); });
        measureAndThen([&] { wizard().choices().setKeepSplit(true); });
        QCOMPARE(wizard().choices().request().types.size(), std::size_t{1});
        QVERIFY(wizard().choices().request().allowRequantize && wizard().choices().request().keepSplit);
        measureAndThen([&] { wizard().choices().setMatrix(path("none.gguf")); });
        wizard().choices().setMatrix({});
        QVERIFY(settle());
        measureAndThen([&] { wizard().choices().setPure(true); });
        measureAndThen([&] { wizard().choices().setMix(quant::FileType::Q6_K); });
        QVERIFY(wizard().choices().request().types.empty());
    }

    // One that two actions share does nothing at all.
    void everyShortcutIsThatOfOneAction() {
        QWidget window;
        QMenuBar bar(&window);
        const ui::WindowActions ofWindow(&bar, &window);
        QSet<QKeySequence> seen;
        for (const QAction* action : ofWindow.all() + m_bench->tab->actions()) {
            const QKeySequence keys = action->shortcut();
            QVERIFY2(keys.isEmpty() || !seen.contains(keys), qPrintable(action->text()));
            seen.insert(keys);
        }
    }

    void theTypesCanBeCopiedAsOptions() {
        QCOMPARE(m_bench->options(), QStringLiteral("Q4_K_M"));
        wizard().choices().setTypes({"blk.0.ffn_up.weight", "blk.1.ffn_up.weight"}, Dtype::Q8_0);
        QVERIFY(settle());
        m_bench->find<QAction>("copyOptions")->trigger();
        const QString text = QApplication::clipboard()->text();
        QVERIFY2(text.startsWith(QStringLiteral("--tensor-type '")) && text.contains(QStringLiteral("=Q8_0'")), qPrintable(text));
        QVERIFY2(text.endsWith(QStringLiteral(" Q4_K_M")), qPrintable(text));
    }
};

WB_GUI_TEST(MistakesTest)

} // namespace wb::test

#include "mistakes_test.moc"
