// SPDX-License-Identifier: MIT
#include "tests/gui/support/answer_when_asked.h"
#include "tests/gui/support/gui_test.h"
#include "tests/gui/support/test_services.h"

#include "core/formats/gguf/gguf.h"
#include "core/formats/gguf/writer.h"
#include "core/memory/serving/calibration.h"
#include "core/model/tensor_reader.h"
#include "ui/chat/chat_tab.h"
#include "ui/chat/composer.h"
#include "ui/chat/chat_session.h"
#include "ui/chat/choose_page.h"
#include "ui/chat/model_list.h"
#include "ui/chat/model_picker.h"
#include "ui/chat/transcript.h"
#include "ui/shell/jobs/job_runner.h"
#include "ui/widgets/paths.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>

namespace wb::test {

using ui::chat::Composer;
using ui::chat::ModelState;
using ui::chat::Transcript;

// A small storyteller answers in the tab.
class ChatTabTest : public QObject {
    Q_OBJECT

private:
    static constexpr std::size_t held = 40; // bytes
    static QString model() { return QStringLiteral(WEIGHBRIDGE_SHARED "/corpus/llm/stories260K.gguf"); }
    Composer* composer() const { return m_tab->findChild<Composer*>(); }
    QString transcript() const { return m_tab->findChild<Transcript*>()->toPlainText(); }
    QString status() const { return m_tab->findChild<QLabel*>(QStringLiteral("status"))->text(); }
    bool becomes(ModelState state) const {
        return QTest::qWaitFor([this, state] { return m_tab->session().state() == state; }, 60'000);
    }
    // The likeliest answers, which are long, and which stand still in their middle: whatever a test does to one, it has not ended.
    bool load() const {
        if (!m_tab->openPaths({model()}) || !becomes(ModelState::Ready)) return false;
        m_tab->findChild<QDoubleSpinBox*>(QStringLiteral("temperature"))->setValue(0);
        m_tab->session().model().holdAfter(held);
        return true;
    }
    void write(const QString& text) const {
        composer()->setFocus();
        composer()->setPlainText(text);
        QTest::keyClick(composer(), Qt::Key_Return);
    }
    // Waits until the answer stands still, and stops it.
    bool answerAndStop(std::size_t bytes = held) const {
        if (!QTest::qWaitFor([&] { return m_tab->session().messages().back().content.size() >= bytes; }, 60'000)) return false;
        if (m_tab->session().state() != ModelState::Answering) return false;
        QTest::keyClick(composer(), Qt::Key_Escape);
        return becomes(ModelState::Ready);
    }

    TestServices m_services{nullptr, {.threads = 2}};
    std::unique_ptr<ui::ChatTab> m_tab;

private Q_SLOTS:
    void init() {
        m_tab = std::make_unique<ui::ChatTab>(m_services);
        m_tab->show();
        m_tab->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_tab.get()));
    }
    void cleanup() { m_tab.reset(); }

    void anAnswerStreamsAndEscStopsIt() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QVERIFY(load());
        write(QStringLiteral("Once upon a time"));
        QCOMPARE(m_tab->session().state(), ModelState::Answering);
        QCOMPARE(composer()->toPlainText(), QString());
        QVERIFY(answerAndStop());
        QCOMPARE(m_tab->session().messages().size(), 2u);
        const QString answer =
            QString::fromStdString(m_tab->session().messages().back().content).simplified(); // Markdown joins spaces
        QVERIFY2(transcript().simplified().contains(answer), qPrintable(transcript()));
        QVERIFY(transcript().contains(QStringLiteral("Stopped by you.")));
        QVERIFY2(status().contains(QStringLiteral("tokens")), qPrintable(status()));
    }

    // A context length of the settings is that of the loaded model, and the answer is headed by the model's name.
    void aModelIsReloadedWithItsSettings() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QVERIFY(load());
        auto* context = m_tab->findChild<QSpinBox*>(QStringLiteral("contextLength"));
        auto* reload = m_tab->findChild<QPushButton*>(QStringLiteral("reloadModel"));
        context->setValue(64);
        QVERIFY(!reload->isHidden());
        reload->click();
        QVERIFY(becomes(ModelState::Ready));
        QCOMPARE(m_tab->session().model().facts().context, std::size_t{64});
        QVERIFY(reload->isHidden());
        write(QStringLiteral("Once upon a time"));
        QVERIFY(answerAndStop());
        QVERIFY2(transcript().contains(QStringLiteral("stories260K")), qPrintable(transcript()));
        QCOMPARE(m_tab->session().save().value(QStringLiteral("modelSettings")).toObject().value(QStringLiteral("context")).toInt(),
                 64);
    }

    void aSecondTurnSeesTheFirst() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QVERIFY(load());
        write(QStringLiteral("Once upon a time"));
        QVERIFY(answerAndStop());
        write(QStringLiteral("The end. Once"));
        m_tab->session().stop();
        QVERIFY(becomes(ModelState::Ready));
        QCOMPARE(m_tab->session().messages().size(), 4u);
        for (QAction* action : m_tab->actions())
            if (action->text() == QStringLiteral("New chat")) action->trigger();
        QVERIFY(m_tab->session().messages().empty());
        QCOMPARE(transcript(), QString());
    }

    // What a load took is remembered beside what was planned, for the Memory tab.
    void aLoadIsRemembered() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        const QTemporaryDir folder;
        m_services.stateFolder = folder.path();
        QVERIFY(load());
        m_services.stateFolder.clear();
        const auto loads = memory::readLoads(memory::loadsFile(ui::fsPath(folder.path())));
        QVERIFY2(loads, loads ? "" : loads.error().message().c_str());
        QCOMPARE(loads->size(), std::size_t{1});
        const memory::MeasuredLoad& taken = loads->front();
        QCOMPARE(taken.runtime, std::string("weighbridge"));
        QCOMPARE(taken.device, std::string("cpu"));
        QCOMPARE(taken.model, std::string("stories260K.gguf"));
        QVERIFY(taken.measured > 1'000'000);
        const double difference = static_cast<double>(taken.measured) - static_cast<double>(taken.estimated);
        QVERIFY(std::abs(difference) <= 0.03 * static_cast<double>(taken.estimated));
        QVERIFY(taken.parts[memory::PartKind::Weights] > 0 && taken.parts[memory::PartKind::Keys] > 0);
    }

    void shiftEnterBeginsALine() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QVERIFY(load());
        composer()->setFocus();
        QTest::keyClicks(composer(), QStringLiteral("one"));
        QTest::keyClick(composer(), Qt::Key_Return, Qt::ShiftModifier);
        QTest::keyClicks(composer(), QStringLiteral("two"));
        QCOMPARE(composer()->toPlainText(), QStringLiteral("one\ntwo"));
        QVERIFY(m_tab->session().messages().empty());
    }

    void whatIsNoModelIsRefusedVisibly() {
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("no-model.gguf")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("GGUF, but not really");
        file.close();
        QSignalSpy messages(m_tab.get(), &ui::Tab::message);
        QVERIFY(m_tab->openPaths({file.fileName()}));
        QVERIFY(becomes(ModelState::Failed));
        QCOMPARE(messages.size(), 1);
        auto* error = m_tab->findChild<QLabel*>(QStringLiteral("error"));
        QVERIFY(error->isVisible());
        QVERIFY2(error->text().contains(QStringLiteral("no-model.gguf")), qPrintable(error->text()));
    }

    void aModelThatIsRefusedLeavesTheLoadedOneAlone() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QVERIFY(load());
        const QTemporaryDir folder;
        const QString cut = folder.filePath(QStringLiteral("cut.gguf"));
        QVERIFY(QFile::copy(model(), cut) && QFile::resize(cut, QFileInfo(model()).size() / 2));
        QSignalSpy messages(m_tab.get(), &ui::Tab::message);
        QVERIFY(m_tab->openPaths({cut}));
        QTRY_COMPARE(messages.size(), 1);
        QVERIFY2(messages[0][0].toString().contains(QStringLiteral("cut.gguf")), qPrintable(messages[0][0].toString()));
        QCOMPARE(m_tab->session().state(), ModelState::Ready);
        QCOMPARE(m_tab->session().model().path(), model());
        QCOMPARE(m_tab->findChild<QLabel*>(QStringLiteral("model"))->text(), QStringLiteral("stories260K.gguf"));
        write(QStringLiteral("Once upon a time"));
        QVERIFY(answerAndStop());
    }

    // For a base model the page shows a notice, and one click sets a template that the next answer uses.
    void aModelWithoutATemplateSaysSoAndOffersOne() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QVERIFY(load());
        auto* bar = m_tab->findChild<QWidget*>(QStringLiteral("templateBar"));
        QVERIFY(bar->isVisible());
        auto* use = m_tab->findChild<QPushButton*>(QStringLiteral("useTemplate"));
        QCOMPARE(use->text(), QStringLiteral("Use the Alpaca template"));
        use->click();
        QVERIFY(!bar->isVisible());
        QVERIFY(m_tab->session().settings().chatTemplate.find("### Response:") != std::string::npos);
        QCOMPARE(m_tab->findChild<QComboBox*>(QStringLiteral("chatTemplate"))->currentText(), QStringLiteral("Alpaca"));
        write(QStringLiteral("Hi"));
        QVERIFY(answerAndStop());
        const std::size_t used = m_tab->session().model().contextUsed();
        QVERIFY2(used > 20, qPrintable(QString::number(used))); // the words of the template were read, too
    }

    static ui::LocalModel listed(const QString& path, const char* name, std::int64_t lastUsed) {
        ui::LocalModel local;
        local.entry.name = name;
        local.entry.path = ui::fsPath(path);
        local.entry.facts.format = FormatId::Gguf;
        local.entry.facts.quant = "Q4_K_M";
        library::StoredFile file;
        file.role = library::FileRole::Weights;
        file.identity.bytes = 1ull << 30;
        file.accessed = lastUsed;
        local.entry.files = {file};
        return local;
    }

    void choicesAreListedRecentFirst() {
        ui::chat::ModelChoices choices;
        const QAbstractItemModelTester tester(&choices, QAbstractItemModelTester::FailureReportingMode::QtTest);
        ui::LocalModel good = listed(QStringLiteral("/m/good.gguf"), "good", 10);
        good.check = infer::RunCheck{{}, true, {}};
        ui::LocalModel damaged = listed(QStringLiteral("/m/damaged.gguf"), "damaged", 99);
        damaged.entry.facts.isDamaged = true;
        ui::LocalModel folder = listed(QStringLiteral("/m/folder"), "folder", 99);
        folder.entry.facts.format = FormatId::Safetensors;
        const QList<ui::LocalModel> models{damaged, folder, good, listed(QStringLiteral("/m/used.gguf"), "used", 50),
                                           listed(QStringLiteral("/m/last.gguf"), "last", 1)};
        choices.setModels(models, {QStringLiteral("/m/last.gguf"), QStringLiteral("/elsewhere/own.gguf")});
        const auto names = [&] {
            QStringList all;
            for (int row = 0; row < choices.rowCount(); ++row)
                all << choices.index(row, ui::chat::ModelChoices::Name).data().toString();
            return all;
        };
        QCOMPARE(names(), QStringList({QStringLiteral("last"), QStringLiteral("own.gguf"), QStringLiteral("used"),
                                       QStringLiteral("good"), QStringLiteral("damaged")}));
        const auto cell = [&](int row, int column) { return choices.index(row, column).data().toString(); };
        QCOMPARE(cell(0, ui::chat::ModelChoices::Size), QStringLiteral("1.07 GB"));
        QCOMPARE(cell(1, ui::chat::ModelChoices::Size), QStringLiteral("–"));
        QCOMPARE(cell(3, ui::chat::ModelChoices::Fits), QStringLiteral("fits"));
        QCOMPARE(cell(4, ui::chat::ModelChoices::Fits), QStringLiteral("damaged"));
        choices.setModels(
            models, {QStringLiteral("/m/last.gguf")},
            {QStringLiteral("/x/Seen-1B.Q4_0.gguf"), QStringLiteral("/m/good.gguf"), QStringLiteral("/x/seen.safetensors")});
        QCOMPARE(names(), QStringList({QStringLiteral("last"), QStringLiteral("Seen-1B.Q4_0.gguf"), QStringLiteral("used"),
                                       QStringLiteral("good"), QStringLiteral("damaged")}));
        QCOMPARE(cell(1, ui::chat::ModelChoices::Type), QStringLiteral("Q4_0"));
        choices.setModels(models, {QStringLiteral("/m/last.gguf"), QStringLiteral("/elsewhere/own.gguf")});
        choices.setFilter(QStringLiteral("q4 GOO"));
        QCOMPARE(names(), QStringList(QStringLiteral("good")));
        choices.setFilter(QStringLiteral("elsewhere"));
        QCOMPARE(names(), QStringList(QStringLiteral("own.gguf")));
    }

    // Ctrl+L, a part of the name, Enter.
    void theModelIsChangedByTheKeyboard() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        const QTemporaryDir folder;
        const QString other = folder.filePath(QStringLiteral("other.gguf"));
        QVERIFY(QFile::copy(model(), other));
        m_services.localModels = &m_services.local;
        QSignalSpy requested(&m_services.local, &ui::LocalModels::requested);
        m_tab = std::make_unique<ui::ChatTab>(m_services);
        m_tab->show();
        QCOMPARE(requested.size(), 1);
        m_services.local.set({listed(model(), "storyteller", 5), listed(other, "another teller", 6)});
        auto* page = m_tab->findChild<ui::chat::ChoosePage*>();
        QVERIFY(page->isVisible());
        QCOMPARE(page->list()->model()->rowCount(), 2);
        QVERIFY(load());
        for (QAction* action : m_tab->actions())
            if (action->shortcut() == QKeySequence(Qt::CTRL | Qt::Key_L)) action->trigger();
        auto* picker = m_tab->findChild<ui::chat::ModelPicker*>();
        QTRY_VERIFY(picker->isVisible());
        auto* filter = picker->findChild<QLineEdit*>(QStringLiteral("modelFilter"));
        QTest::keyClicks(filter, QStringLiteral("another"));
        QCOMPARE(picker->list()->model()->rowCount(), 1);
        QTest::keyClick(filter, Qt::Key_Return);
        QVERIFY(!picker->isVisible());
        QTRY_COMPARE(m_tab->session().model().path(), other);
        QVERIFY(becomes(ModelState::Ready));
        QCOMPARE(picker->list()->model()->index(0, 0).data(ui::chat::ModelChoices::PathRole).toString(), other);
        m_tab.reset();
        m_services.localModels = nullptr;
        m_services.local.set({});
    }

    void codeInAModelIsAskedAboutBeforeItIsLoaded() {
        WB_NEED_SHARED_QT("corpus/picklescan/data/malicious1_v4.pkl");
        ui::QueuedJobRunner jobs;
        m_services.jobs = &jobs;
        m_tab = std::make_unique<ui::ChatTab>(m_services);
        const QString file = QStringLiteral(WEIGHBRIDGE_SHARED "/corpus/picklescan/data/malicious1_v4.pkl");
        AnswerWhenAsked no(QMessageBox::RejectRole);
        QVERIFY(m_tab->openPaths({file}));
        QVERIFY(QTest::qWaitFor([&] { return no.wasAsked(); }));
        QVERIFY2(no.question().contains(QStringLiteral("eval")), qPrintable(no.question()));
        QCOMPARE(m_tab->session().state(), ModelState::None);
        AnswerWhenAsked yes(QMessageBox::DestructiveRole);
        QVERIFY(m_tab->openPaths({file}));
        QVERIFY(QTest::qWaitFor([&] { return yes.wasAsked(); }));
        QVERIFY(becomes(ModelState::Failed)); // it is no model to talk to
        // Another model that is chosen while a scan runs takes its place.
        QVERIFY(m_tab->openPaths({file}));
        if (!QFile::exists(model())) return;
        QVERIFY(m_tab->openPaths({model()}) && becomes(ModelState::Ready));
        QTRY_COMPARE(jobs.unfinishedCount(), 0);
        QCOMPARE(m_tab->session().state(), ModelState::Ready);
        m_tab.reset();
        m_services.jobs = nullptr;
    }

    // The storyteller with a template that other programs would run as code.
    static QString writeWithTemplate(const QTemporaryDir& folder) {
        const auto source = *io::FileSource::open(ui::fsPath(model()));
        auto pairs = *gguf::readStoredPairs(*source);
        gguf::setPair(pairs,
                      gguf::makePair("tokenizer.chat_template",
                                     std::string_view("{% if false %}{{ ''.__class__ }}{% endif %}{{ messages[0].content }}")));
        const auto opened = *gguf::open(source, {});
        std::vector<gguf::WrittenTensor> tensors;
        for (const TensorInfo& tensor : opened->tensors) tensors.push_back({tensor.name, tensor.shape, tensor.dtype});
        const auto layout = *gguf::layOut(pairs, tensors);
        std::string content = layout.header;
        content.resize(layout.fileBytes);
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            const auto reader = *TensorReader::open(*opened, opened->tensors[i]);
            const auto out =
                std::as_writable_bytes(std::span(content)).subspan(layout.offsets[i], reader.byteCount(reader.elements()));
            if (!reader.readRaw(0, reader.elements(), out)) return {};
        }
        QFile file(folder.filePath(QStringLiteral("template.gguf")));
        if (!file.open(QIODevice::WriteOnly)) return {};
        file.write(QByteArray::fromStdString(content));
        return file.fileName();
    }

    void aTemplateThatReachesForCodeIsAskedAbout() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        const QTemporaryDir folder;
        const QString file = writeWithTemplate(folder);
        QVERIFY(!file.isEmpty());
        QVERIFY(load());
        AnswerWhenAsked no(QMessageBox::RejectRole);
        QVERIFY(m_tab->openPaths({file}));
        QVERIFY(QTest::qWaitFor([&] { return no.wasAsked(); }));
        QVERIFY2(no.question().contains(QStringLiteral("chat template")), qPrintable(no.question()));
        QVERIFY(QTest::qWaitFor([] { return !QApplication::activeModalWidget(); }));
        QCOMPARE(m_tab->session().state(), ModelState::Ready);
        QSignalSpy opened(m_tab.get(), &ui::ChatTab::opened);
        AnswerWhenAsked yes(QMessageBox::DestructiveRole);
        QVERIFY(m_tab->openPaths({file}));
        QVERIFY(QTest::qWaitFor([&] { return !opened.isEmpty(); }, 60'000));
        QVERIFY(yes.wasAsked());
        QCOMPARE(opened[0][0].toString(), file);
        QVERIFY(becomes(ModelState::Ready));
    }

    void aMessageThatDoesNotFitComesBack() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QVERIFY(load());
        const QString text = QStringLiteral("a dog and ").repeated(2000);
        write(text);
        QVERIFY(becomes(ModelState::Ready));
        QTRY_VERIFY(m_tab->session().messages().empty());
        QCOMPARE(composer()->toPlainText(), text);
        QVERIFY2(status().contains(QStringLiteral("context")), qPrintable(status()));
        QVERIFY2(!m_tab->findChild<QWidget*>(QStringLiteral("contextChoices"))->isVisible(), "a new chat would not help");
    }

    void anotherVersionOfAnAnswerIsABranch() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QVERIFY(load());
        write(QStringLiteral("Once upon a time"));
        QVERIFY(answerAndStop());
        const auto first = m_tab->session().messages();
        m_tab->session().model().holdAfter(2 * held); // so that the versions differ
        m_tab->findChild<Transcript*>()->follow(QStringLiteral("a:again:%1").arg(m_tab->session().conversation().head.leaf));
        QCOMPARE(m_tab->session().state(), ModelState::Answering);
        QVERIFY(answerAndStop(2 * held));
        QCOMPARE(m_tab->session().messages().size(), 2u);
        QVERIFY(m_tab->session().messages() != first);
        QVERIFY2(transcript().contains(QStringLiteral("Version 2 of 2")), qPrintable(transcript()));
        m_tab->findChild<Transcript*>()->follow(QStringLiteral("a:previous:%1").arg(m_tab->session().conversation().head.leaf));
        QCOMPARE(m_tab->session().messages(), first);
        QVERIFY(transcript().contains(QStringLiteral("Version 1 of 2")));
    }

    void aChangedMessageIsABranch() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QVERIFY(load());
        write(QStringLiteral("Once upon a time"));
        QVERIFY(answerAndStop());
        const qint64 message = m_tab->session().conversation().branch().front()->id;
        m_tab->findChild<Transcript*>()->follow(QStringLiteral("a:edit:%1").arg(message));
        QCOMPARE(composer()->toPlainText(), QStringLiteral("Once upon a time"));
        QVERIFY(m_tab->findChild<QWidget*>(QStringLiteral("editBar"))->isVisible());
        QTest::keyClick(composer(), Qt::Key_Escape); // leaves it as it was
        QCOMPARE(composer()->toPlainText(), QString());
        m_tab->editTurn(message);
        write(QStringLiteral("There was a dog"));
        QVERIFY(answerAndStop());
        QCOMPARE(m_tab->session().messages().size(), 2u);
        QCOMPARE(m_tab->session().messages().front().content, std::string("There was a dog"));
        QCOMPARE(m_tab->session().conversation().turns().size(), 4u);
        m_tab->session().showVersion(m_tab->session().conversation().branch().front()->id, -1);
        QCOMPARE(m_tab->session().messages().front().content, std::string("Once upon a time"));
        QCOMPARE(m_tab->session().messages().size(), 2u);
    }

    void aStoppedAnswerGoesOn() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QVERIFY(load());
        write(QStringLiteral("Once upon a time"));
        QVERIFY(answerAndStop());
        const std::string before = m_tab->session().messages().back().content;
        const std::int64_t tokens = m_tab->session().conversation().turns().back().facts.tokens;
        m_tab->findChild<Transcript*>()->follow(QStringLiteral("a:continue:%1").arg(m_tab->session().conversation().head.leaf));
        QVERIFY(answerAndStop(before.size() + held));
        QCOMPARE(m_tab->session().messages().size(), 2u);
        QVERIFY(m_tab->session().messages().back().content.starts_with(before));
        QVERIFY(m_tab->session().conversation().turns().back().facts.tokens > tokens);
    }

    void aFullContextOffersAChoice() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QVERIFY(load());
        write(QStringLiteral("Once upon a time"));
        QVERIFY(answerAndStop()); // a first pair, which can be left out
        m_tab->session().model().holdAfter(0);
        auto* choices = m_tab->findChild<QWidget*>(QStringLiteral("contextChoices"));
        while (!choices->isVisible()) { // to the end of its 2,048 tokens, however many stories those are
            write(QStringLiteral("And then one day"));
            QVERIFY(becomes(ModelState::Ready));
        }
        const std::size_t turns = m_tab->session().messages().size();
        QTest::mouseClick(m_tab->findChild<QPushButton*>(QStringLiteral("leaveOut")), Qt::LeftButton);
        QVERIFY(!choices->isVisible());
        QVERIFY(transcript().contains(QStringLiteral("no longer in the model")));
        QCOMPARE(m_tab->session().messages().size(), turns);
    }

    // What is set beside the conversation reaches the model: a limit of tokens, and a seed that repeats the answer.
    void settingsOfTheConversationAreObeyed() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QVERIFY(load());
        QVERIFY(m_tab->findChild<QLabel*>(QStringLiteral("plan"))->text().contains(QStringLiteral("context of 2,048 tokens")));
        m_tab->session().model().holdAfter(0);
        m_tab->findChild<QDoubleSpinBox*>(QStringLiteral("temperature"))->setValue(0.5);
        m_tab->findChild<QSpinBox*>(QStringLiteral("maxTokens"))->setValue(12);
        m_tab->findChild<QSpinBox*>(QStringLiteral("seed"))->setValue(7);
        std::string first;
        for (int i = 0; i < 2; ++i) {
            m_tab->startAgain();
            write(QStringLiteral("Once upon a time"));
            QVERIFY(becomes(ModelState::Ready));
            QCOMPARE(m_tab->session().conversation().turns().back().facts.tokens, std::int64_t{12});
            QVERIFY(m_tab->session().conversation().turns().back().facts.end == infer::FinishReason::Length);
            if (i == 0) first = m_tab->session().messages().back().content;
        }
        QCOMPARE(m_tab->session().messages().back().content, first);
        QVERIFY(transcript().contains(QStringLiteral("max tokens reached")));
    }

    void theContextMeterSaysHowFullItIs() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QVERIFY(load());
        write(QStringLiteral("Once upon a time"));
        QVERIFY(answerAndStop());
        auto* meter = m_tab->findChild<QProgressBar*>(QStringLiteral("context"));
        QTRY_VERIFY(meter->value() > 0);
        QVERIFY2(meter->accessibleDescription().contains(QStringLiteral("of 2,048 tokens")),
                 qPrintable(meter->accessibleDescription()));
    }

    // Answers the dialog that asks where to save, and its question about a file that is there.
    void exportTo(const QString& target) const {
        AnswerWhenAsked replace(QMessageBox::YesRole);
        QTimer::singleShot(20, m_tab.get(), [target] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (!dialog) return;
            dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(target);
            QMetaObject::invokeMethod(dialog, "accept");
        });
        m_tab->session().requestExport(m_tab->session().conversation().head.id);
    }

    void anExportReplacesNoOpenModel() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        const QTemporaryDir folder;
        const QString own = folder.filePath(QStringLiteral("own.gguf")), other = folder.filePath(QStringLiteral("other.gguf"));
        QVERIFY(QFile::copy(model(), own) && QFile::copy(model(), other));
        ui::QueuedJobRunner jobs;
        m_services.jobs = &jobs;
        m_services.models.set(QStringLiteral("inspect"), {{other, nullptr}});
        QVERIFY(m_tab->openPaths({own}) && becomes(ModelState::Ready));
        QCOMPARE(m_services.models.paths(m_tab->id()), QStringList(own));
        QSignalSpy messages(m_tab.get(), &ui::Tab::message);
        for (const QString& target : {own, other}) {
            messages.clear();
            exportTo(target);
            QTRY_COMPARE(messages.size(), 1);
            QVERIFY2(messages[0][0].toString().contains(QStringLiteral("would be overwritten")),
                     qPrintable(messages[0][0].toString()));
            QCOMPARE(QFileInfo(target).size(), QFileInfo(model()).size());
        }
        messages.clear();
        exportTo(folder.filePath(QStringLiteral("chat.md")));
        QTRY_COMPARE(messages.size(), 1);
        QVERIFY2(!messages[0][1].toBool() && QFile::exists(folder.filePath(QStringLiteral("chat.md"))),
                 qPrintable(messages[0][0].toString()));
        m_tab.reset();
        QVERIFY2(m_services.models.paths(QStringLiteral("chat")).isEmpty(), "a tab that goes away closes its models");
        m_services.models.set(QStringLiteral("inspect"), {});
        m_services.jobs = nullptr;
    }

    void recentModelsComeBack() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QVERIFY(load());
        ui::ChatTab other(m_services);
        other.restoreSession(m_tab->saveSession());
        QCOMPARE(other.saveSession(), m_tab->saveSession());
        QVERIFY(m_tab->saveSession().value(QStringLiteral("recent")).toVariant().toStringList().contains(model()));
    }

    void itMayGoAwayInTheMiddle() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QVERIFY(load());
        write(QStringLiteral("Once upon a time"));
        m_tab.reset();
        m_tab = std::make_unique<ui::ChatTab>(m_services);
        m_tab->openPaths({model()}); // and while loading
    }
};

WB_GUI_TEST(ChatTabTest)

} // namespace wb::test

#include "chat_tab_test.moc"
