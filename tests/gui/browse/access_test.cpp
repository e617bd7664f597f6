// SPDX-License-Identifier: MIT
#include "tests/gui/browse/browse_bench.h"
#include "core/io/disk_space.h"
#include "ui/browse/page_view.h"
#include "ui/browse/tokens_dialog.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/paths.h"

#include <QAction>
#include <QCheckBox>
#include <QDesktopServices>
#include <QFile>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QUrl>

namespace wb::test {

// What is in the way of a download: terms, tokens, a full disk, a hub that fails.
class AccessTest : public QObject {
    Q_OBJECT

public slots:
    void takeUrl(const QUrl& url) { m_urls << url; } // instead of the web browser

private:
    QList<QUrl> m_urls;

private slots:
    // For a gated model the list shows how to get access; "Resume" downloads it after the terms are accepted.
    void waitsForConsentToTerms() {
        Bench bench;
        ServedRepository gated{.id = "acme/gated", .gated = "auto", .downloads = 1, .tags = {"gguf"}};
        gated.files = {formulaFile("gated-Q8_0.gguf", 50'003, 9)};
        bench.servers.add(gated);
        bench.tab->show();
        QVERIFY(bench.search(QStringLiteral("gated")));
        QVERIFY(bench.open(0));
        bench.tab->findChild<QPushButton*>(QStringLiteral("download"))->click();
        Downloads& downloads = bench.tab->downloads();
        const auto state = [&] { return downloads.queue().entries().front().state; };
        QVERIFY(
            QTest::qWaitFor([&] { return downloads.rowCount() == 1 && state() == hub::QueuedDownload::State::Blocked; }, 30000));
        QVERIFY(downloads.queue().entries().front().error->reason == Reason("hub.gated"));
        QVERIFY(bench.tab->workSource()->items().first().state == WorkState::Failed);
        const QString sentence = bench.tab->workSource()->items().first().reason;
        QVERIFY2(sentence.contains(QStringLiteral("accept its terms")), qPrintable(sentence));
        QVERIFY2(!sentence.contains(u'@'), qPrintable(sentence)); // the user typed no commit, so none is shown
        QDesktopServices::setUrlHandler(QStringLiteral("http"), this, "takeUrl");
        emit bench.tab->findChild<MessageBar*>()->actionChosen();
        QDesktopServices::unsetUrlHandler(QStringLiteral("http"));
        QCOMPARE(m_urls, QList<QUrl>{QUrl(QString::fromStdString(bench.servers.url("HUB") + "/acme/gated"))});
        bench.servers.change("acme/gated", [](ServedRepository& repository) { repository.gated.clear(); });
        downloads.resume(downloads.queue().entries().front().id);
        QVERIFY(QTest::qWaitFor([&] { return state() == hub::QueuedDownload::State::Done; }, 30000));
    }

    // The token is typed once, kept in the keychain, used by the next window, and sent to its own hub only.
    void keepsATokenInTheKeychain() {
        Bench bench;
        ServedRepository gated{.id = "acme/gated", .gated = "auto", .downloads = 1, .tags = {"gguf"}};
        gated.files = {formulaFile("gated-Q8_0.gguf", 50'003, 9)};
        bench.servers.add(gated);
        bench.tab->show();
        bench.tab->findChild<QAction*>(QStringLiteral("browseTokens"))->trigger();
        const auto dialog = [&] { return bench.tab->window()->findChild<TokensDialog*>(); };
        QVERIFY(QTest::qWaitFor([&] { return dialog() != nullptr; }, 30000));
        dialog()->findChild<QLineEdit*>(QStringLiteral("token-hf"))->setText(QLatin1String(Servers::token));
        dialog()->findChild<QCheckBox*>(QStringLiteral("consent-hf"))->setChecked(true); // the endpoint is no hub itself
        dialog()->accept();
        QCOMPARE(bench.keychain.kept.at(hub::Hub::HuggingFace), std::string(Servers::token));
        const auto fetch = [&](const QString& words) {
            if (!bench.search(words) || !bench.open(0)) return false;
            bench.tab->findChild<QPushButton*>(QStringLiteral("download"))->click();
            Downloads& downloads = bench.tab->downloads();
            return QTest::qWaitFor(
                [&] {
                    return downloads.rowCount() > 0 && downloads.runningCount() == 0 &&
                           downloads.queue().entries().front().state == hub::QueuedDownload::State::Done;
                },
                30000);
        };
        QVERIFY(fetch(QStringLiteral("gated")));
        bench.makeTab();
        bench.tab->show();
        QCOMPARE(bench.tab->tokens().get(hub::Hub::HuggingFace).token, std::string(Servers::token));
        QCOMPARE(bench.tab->tokens().get(hub::Hub::ModelScope).token, std::string());
        QCOMPARE(bench.servers.violations(), std::vector<std::string>());
        QFile session(bench.home.filePath(QStringLiteral("state/downloads.json")));
        if (session.open(QIODevice::ReadOnly)) QVERIFY(!session.readAll().contains(Servers::token));
    }

    void asksBeforeTheDiskIsAllButFull() {
        Bench bench;
        const std::uint64_t free = io::freeSpace(fsPath(bench.home.path())).value_or(0);
        constexpr std::uint64_t gigabyte = std::uint64_t{1} << 30;
        if (free < 4 * gigabyte) QSKIP("the disk of this machine has no room to spare");
        ServedRepository big{.id = "acme/big", .downloads = 5, .tags = {"gguf"}};
        for (const auto& [name, bytes] :
             {std::pair("tight-Q8_0.gguf", free - gigabyte), std::pair("never-Q4_0.gguf", free + gigabyte)}) {
            ServedFile file = textFile(name, "x");
            file.listedSize = std::to_string(bytes);
            file.isLarge = true;
            big.files.push_back(file);
        }
        bench.servers.add(big);
        bench.tab->show();
        bench.tab->downloads().pauseAll(true);
        bench.tab->openPaths({QStringLiteral("hf:acme/big")});
        QTRY_VERIFY(bench.tab->page().page() != nullptr);
        const auto question = [&] { return bench.tab->window()->findChild<QMessageBox*>(QStringLiteral("tightDisk")); };
        const auto answer = [&](const QString& name) {
            for (QAbstractButton* button : question()->buttons())
                if (button->text().remove(u'&') == name) button->click();
        };
        emit bench.tab->page().downloadWanted({QStringLiteral("never-Q4_0.gguf")});
        auto* bar = bench.tab->findChild<MessageBar*>();
        QTRY_VERIFY(bar->isVisible());
        QVERIFY(!question());
        QCOMPARE(bench.tab->downloads().rowCount(), 0);
        for (const QString& name : {QStringLiteral("Cancel"), QStringLiteral("Download")}) {
            emit bench.tab->page().downloadWanted({QStringLiteral("tight-Q8_0.gguf")});
            QTRY_VERIFY(question());
            answer(name);
            QTRY_VERIFY(!question());
            QCOMPARE(bench.tab->downloads().rowCount(), name == QStringLiteral("Cancel") ? 0 : 1);
        }
    }

    void findsTheSameBytesOnTheOtherHub() {
        Bench bench;
        ServedRepository both{.id = "acme/both", .downloads = 1, .tags = {"gguf"}};
        both.files = {formulaFile("both-Q8_0.gguf", 50'003, 9)};
        bench.servers.add(both);
        bench.servers.addToModelScope(both);
        bench.tab->show();
        QVERIFY(bench.search(QStringLiteral("both")));
        QVERIFY(bench.open(0));
        QVERIFY(QTest::qWaitFor([&] { return bench.tab->page().page()->twin.has_value(); }, 30000));
        QCOMPARE(bench.tab->page().page()->twin->files, std::size_t{1});
        bench.servers.fault({.listener = "CDN",
                             .part = "",
                             .skip = 0,
                             .times = 1000,
                             .onlyRanged = false,
                             .change = [](const HttpRequest&, HttpResponse& response) { response = {.status = 404}; }});
        QSignalSpy downloaded(bench.tab.get(), &BrowseTab::downloaded);
        bench.tab->findChild<QPushButton*>(QStringLiteral("download"))->click();
        QVERIFY(QTest::qWaitFor([&] { return downloaded.size() == 1; }, 60000)); // from whichever hub has it
    }
};

WB_GUI_TEST(AccessTest)

} // namespace wb::test

#include "access_test.moc"
