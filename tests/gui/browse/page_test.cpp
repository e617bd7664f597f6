// SPDX-License-Identifier: MIT
#include "tests/gui/browse/browse_bench.h"
#include "ui/browse/card_view.h"
#include "ui/browse/page_view.h"
#include "ui/browse/remote_models.h"
#include "ui/inspect/inspect_tab.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QToolButton>
#include <QTreeWidget>

#include <cstring>

namespace wb::test {

namespace {

// The tensors of a safetensors file in two files.
std::vector<std::string> halves(const QByteArray& file) {
    quint64 length = 0;
    std::memcpy(&length, file.constData(), sizeof length);
    QJsonObject header = QJsonDocument::fromJson(file.mid(8, static_cast<qsizetype>(length))).object();
    header.remove(QStringLiteral("__metadata__"));
    const QByteArray data = file.mid(static_cast<qsizetype>(8 + length));
    std::vector<std::string> parts;
    const QStringList names = header.keys();
    for (const QStringList& half : {names.mid(0, names.size() / 2), names.mid(names.size() / 2)}) {
        QJsonObject part;
        QByteArray bytes;
        for (const QString& name : half) {
            QJsonObject tensor = header.value(name).toObject();
            const QJsonArray place = tensor.value(QStringLiteral("data_offsets")).toArray();
            const auto begin = static_cast<qsizetype>(place[0].toInteger()), end = static_cast<qsizetype>(place[1].toInteger());
            tensor.insert(QStringLiteral("data_offsets"), QJsonArray{bytes.size(), bytes.size() + end - begin});
            bytes += data.mid(begin, end - begin);
            part.insert(name, tensor);
        }
        const QByteArray json = QJsonDocument(part).toJson(QJsonDocument::Compact);
        const auto size = static_cast<quint64>(json.size());
        parts.push_back(std::string(reinterpret_cast<const char*>(&size), sizeof size) + json.toStdString() + bytes.toStdString());
    }
    return parts;
}

} // namespace

// The page of one repository.
class PageTest : public QObject {
    Q_OBJECT

private slots:
    void showsThePageOfAModel() {
        Bench bench;
        bench.tab->show();
        QVERIFY(bench.search(QStringLiteral("tiny-gguf")));
        QVERIFY(bench.open(0));
        const QTreeWidget* files = bench.tab->page().files();
        QStringList labels;
        for (int i = 0; i < files->topLevelItemCount(); ++i) labels << files->topLevelItem(i)->text(0);
        QVERIFY2(labels.first().startsWith(QStringLiteral("Q4_K_M")), qPrintable(labels.join(u',')));
        QVERIFY2(labels[1].contains(QStringLiteral("recommended")), qPrintable(labels.join(u','))); // Q8_0 is the smaller one here
        QCOMPARE(bench.tab->page().chosenFiles(),
                 (QStringList{QStringLiteral("tiny-Q8_0.gguf"), QStringLiteral("mmproj-F16.gguf")}));
        // The reason is in everyday words; the tooltip has the figure.
        const auto* reason = bench.tab->findChild<QLabel*>(QStringLiteral("recommended"));
        QVERIFY2(reason->text().contains(QStringLiteral("barely noticeable loss of quality")), qPrintable(reason->text()));
        QVERIFY2(!reason->text().contains(QStringLiteral("KL")), qPrintable(reason->text()));
        QVERIFY2(reason->toolTip().contains(QStringLiteral("KL divergence")), qPrintable(reason->toolTip()));
        const auto* card = bench.tab->findChild<CardView*>();
        QVERIFY(card->toPlainText().startsWith(QStringLiteral("Tiny")));
        for (const auto& recorded : bench.servers.recorded()) QVERIFY(recorded.request.target.find("x.png") == std::string::npos);
        QCOMPARE(bench.servers.violations(), std::vector<std::string>());
    }

    void saysWhetherAFileFits() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        Bench bench;
        QFile file(QStringLiteral(WEIGHBRIDGE_SHARED "/corpus/llm/stories260K.gguf"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        ServedRepository stories{.id = "acme/stories", .downloads = 1, .tags = {"gguf"}};
        stories.files = {textFile("stories-F32.gguf", file.readAll().toStdString())};
        bench.servers.add(stories);
        bench.tab->show();
        QVERIFY(bench.search(QStringLiteral("stories")));
        QVERIFY(bench.open(0));
        bench.servers.forget();
        QSignalSpy counted(&bench.tab->session(), &BrowseSession::memoryCounted);
        QTreeWidget* files = bench.tab->page().files();
        files->setCurrentItem(files->topLevelItem(0));
        QVERIFY(QTest::qWaitFor([&] { return counted.size() == 1; }, 30000));
        QVERIFY2(bench.tab->page().fitText().startsWith(QStringLiteral("Fits in RAM")), qPrintable(bench.tab->page().fitText()));
        std::size_t gets = 0;
        for (const auto& recorded : bench.servers.recorded())
            if (recorded.request.method == "GET") ++gets;
        QVERIFY(gets <= 3);
        QCOMPARE(bench.servers.violations(), std::vector<std::string>());
    }

    // All shards are added up, and config.json with them.
    void saysWhetherAFolderOfShardsFits() {
        WB_NEED_SHARED_QT("arch/llama/hf/model.safetensors");
        Bench bench;
        const auto contentOf = [](const char* name) {
            QFile file(QStringLiteral(WEIGHBRIDGE_SHARED "/arch/llama/hf/") + QLatin1String(name));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        ServedRepository shards{.id = "acme/shards", .downloads = 1, .tags = {"safetensors"}};
        shards.files = {textFile("config.json", contentOf("config.json").toStdString())};
        const std::vector<std::string> parts = halves(contentOf("model.safetensors"));
        shards.files.push_back(textFile("model-00001-of-00002.safetensors", parts[0]));
        shards.files.push_back(textFile("model-00002-of-00002.safetensors", parts[1]));
        bench.servers.add(shards);
        bench.tab->show();
        QVERIFY(bench.search(QStringLiteral("shards")));
        QVERIFY(bench.open(0));
        QSignalSpy counted(&bench.tab->session(), &BrowseSession::memoryCounted);
        QTreeWidget* files = bench.tab->page().files();
        for (QTreeWidgetItem* item : files->findItems(QStringLiteral("2 file"), Qt::MatchContains)) files->setCurrentItem(item);
        QVERIFY(QTest::qWaitFor([&] { return counted.size() == 1; }, 30000));
        QVERIFY2(bench.tab->page().fitText().startsWith(QStringLiteral("Fits in RAM")), qPrintable(bench.tab->page().fitText()));
        QSignalSpy handedOver(bench.tab.get(), &Tab::handOverWanted);
        bench.tab->findChild<QToolButton*>(QStringLiteral("countMemory"))->click();
        QCOMPARE(handedOver.size(), 1);
        QVERIFY(handedOver[0][1].toStringList().first().endsWith(QString(40, u'c'))); // the folder as a whole
        QCOMPARE(bench.servers.violations(), std::vector<std::string>());
    }

    // A tensor of a file on a hub, seen without fetching the file.
    void looksIntoAFileOnTheHub() {
        Bench bench;
        bench.tab->show();
        QVERIFY(bench.search(QStringLiteral("tiny-gguf")));
        QVERIFY(bench.open(0));
        bench.services.openRemote = [&bench](const std::string& id, const Progress& progress) {
            return openRemote(bench.hubs, id, progress);
        };
        InspectTab inspectTab(bench.services);
        inspectTab.show();
        QSignalSpy opened(&inspectTab, &Tab::opened);
        connect(bench.tab.get(), &Tab::handOverWanted, &inspectTab,
                [&](const QString&, const QStringList& paths) { inspectTab.openPaths(paths); });
        QTreeWidget* files = bench.tab->page().files();
        for (QTreeWidgetItem* item : files->findItems(QStringLiteral("Q8_0"), Qt::MatchStartsWith)) files->setCurrentItem(item);
        bench.tab->findChild<QToolButton*>(QStringLiteral("inspectRemote"))->click();
        QVERIFY(QTest::qWaitFor([&] { return opened.size() == 1; }, 30000));
        QCOMPARE(inspectTab.modelCount(), 1);
        QVERIFY(opened.first().first().toString().startsWith(QStringLiteral("hf:acme/tiny-gguf@")));
        QVERIFY(inspectTab.saveSession().value(QStringLiteral("models")).toArray().isEmpty()); // no start asks a hub
        QCOMPARE(bench.servers.violations(), std::vector<std::string>());
    }

    void cardsHaveNoFrontMatter() {
        QVERIFY(withoutFrontMatter("---\na: b\n---\ntext") == "text");
        QVERIFY(withoutFrontMatter("---\nno end") == "---\nno end");
        QVERIFY(withoutFrontMatter("text") == "text");
    }
};

WB_GUI_TEST(PageTest)

} // namespace wb::test

#include "page_test.moc"
