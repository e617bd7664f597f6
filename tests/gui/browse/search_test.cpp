// SPDX-License-Identifier: MIT
#include "tests/gui/browse/browse_bench.h"
#include "ui/browse/page_view.h"
#include "ui/browse/saved_searches.h"
#include "ui/widgets/message_bar.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QElapsedTimer>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>

#include <algorithm>

namespace wb::test {

// What the hubs are asked for, and the list of their answers.
class SearchTest : public QObject {
    Q_OBJECT

private slots:
    void asksNothingBeforeItIsSeen() {
        Bench bench;
        bench.tab->restoreSession({{QStringLiteral("text"), QStringLiteral("tiny")}});
        turnLoop();
        QCOMPARE(bench.asked(), std::size_t{0});
        bench.tab->show();
        QVERIFY(bench.settles());
        QVERIFY(bench.asked() > 0);
    }

    void listsBothHubsByDownloads() {
        Bench bench;
        QAbstractItemModelTester tester(bench.tab->table().model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        bench.tab->show();
        QVERIFY(bench.settles());
        while (bench.tab->session().hasMore()) {
            bench.tab->session().askForMore();
            QVERIFY(bench.settles());
        }
        const auto ids = bench.ids();
        QCOMPARE(ids.size(), std::size_t{9});
        QCOMPARE(ids.front(), std::string("many/model-6"));
        QVERIFY(std::ranges::find(ids, "达摩/小模型") != ids.end());
        for (std::size_t i = 1; i < ids.size(); ++i)
            QVERIFY(bench.tab->session().rows()[i - 1].downloads >= bench.tab->session().rows()[i].downloads);
    }

    void answersOnlyTheNewestQuestion() {
        Bench bench;
        bench.tab->show();
        QVERIFY(bench.settles());
        bench.servers.forget();
        for (const char* words : {"m", "ma", "man", "tiny"}) bench.text()->setText(QString::fromLatin1(words));
        QVERIFY(bench.settles());
        QCOMPARE(bench.ids(), std::vector<std::string>{"acme/tiny-gguf"});
        std::size_t lists = 0;
        for (const auto& recorded : bench.servers.recorded())
            if (recorded.request.listener == "HUB") ++lists;
        QCOMPARE(lists, std::size_t{1}); // typing without a pause is one question
    }

    void showsWhatItSawBeforeWhereNoHubAnswers() {
        Bench bench;
        bench.tab->show();
        QVERIFY(bench.search(QStringLiteral("tiny-gguf")));
        QVERIFY(bench.open(0));
        bench.servers.fault({.listener = "HUB",
                             .part = "",
                             .skip = 0,
                             .times = 1000,
                             .onlyRanged = false,
                             .change = [](const HttpRequest&, HttpResponse& response) { response = {.status = 404}; }});
        bench.makeTab();
        bench.tab->show();
        QVERIFY(bench.search(QStringLiteral("tiny-gguf")));
        QCOMPARE(bench.ids(), std::vector<std::string>{"acme/tiny-gguf"});
        QVERIFY(bench.tab->findChild<MessageBar*>()->isVisible());
        const auto says = [&bench](const QString& words) {
            const auto labels = bench.tab->findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&words](const QLabel* label) { return label->text().contains(words); });
        };
        QVERIFY(says(QStringLiteral("from cache")));
        bench.tab->findChild<QComboBox*>(QStringLiteral("browseHub"))->setCurrentIndex(1);
        QVERIFY(bench.search(QStringLiteral("never asked before")));
        QVERIFY(says(QStringLiteral("No response from the hubs.")));
        bench.tab->findChild<QComboBox*>(QStringLiteral("browseHub"))->setCurrentIndex(0);
        QVERIFY(bench.search(QStringLiteral("tiny-gguf")));
        QVERIFY(bench.open(0));
        QVERIFY(bench.tab->page().files()->topLevelItemCount() > 2);
    }

    // E15: a hub that asks for fewer requests while the user types.
    void survivesAStormOfRefusalsWhileTyping() {
        Bench bench;
        bench.tab->show();
        QVERIFY(bench.settles());
        bench.servers.forget();
        bench.servers.fault({.listener = "HUB",
                             .part = "/api/models",
                             .skip = 0,
                             .times = 2,
                             .onlyRanged = false,
                             .change = [](const HttpRequest&, HttpResponse& response) {
                                 response = {429, {{"RateLimit", "\"api\";r=0;t=5"}}, {}};
                             }});
        QElapsedTimer typing;
        typing.start();
        bench.text()->setText(QStringLiteral("many"));
        const auto countsDown = [&bench] {
            const auto labels = bench.tab->findChildren<QLabel*>();
            return std::ranges::any_of(labels,
                                       [](const QLabel* label) { return label->text().contains(QStringLiteral("Retrying in")); });
        };
        QVERIFY(QTest::qWaitFor(countsDown, 30000));
        for (const char* words : {"t", "ti", "tin", "tiny"}) bench.text()->setText(QString::fromLatin1(words));
        QVERIFY(bench.settles());
        QCOMPARE(bench.ids(), std::vector<std::string>{"acme/tiny-gguf"}); // of the last question only
        std::size_t asked = 0;
        bool hasAskedBetween = false;
        for (const auto& recorded : bench.servers.recorded()) {
            if (recorded.request.listener != "HUB") continue;
            ++asked;
            for (const char* words : {"search=t&", "search=ti&", "search=tin&"})
                hasAskedBetween = hasAskedBetween || recorded.request.target.find(words) != std::string::npos;
        }
        QVERIFY(!hasAskedBetween);
        QVERIFY(asked <= static_cast<std::size_t>(typing.elapsed() / BrowseSession::pauseMs + 1));
        QCOMPARE(bench.servers.violations(), std::vector<std::string>());
    }

    void countsDownWhileAHubWantsFewerRequests() {
        Bench bench;
        bench.servers.fault({.listener = "HUB",
                             .part = "/api/models",
                             .skip = 0,
                             .times = 1,
                             .onlyRanged = false,
                             .change = [](const HttpRequest&, HttpResponse& response) {
                                 response = {429, {{"RateLimit", "\"api\";r=0;t=2"}}, {}};
                             }});
        QSignalSpy changed(&bench.tab->session(), &BrowseSession::askingChanged);
        bench.tab->show();
        QVERIFY(QTest::qWaitFor([&] { return bench.tab->session().waiting().has_value(); }, 30000));
        const auto waiting = *bench.tab->session().waiting();
        QVERIFY(waiting.why.reason == Reason("hub.too_fast"));
        QVERIFY(bench.settles());
        QVERIFY(!bench.ids().empty());
    }

    void asksForWhatTheFiltersSay() {
        Bench bench;
        bench.tab->show();
        QVERIFY(bench.settles());
        const auto choose = [&](const char* name, int index) {
            bench.tab->findChild<QComboBox*>(QLatin1String(name))->setCurrentIndex(index);
        };
        choose("browseLicence", 1);
        choose("browseGate", 1);
        choose("browseLanguage", 1);
        choose("browseLibrary", 1);
        bench.tab->findChild<QLineEdit*>(QStringLiteral("browseAuthor"))->setText(QStringLiteral("acme"));
        QVERIFY(bench.settles());
        std::string last;
        for (const auto& recorded : bench.servers.recorded())
            if (recorded.request.listener == "HUB") last = recorded.request.target;
        for (const char* wanted : {"author=acme", "filter=license%3Aapache-2.0", "gated=false", "filter=zh", "filter=transformers"})
            QVERIFY2(last.find(wanted) != std::string::npos, last.c_str());
        const QJsonObject session = bench.tab->saveSession();
        bench.makeTab();
        bench.tab->restoreSession(session);
        QCOMPARE(bench.tab->saveSession(), session);
    }

    // Hubs cannot search by quantization type or capability, so the rows show both if they are known.
    void leavesOutOtherQuantsAndCapabilities() {
        Bench bench;
        ServedRepository sees{.id = "acme/sees", .downloads = 5, .tags = {"gguf", "image-text-to-text"}};
        sees.files = {formulaFile("sees-Q6_K-00001-of-00002.gguf", 1000, 9),
                      formulaFile("sees-Q6_K-00002-of-00002.gguf", 1000, 10)};
        bench.servers.add(sees);
        ServedRepository named = sees;
        named.id = "达摩/calls-tools-Q6_K";
        named.downloads = 4;
        bench.servers.addToModelScope(named);
        bench.tab->show();
        QVERIFY(bench.settles());
        const auto choose = [&](const char* name, const QString& text) {
            auto* box = bench.tab->findChild<QComboBox*>(QLatin1String(name));
            box->setCurrentIndex(std::max(0, box->findText(text)));
            return bench.settles();
        };
        const auto* hint = bench.tab->findChild<QLabel*>(QStringLiteral("browseHint"));
        QVERIFY(hint->isHidden());
        QVERIFY(choose("browseQuant", QStringLiteral("Q6_K")));
        QCOMPARE(bench.ids(), (std::vector<std::string>{"acme/sees", "达摩/calls-tools-Q6_K"}));
        QVERIFY(hint->isVisible() && hint->text().contains(QStringLiteral("ModelScope")));
        QVERIFY(choose("browseCapability", QStringLiteral("Tool use")));
        QCOMPARE(bench.ids(), (std::vector<std::string>{"达摩/calls-tools-Q6_K"}));
        QVERIFY(choose("browseCapability", QStringLiteral("Vision")));
        QCOMPARE(bench.ids(), (std::vector<std::string>{"acme/sees"}));
        QVERIFY(choose("browseQuant", QStringLiteral("Q4_K_M")));
        QCOMPARE(bench.ids(), std::vector<std::string>());
        QVERIFY(choose("browseCapability", {}));
        QVERIFY(!bench.ids().empty());
        for (const std::string& id : bench.ids()) QVERIFY2(id != "acme/sees" && !id.starts_with("达摩"), id.c_str());
    }

    void leavesOutRepositoriesOfAnotherSize() {
        Bench bench;
        bench.tab->show();
        QVERIFY(bench.settles());
        bench.tab->findChild<QComboBox*>(QStringLiteral("browseDisk"))->setCurrentIndex(4); // from 30 GB
        QVERIFY(bench.settles());
        QCOMPARE(bench.ids(), std::vector<std::string>());
        bench.tab->findChild<QComboBox*>(QStringLiteral("browseDisk"))->setCurrentIndex(1); // up to 2 GB
        QVERIFY(bench.settles());
        QVERIFY(!bench.ids().empty());
    }

    void keepsSearches() {
        Bench bench;
        bench.tab->show();
        QVERIFY(bench.settles());
        auto* sort = bench.tab->findChild<QComboBox*>(QStringLiteral("browseSort"));
        sort->setCurrentIndex(1);
        QVERIFY(bench.search(QStringLiteral("tiny")));
        auto* searches = bench.tab->findChild<SavedSearches*>();
        const auto trigger = [&searches](const QString& text) {
            emit searches->aboutToShow();
            for (QAction* action : searches->actions())
                if (action->text() == text) action->trigger();
        };
        trigger(QStringLiteral("Save this search"));
        QCOMPARE(searches->names(), QStringList{QStringLiteral("tiny · Most likes")});
        sort->setCurrentIndex(0);
        QVERIFY(bench.search(QStringLiteral("many")));
        const QJsonObject session = bench.tab->saveSession();
        bench.makeTab(); // the next start
        bench.tab->restoreSession(session);
        bench.tab->show();
        QVERIFY(bench.settles());
        searches = bench.tab->findChild<SavedSearches*>();
        bench.servers.forget();
        trigger(QStringLiteral("tiny · Most likes"));
        QVERIFY(bench.settles());
        QCOMPARE(bench.text()->text(), QStringLiteral("tiny"));
        QCOMPARE(bench.tab->findChild<QComboBox*>(QStringLiteral("browseSort"))->currentIndex(), 1);
        QCOMPARE(bench.ids(), (std::vector<std::string>{"acme/tiny-gguf"}));
        std::size_t lists = 0;
        for (const auto& recorded : bench.servers.recorded())
            if (recorded.request.listener == "HUB") ++lists;
        QCOMPARE(lists, std::size_t{1}); // however many filters changed
        searches->forget(QStringLiteral("tiny · Most likes"));
        QVERIFY(searches->names().isEmpty());
    }

    void marksModelsThatAreOnThisComputer() {
        Bench bench;
        bench.services.localModels = &bench.services.local;
        bench.makeTab();
        bench.tab->show();
        QVERIFY(bench.settles());
        const auto marked = [&bench] {
            QStringList names;
            const QAbstractItemModel& model = *bench.tab->table().model();
            for (int row = 0; row < model.rowCount(); ++row)
                if (model.index(row, 0).data(Qt::AccessibleDescriptionRole).toString() == QStringLiteral("Downloaded"))
                    names << model.index(row, 0).data().toString();
            return names;
        };
        QVERIFY(bench.tab->table().model()->rowCount() > 2);
        QCOMPARE(marked(), QStringList());
        LocalModel local;
        local.entry.origin = wb::library::Origin{"hf", "acme/tiny-gguf", ""};
        bench.services.local.set({local});
        QCOMPARE(marked(), QStringList(QStringLiteral("acme/tiny-gguf")));
    }
};

WB_GUI_TEST(SearchTest)

} // namespace wb::test

#include "search_test.moc"
