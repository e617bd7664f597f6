// SPDX-License-Identifier: MIT
#include "core/formats/open.h"
#include "core/stats/map/map.h"
#include "core/stats/stats.h"
#include "tests/gui/support/gui_test.h"
#include "tests/gui/support/test_services.h"
#include "ui/inspect/inspect_tab.h"
#include "ui/inspect/metadata/safety_panel.h"
#include "ui/inspect/model_page.h"
#include "ui/inspect/tensors/tensor_panel.h"
#include "ui/shell/jobs/job_runner.h"
#include "ui/shell/settings/language.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/paths.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>

using namespace wb;
using namespace wb::ui;
using namespace wb::ui::inspect;

namespace {

// A small file of every format that is opened, from ../shared/fixtures.
constexpr const char* samples[] = {"torch/nested.pt",
                                   "torch/views_legacy.pt",
                                   "torch/torch_0_1.tar.pt",
                                   "torch/torchscript_script.pt",
                                   "torch/export.pt2",
                                   "torch/sparse.pt",
                                   "runtime/sklearn/arrays_p4.pkl",
                                   "runtime/sklearn/arrays.joblib",
                                   "runtime/sklearn/mlp_gzip.joblib",
                                   "runtime/sklearn/pipeline.skops",
                                   "jax/numpy/f8_fortran.npy",
                                   "jax/numpy/deflated.npz",
                                   "jax/flax_dtypes.msgpack",
                                   "runtime/onnx/dtypes_raw.onnx",
                                   "runtime/onnx/model.ort",
                                   "tensorflow/conv.weights.h5",
                                   "tensorflow/conv.keras",
                                   "tensorflow/frozen_v1.pb",
                                   "tensorflow/float32.tflite",
                                   "safetensors/dtypes.safetensors"};

QByteArray contentFromPath(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) qFatal("cannot write");
}

// Every byte of a stretch in the middle turned round; the ends, where most formats have their directory, stay.
QByteArray bent(QByteArray bytes) {
    for (qsizetype i = bytes.size() / 2; i < bytes.size() / 2 + std::min<qsizetype>(64, bytes.size() / 4); ++i)
        bytes[i] = static_cast<char>(~bytes[i]);
    return bytes;
}

} // namespace

// Damaged files of every format: what can be shown is shown on every panel, what cannot is said in one sentence.
class BrokenTest : public QObject {
    Q_OBJECT

private:
    void open(const QString& path) {
        m_tab = std::make_unique<InspectTab>(m_services);
        m_tab->resize(1100, 700);
        m_tab->show();
        m_tab->openPaths({path});
    }
    bool settles() const {
        return QTest::qWaitFor([this] { return m_jobs->unfinishedCount() == 0; }, 60'000);
    }
    // The sentence above the pages; empty where none is shown.
    QString said() const {
        const auto bars = m_tab->findChildren<MessageBar*>();
        for (const MessageBar* bar : bars)
            if (!bar->isHidden()) return bar->text();
        return {};
    }
    // Shows every tab of these and lets it paint itself.
    bool clickThrough(const char* name) const {
        auto* tabs = m_tab->currentPage()->findChild<QTabWidget*>(QLatin1String(name));
        if (!tabs) return false;
        for (int i = 0; i < tabs->count(); ++i) {
            tabs->setCurrentIndex(i);
            QCoreApplication::processEvents();
            if (!settles()) return false;
            tabs->currentWidget()->grab();
        }
        return tabs->count() > 0;
    }
    bool clickThroughAll() const {
        auto* table = m_tab->currentPage()->findChild<QTableView*>(QStringLiteral("tensorTable"));
        const int rows = table ? table->model()->rowCount() : 0;
        for (const int row : {-1, 0, rows / 2, rows - 1}) {
            if (row >= 0 && row < rows) table->selectRow(row);
            if (!settles() || !clickThrough("details")) return false;
        }
        return clickThrough("sides");
    }

    std::unique_ptr<QueuedJobRunner> m_jobs;
    std::unique_ptr<stats::Backend> m_backend = stats::makeCpuBackend();
    std::unique_ptr<stats::MapBackend> m_maps = stats::makeCpuMapBackend(1);
    QTemporaryDir m_folder;
    test::TestServices m_services{
        nullptr, {.threads = 1, .cacheFolder = m_folder.filePath(QStringLiteral("cache"))}, m_backend.get(), m_maps.get()};
    std::unique_ptr<InspectTab> m_tab;

private slots:
    void initTestCase() { applyLanguage(QStringLiteral("en")); }
    void init() {
        m_jobs = std::make_unique<QueuedJobRunner>();
        m_services.jobs = m_jobs.get();
    }
    void cleanup() {
        m_tab.reset();
        m_jobs.reset();
    }

    void everyPanelOfABrokenFile_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("damage"); // 0: cut, 1: bent
        for (const char* sample : samples)
            for (const int damage : {0, 1})
                QTest::addRow("%s %s", sample, damage == 0 ? "cut" : "bent") << QString::fromLatin1(sample) << damage;
    }

    void everyPanelOfABrokenFile() {
        QFETCH(const QString, file);
        QFETCH(const int, damage);
        const QString whole = QStringLiteral(WEIGHBRIDGE_SHARED "/fixtures/") + file;
        if (!QFile::exists(whole)) QSKIP(qPrintable(whole + QStringLiteral(" not found")));
        const QByteArray bytes = contentFromPath(whole);
        const QString name = QStringLiteral("broken-") + QFileInfo(file).fileName();
        write(m_folder.filePath(name), damage == 0 ? bytes.first(bytes.size() * 2 / 3) : bent(bytes));
        open(m_folder.filePath(name));
        QVERIFY(settles());
        if (m_tab->currentPage()) {
            QVERIFY(clickThroughAll());
            return;
        }
        const QString sentence = said();
        QVERIFY2(sentence.contains(name), qPrintable(sentence));
        QVERIFY2(sentence.endsWith(u'.') && !sentence.contains(u'\n'), qPrintable(sentence));
    }

    // Of a file that runs something, around the call that does.
    void theOpcodesAreListedWhereTheyAreAskedFor() {
        const QString file = QStringLiteral(WEIGHBRIDGE_SHARED "/corpus/picklescan/data/malicious1_v4.pkl");
        if (!QFile::exists(file)) QSKIP("../shared/corpus not found");
        open(file);
        QVERIFY(settles());
        QVERIFY(m_tab->currentPage());
        m_tab->currentPage()->showSide(ModelPage::Side::Safety);
        QTRY_VERIFY(m_tab->currentPage()->findChild<QPushButton*>(QStringLiteral("showOpcodes")));
        m_tab->currentPage()->findChild<QPushButton*>(QStringLiteral("showOpcodes"))->click();
        QVERIFY(settles());
        auto* table = m_tab->currentPage()->findChild<QTableView*>(QStringLiteral("safetyOpcodes"));
        QVERIFY(table && table->isVisible());
        QCOMPARE(table->model()->rowCount(), 15);
        QCOMPARE(table->model()->index(6, 1).data().toString(), QStringLiteral("STACK_GLOBAL"));
    }

    // A model without a pickle gets its verdict from a scan in the background.
    void everyModelHasAVerdict() {
        const QString file = QStringLiteral(WEIGHBRIDGE_SHARED "/fixtures/safetensors/dtypes.safetensors");
        if (!QFile::exists(file)) QSKIP("../shared/fixtures not found");
        open(file);
        QVERIFY(settles());
        auto* badge = m_tab->currentPage()->findChild<QToolButton*>(QStringLiteral("badge-verdict"));
        QTRY_VERIFY(badge && badge->isVisible());
        QVERIFY(!badge->text().isEmpty());
        badge->click();
        auto* sentence = m_tab->currentPage()->findChild<QLabel*>(QStringLiteral("safetySentence"));
        QVERIFY(sentence);
        QVERIFY2(sentence->text().contains(QStringLiteral("no pickle")), qPrintable(sentence->text())); // nothing to prove over
        auto* sides = m_tab->currentPage()->findChild<QTabWidget*>(QStringLiteral("sides"));
        QCOMPARE(sides->currentIndex(), static_cast<int>(ModelPage::Side::Safety));
    }

    // What the rules beside those for calls find is listed, and a button alone takes no more room than it needs.
    void findingsAreListedBesideTheCalls() {
        const QByteArray token =
            QByteArray("hf") + "_AbCdEfGhIjKlMnOpQrStUvWxYz01234567"; // in two, so that no scanner takes it for a leak
        const QByteArray length(1, static_cast<char>(token.size()));
        const QString file = m_folder.filePath(QStringLiteral("token.pkl"));
        write(file, QByteArray("\x80\x02}X\x01\0\0\0aX", 10) + length + QByteArray("\0\0\0", 3) + token + "s.");
        open(file);
        QVERIFY(settles());
        QVERIFY(m_tab->currentPage());
        m_tab->currentPage()->showSide(ModelPage::Side::Safety);
        QTRY_VERIFY(m_tab->currentPage()->findChild<QListView*>(QStringLiteral("safetyFindings")));
        auto* sides = m_tab->currentPage()->findChild<QTabWidget*>(QStringLiteral("sides"));
        QCOMPARE(sides->count(), 4); // the scan's panel took the place of the reader's
        auto* list = m_tab->currentPage()->findChild<QListView*>(QStringLiteral("safetyFindings"));
        QCOMPARE(list->model()->rowCount(), 1);
        QTRY_VERIFY(list->viewport()->height() >= list->sizeHintForRow(0) && list->sizeHintForRow(0) > 0);
        auto* ask = m_tab->currentPage()->findChild<QPushButton*>(QStringLiteral("showOpcodes"));
        QVERIFY(ask);
        QTRY_VERIFY(ask->isVisible());
        QTRY_VERIFY(ask->parentWidget()->height() <= ask->sizeHint().height() + 4);
    }

    // The whole argument of a call is shown below the table, and the findings can be exported.
    void aCallIsShownWholeAndFindingsAreSaved() {
        const QByteArray command(200, 'x');
        const QString file = m_folder.filePath(QStringLiteral("call.pkl"));
        write(file, QByteArray("\x80\x02"
                               "cos\nsystem\nX\xC8\0\0\0",
                               18) +
                        command + "\x85R.");
        open(file);
        QVERIFY(settles());
        QVERIFY(m_tab->currentPage());
        m_tab->currentPage()->showSide(ModelPage::Side::Safety);
        QTRY_VERIFY(m_tab->currentPage()->findChild<QLabel*>(QStringLiteral("safetyCall")));
        QString call = m_tab->currentPage()->findChild<QLabel*>(QStringLiteral("safetyCall"))->text();
        call.remove(QChar(0x200B));
        QVERIFY2(call.startsWith(QStringLiteral("os.system")), qPrintable(call));
        QVERIFY2(call.contains(QStringLiteral("xxxxxxxxxx")), qPrintable(call));
        QVERIFY(m_tab->currentPage()->findChild<QPushButton*>(QStringLiteral("exportSarif")));
        const auto model = formats::open(fsPath(file), {});
        QVERIFY(model);
        const auto& danger = (*model)->danger;
        QVERIFY(danger);
        const QString sarif = m_folder.filePath(QStringLiteral("findings.sarif"));
        test::TestServices services;
        QVERIFY(SafetyPanel::saveSarif(*danger, sarif, services));
        const QJsonObject log = QJsonDocument::fromJson(contentFromPath(sarif)).object();
        QCOMPARE(log[QLatin1String("version")].toString(), QStringLiteral("2.1.0"));
        const QJsonArray results = log[QLatin1String("runs")][0][QLatin1String("results")].toArray();
        QVERIFY(!results.isEmpty());
    }

    // Schemes of quantized weights have longer names than types.
    void schemesAreShownWhole() {
        const QString folder = QStringLiteral(WEIGHBRIDGE_SHARED "/fixtures/quantized/ct_pack_int4_actorder");
        if (!QFile::exists(folder)) QSKIP("../shared/fixtures not found");
        open(folder);
        QVERIFY(settles());
        auto* table = m_tab->currentPage()->findChild<QTableView*>(QStringLiteral("tensorTable"));
        QVERIFY(table);
        const QString scheme = QStringLiteral("compressed-tensors pack-quantized 4 bit g32");
        QVERIFY(table->columnWidth(1) > table->fontMetrics().horizontalAdvance(scheme));
    }

    void aFolderWithoutOneOfItsFiles() {
        const QDir shared(QStringLiteral(WEIGHBRIDGE_SHARED "/fixtures/quantized/fp8_block_sharded"));
        if (!shared.exists()) QSKIP("../shared/fixtures not found");
        const QDir folder(m_folder.filePath(QStringLiteral("sharded")));
        QVERIFY(folder.mkpath(QStringLiteral(".")));
        QStringList shards;
        for (const QFileInfo& one : shared.entryInfoList(QDir::Files)) {
            write(folder.filePath(one.fileName()), contentFromPath(one.filePath()));
            if (one.suffix() == QStringLiteral("safetensors")) shards << one.fileName();
        }
        QVERIFY(shards.size() > 1);
        QVERIFY(QFile::remove(folder.filePath(shards.last())));
        open(folder.path());
        QVERIFY(settles());
        QVERIFY(m_tab->currentPage());
        QVERIFY(clickThroughAll());
    }
};

WB_GUI_TEST(BrokenTest)

#include "broken_test.moc"
