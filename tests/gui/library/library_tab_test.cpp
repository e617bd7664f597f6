// SPDX-License-Identifier: MIT
#include "app/store/library_index.h"
#include "core/formats/gguf/writer.h"
#include "tests/gui/support/gui_test.h"
#include "tests/gui/support/test_services.h"
#include "ui/library/details.h"
#include "ui/library/library_model.h"
#include "ui/library/library_tab.h"
#include "ui/library/store_bar.h"
#include "ui/shell/jobs/job_runner.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/paths.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QCryptographicHash>
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTreeWidget>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

using namespace wb;
using namespace wb::ui;
namespace views = wb::ui::library;

namespace {

QByteArray smallFile(const char* architecture, char fill = 'x') {
    const std::vector<gguf::StoredPair> pairs = {gguf::makePair("general.architecture", std::string_view(architecture)),
                                                 gguf::makePair("general.file_type", std::uint32_t{7})};
    const auto layout = gguf::layOut(pairs, {{"token_embd.weight", *Shape::make({64, 64}), Dtype::Q8_0}});
    QByteArray file = QByteArray::fromStdString(layout->header);
    file.resize(static_cast<qsizetype>(layout->fileBytes), fill);
    return file;
}

struct Bench {
    QTemporaryDir home;
    LibraryIndex index;
    LibraryPlaces places;
    QueuedJobRunner jobs; // whose jobs use those
    test::TestServices services{&jobs};
    std::vector<std::filesystem::path> trashed;
    std::unique_ptr<LibraryTab> tab;

    Bench() : index(fsPath(home.filePath(QStringLiteral("library.sqlite")))) {
        services.stateFolder = home.filePath(QStringLiteral("state"));
        services.library = &places;
        write(QStringLiteral("models/acme/one/one-Q8_0.gguf"), smallFile("llama"));
        write(QStringLiteral("models/acme/two/two-Q8_0.gguf"), smallFile("qwen2"));
        makeTab();
    }

    void makeTab() {
        places.environment.home = fsPath(home.path());
        places.environment.ours = fsPath(home.filePath(QStringLiteral("models")));
        places.index = &index;
        places.trash = [this](const std::filesystem::path& path) -> Result<void> {
            trashed.push_back(path);
            std::filesystem::remove_all(path);
            return {};
        };
        tab = std::make_unique<LibraryTab>(services);
        tab->resize(1100, 700);
    }

    void write(const QString& name, const QByteArray& content) const {
        const QString path = home.filePath(name);
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }

    bool show() {
        tab->show();
        return waitForRows(2);
    }
    bool waitForRows(int rows) {
        return QTest::qWaitFor([&] { return tab->model().rowCount() == rows && !tab->session().isScanning(); }, 30000);
    }
    QString cell(int row, int column) const { return tab->table().model()->index(row, column).data().toString(); }
};

} // namespace

class LibraryTabTest : public QObject {
    Q_OBJECT

public slots:
    void takeUrl(const QUrl& url) { m_urls << url; } // instead of the file manager

private:
    QList<QUrl> m_urls;

private slots:
    void listsModelsOnceItIsSeen() {
        Bench bench;
        const QAbstractItemModelTester tester(&bench.tab->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        const QAbstractItemModelTester ofProxy(bench.tab->table().model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QVERIFY(!bench.tab->session().isScanning());
        QVERIFY(bench.show());
        QCOMPARE(bench.cell(0, views::LibraryModel::Name), QStringLiteral("one-Q8_0"));
        QCOMPARE(bench.cell(0, views::LibraryModel::Family), QStringLiteral("llama"));
        QCOMPARE(bench.cell(0, views::LibraryModel::Type), QStringLiteral("Q8_0"));
        QCOMPARE(bench.cell(0, views::LibraryModel::Store), QStringLiteral("Weighbridge"));
    }

    void anEmptyLibraryOffersWaysOut() {
        Bench bench;
        QVERIFY(QDir(bench.home.filePath(QStringLiteral("models"))).removeRecursively());
        bench.tab->show();
        QVERIFY(bench.waitForRows(0));
        const QSignalSpy handedOver(bench.tab.get(), &LibraryTab::handOverWanted);
        auto* const browse = bench.tab->findChild<QPushButton*>(QStringLiteral("browseModels"));
        QCOMPARE(browse->text(), QStringLiteral("Browse models"));
        browse->click();
        QCOMPARE(handedOver.size(), 1);
        QCOMPARE(handedOver[0][0].toString(), QStringLiteral("browse"));
    }

    void saysWhatThisComputerRuns() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        Bench bench;
        QFile model(QStringLiteral(WEIGHBRIDGE_SHARED "/corpus/llm/stories260K.gguf"));
        QVERIFY(model.open(QIODevice::ReadOnly));
        bench.write(QStringLiteral("models/acme/tale/tale.gguf"), model.readAll());
        bench.tab->show();
        QVERIFY(bench.waitForRows(3));
        const auto isThere = [](const auto& check) { return check.second.fit && check.second.fit->context == 2048; };
        QTRY_VERIFY_WITH_TIMEOUT(std::ranges::any_of(bench.tab->session().checks(), isThere), 30000);
        const auto& rows = *bench.tab->table().model();
        for (int row = 0; row < rows.rowCount(); ++row) {
            if (!bench.cell(row, views::LibraryModel::Name).contains(QStringLiteral("tale"))) continue;
            const QModelIndex fits = rows.index(row, views::LibraryModel::Fits);
            QCOMPARE(fits.data().toString(), QStringLiteral("fits"));
            QVERIFY(fits.data(Qt::ToolTipRole).toString().contains(QStringLiteral("2,048 tokens")));
            return;
        }
        QFAIL("the model is not in the table");
    }

    // By the test that Chat makes, whatever memory there is.
    void aCutOrUnknownModelDoesNotRun() {
        Bench bench;
        QVERIFY(bench.show());
        const auto& rows = *bench.tab->table().model();
        QFile whole(bench.home.filePath(QStringLiteral("models/acme/one/one-Q8_0.gguf")));
        QVERIFY(whole.open(QIODevice::ReadOnly));
        const QByteArray bytes = whole.readAll();
        bench.write(QStringLiteral("models/acme/cut/cut.gguf"), bytes.first(bytes.size() / 2));
        bench.tab->session().scan();
        QVERIFY(bench.waitForRows(3));
        QVERIFY(QTest::qWaitFor([&] { return !bench.tab->session().isChecking(); }, 30000));
        for (int row = 0; row < rows.rowCount(); ++row) {
            const QString name = bench.cell(row, views::LibraryModel::Name);
            const QModelIndex run = rows.index(row, views::LibraryModel::Fits);
            const bool isCut = name.contains(QStringLiteral("cut"));
            QVERIFY2(run.data().toString() != QStringLiteral("fits"), qPrintable(name)); // one tensor is no model that runs
            if (isCut) QCOMPARE(run.data().toString(), QStringLiteral("damaged"));
        }
    }

    // No store is missing in the legend of a narrow window.
    void theLegendTakesFurtherLines() {
        const auto listing = std::make_shared<wb::library::Listing>();
        for (const char* const folder : {"/models/first", "/models/second", "/models/third"})
            listing->stores.push_back({{wb::library::StoreKind::Folder, folder, true}, 1, 1'000'000, {}});
        views::StoreBar bar;
        bar.setListing(listing);
        QVERIFY(bar.heightForWidth(2000) == bar.sizeHint().height());
        const int widest = bar.fontMetrics().horizontalAdvance(QStringLiteral("/models/second: 1.0 MB")) + 20;
        QVERIFY(bar.heightForWidth(widest) > bar.heightForWidth(2000));
        QCOMPARE(bar.heightForWidth(30), bar.heightForWidth(widest)); // a line for each is the most
        QWidget page;
        auto* const layout = new QVBoxLayout(&page);
        auto* const shown = new views::StoreBar(&page);
        layout->addWidget(shown);
        layout->addWidget(new QTableView(&page), 1);
        shown->setListing(listing);
        page.resize(widest + 40, 500);
        page.show();
        QTRY_COMPARE(shown->height(), shown->heightForWidth(shown->width()));
        QVERIFY(shown->height() > shown->sizeHint().height());
    }

    void filtersAndSorts() {
        Bench bench;
        QVERIFY(bench.show());
        auto* filter = bench.tab->findChild<QLineEdit*>(QStringLiteral("libraryFilter"));
        QTest::keyClicks(filter, QStringLiteral("QWEN"));
        QCOMPARE(bench.tab->table().model()->rowCount(), 1);
        QCOMPARE(bench.cell(0, views::LibraryModel::Name), QStringLiteral("two-Q8_0"));
        filter->clear();
        bench.tab->table().sortByColumn(views::LibraryModel::Family, Qt::DescendingOrder);
        QCOMPARE(bench.cell(0, views::LibraryModel::Family), QStringLiteral("qwen2"));
    }

    void twoSelectedModelsCanBeCompared() {
        Bench bench;
        QVERIFY(bench.show());
        QSignalSpy wanted(bench.tab.get(), &Tab::comparisonWanted);
        QAction* const compare = bench.tab->paletteActions(QStringLiteral("Compare two"), 1).value(0);
        QVERIFY(!compare); // none is selected
        bench.tab->table().selectAll();
        QCOMPARE(bench.tab->chosenIds().size(), 2);
        bench.tab->paletteActions(QStringLiteral("Compare two"), 1).first()->trigger();
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted[0][0].toStringList().size(), 2);
    }

    void opensAModelInInspect() {
        Bench bench;
        QVERIFY(bench.show());
        QSignalSpy handedOver(bench.tab.get(), &Tab::handOverWanted);
        bench.tab->choose(QStringLiteral("weighbridge:acme/two/two-Q8_0.gguf"));
        auto* files = bench.tab->findChild<QTreeWidget*>(QStringLiteral("libraryFiles"));
        QCOMPARE(files->topLevelItemCount(), 1);
        emit bench.tab->table().activated(bench.tab->table().currentIndex());
        QCOMPARE(handedOver.size(), 1);
        QCOMPARE(handedOver[0][0].toString(), QStringLiteral("inspect"));
        QVERIFY(handedOver[0][1].toStringList().first().endsWith(QStringLiteral("two-Q8_0.gguf")));
    }

    // The other tabs and the file manager get a path that is there, from whatever store.
    void handsModelsOfEveryStoreOver() {
        Bench bench;
        const QByteArray model = smallFile("llama");
        const QString digest = QString::fromLatin1(QCryptographicHash::hash(model, QCryptographicHash::Sha256).toHex());
        const QString repository = QStringLiteral(".cache/huggingface/hub/models--acme--hf/");
        bench.write(repository + QStringLiteral("blobs/") + digest, model);
        QVERIFY(QDir(bench.home.path()).mkpath(repository + QStringLiteral("snapshots/c0ffee")));
        QVERIFY(QFile::link(QStringLiteral("../../blobs/") + digest,
                            bench.home.filePath(repository + QStringLiteral("snapshots/c0ffee/hf.gguf"))));
        bench.write(QStringLiteral(".cache/modelscope/models/acme--ms/snapshots/master/ms.gguf"), model);
        bench.write(QStringLiteral(".ollama/models/blobs/sha256-") + digest, model);
        bench.write(QStringLiteral(".ollama/models/manifests/registry.ollama.ai/library/llama/latest"),
                    QStringLiteral(R"({"schemaVersion":2,"config":{"digest":"sha256:%1","size":2},"layers":[{"mediaType":)"
                                   R"("application/vnd.ollama.image.model","digest":"sha256:%1","size":9}]})")
                        .arg(digest)
                        .toUtf8());
        bench.write(QStringLiteral(".lmstudio/models/acme/lm/lm.gguf"), model);
        bench.write(QStringLiteral(".config/Jan/data/llamacpp/models/jan/model.gguf"), model);
        bench.write(QStringLiteral(".cache/llama.cpp/cpp.gguf"), model);
        bench.write(QStringLiteral("disk/any.gguf"), model);
        bench.tab->show();
        QVERIFY(bench.waitForRows(8));
        QVERIFY(bench.tab->takeDrop({bench.home.filePath(QStringLiteral("disk"))}));
        QVERIFY(bench.waitForRows(9));
        QSignalSpy handedOver(bench.tab.get(), &Tab::handOverWanted);
        m_urls.clear();
        QDesktopServices::setUrlHandler(QStringLiteral("file"), this, "takeUrl");
        const auto act = [&](const QString& text) {
            for (QAction* action : bench.tab->actions())
                if (action->text() == text && action->isEnabled()) action->trigger();
        };
        const QStringList ids = {QStringLiteral("weighbridge:acme/one/one-Q8_0.gguf"),
                                 QStringLiteral("hf:acme/hf:hf.gguf"),
                                 QStringLiteral("ms:acme/ms:ms.gguf"),
                                 QStringLiteral("ollama:llama:latest"),
                                 QStringLiteral("lmstudio:acme/lm/lm.gguf"),
                                 QStringLiteral("jan:jan/model.gguf"),
                                 QStringLiteral("llama.cpp:cpp.gguf"),
                                 QStringLiteral("folder:%1/any.gguf").arg(bench.home.filePath(QStringLiteral("disk")))};
        for (const QString& id : ids) {
            bench.tab->choose(id);
            QVERIFY2(bench.tab->chosenIds() == QStringList{id}, qPrintable(id));
            handedOver.clear();
            m_urls.clear();
            for (const char* text : {"Open in Inspect", "Open in Convert", "Chat with this model", "Show in file manager"})
                act(QString::fromLatin1(text));
            QCOMPARE(handedOver.size(), 3);
            const QStringList tabs = {QStringLiteral("inspect"), QStringLiteral("convert"), QStringLiteral("chat")};
            for (int i = 0; i < 3; ++i) {
                QCOMPARE(handedOver[i][0].toString(), tabs[i]);
                QFile file(handedOver[i][1].toStringList().value(0));
                QVERIFY2(file.open(QIODevice::ReadOnly) && file.read(4) == "GGUF", qPrintable(id));
            }
            QCOMPARE(m_urls.size(), 1);
            QVERIFY2(QFileInfo(m_urls.first().toLocalFile()).isDir(), qPrintable(id));
        }
        QDesktopServices::unsetUrlHandler(QStringLiteral("file"));
    }

    void seesNewFiles() {
        Bench bench;
        QVERIFY(bench.show());
        bench.write(QStringLiteral("models/acme/one/three.gguf"), smallFile("phi3"));
        QVERIFY(bench.waitForRows(3));
    }

    void remembersFoldersOfTheUser() {
        Bench bench;
        QVERIFY(bench.show());
        bench.write(QStringLiteral("disk/four.gguf"), smallFile("gemma"));
        QVERIFY(!bench.tab->openPaths({bench.home.filePath(QStringLiteral("disk"))})); // Inspect opens it
        QVERIFY(bench.tab->takeDrop({bench.home.filePath(QStringLiteral("disk"))}));
        QVERIFY(bench.waitForRows(3));
        bench.makeTab(); // the next start
        bench.tab->show();
        QVERIFY(bench.waitForRows(3));
        bench.tab->session().removeFolder(bench.home.filePath(QStringLiteral("disk")));
        QVERIFY(bench.waitForRows(2));
        QVERIFY(QFile::exists(bench.home.filePath(QStringLiteral("disk/four.gguf"))));
    }

    void movesToTheTrashOnlyWhenItIsConfirmed() {
        Bench bench;
        QVERIFY(bench.show());
        const auto question = [&bench] { return bench.tab->window()->findChild<QMessageBox*>(QStringLiteral("removeModels")); };
        for (const QString& button : {QStringLiteral("Keep"), QStringLiteral("Move to trash")}) {
            QVERIFY(bench.trashed.empty());
            bench.tab->choose(QStringLiteral("weighbridge:acme/one/one-Q8_0.gguf"));
            bench.tab->session().planRemoval(bench.tab->chosenIds());
            QTRY_VERIFY_WITH_TIMEOUT(question() != nullptr, 30000);
            const auto choices = question()->buttons();
            const auto wanted = std::ranges::find(choices, button, &QAbstractButton::text);
            QVERIFY(wanted != choices.end());
            (*wanted)->click();
            QTRY_VERIFY_WITH_TIMEOUT(question() == nullptr, 30000);
        }
        QVERIFY(bench.waitForRows(1));
        QCOMPARE(bench.trashed.size(), std::size_t{1});
    }

    void verifiesWhatAStoreRecords() {
        Bench bench;
        bench.write(QStringLiteral("models/acme/one/.cache/huggingface/download/one-Q8_0.gguf.metadata"),
                    QByteArray(40, 'a') + "\n" + QByteArray(64, '1') + "\n9999999999.0\n");
        QVERIFY(bench.show());
        bench.tab->session().verify({QStringLiteral("weighbridge:acme/one/one-Q8_0.gguf")});
        auto* bar = bench.tab->findChild<MessageBar*>();
        QVERIFY(QTest::qWaitFor([&] { return bar->isVisible(); }, 30000));
        QVERIFY(bar->text().contains(QStringLiteral("one-Q8_0.gguf")));
    }

    void findsEqualModels() {
        Bench bench;
        bench.write(QStringLiteral("models/acme/copy/copy.gguf"), smallFile("llama"));
        bench.tab->show();
        QVERIFY(bench.waitForRows(3));
        bench.tab->session().findDuplicates();
        const auto isMarked = [&] {
            const auto* entry = bench.tab->session().listing()->find("weighbridge:acme/copy/copy.gguf");
            return entry && entry->duplicates.size() == 1;
        };
        QVERIFY(QTest::qWaitFor(isMarked, 30000));
    }

    void stopsAScanOfATabThatGoesAway() {
        Bench bench;
        bench.tab->session().scan();
        bench.tab.reset();
        QVERIFY(QTest::qWaitFor([&] { return bench.jobs.unfinishedCount() == 0; }, 30000));
    }
};

WB_GUI_TEST(LibraryTabTest)

class LibraryIndexTest : public QObject {
    Q_OBJECT

    static constexpr io::Identity someFile{1, 0xffff'ffff'ffff'fff0, 3, -4};

    static wb::library::FileFacts facts() {
        wb::library::FileFacts facts;
        facts.format = FormatId::Gguf;
        facts.architecture = "达摩";
        facts.parameters = 0xffff'ffff'ffff'ffff;
        facts.isDamaged = true;
        return facts;
    }

private slots:
    void keepsFactsOverARestart() {
        const QTemporaryDir folder;
        const auto path = fsPath(folder.filePath(QStringLiteral("new/index.sqlite")));
        {
            LibraryIndex index(path);
            QVERIFY(!index.find(someFile));
            index.keep(someFile, facts());
            QVERIFY(index.find(someFile) == facts());
            index.flush();
        }
        LibraryIndex index(path);
        QVERIFY(index.find(someFile) == facts());
        QVERIFY(!index.find({1, 2, 3, 4}));
    }

    // Facts of a version with other rules are read again.
    void dropsFactsOfAnotherVersion() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("index.sqlite"));
        {
            LibraryIndex index(fsPath(path));
            index.keep(someFile, facts());
            index.flush();
            QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("older"));
            database.setDatabaseName(path);
            QVERIFY(database.open());
            QVERIFY(QSqlQuery(database).exec(QStringLiteral("PRAGMA user_version = 1")));
            database.close();
        }
        QSqlDatabase::removeDatabase(QStringLiteral("older"));
        constexpr io::Identity other{5, 6, 7, 8};
        LibraryIndex index(fsPath(path));
        QVERIFY(!index.find(someFile));
        index.keep(other, facts());
        index.flush();
        LibraryIndex again(fsPath(path));
        QVERIFY2(!again.find(someFile), "what the older version wrote is gone");
        QVERIFY(again.find(other) == facts());
    }

    void beginsAnewWhereTheFileIsDamaged() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("index.sqlite"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(5000, 'x'));
        file.close();
        LibraryIndex index(fsPath(path));
        QVERIFY(!index.find(someFile));
        index.keep(someFile, facts());
        index.flush();
        LibraryIndex again(fsPath(path));
        QVERIFY(again.find(someFile) == facts());
    }
};

WB_GUI_TEST(LibraryIndexTest)
#include "library_tab_test.moc"
