// SPDX-License-Identifier: MIT
#include "core/formats/open.h"
#include "core/model/fragments.h"
#include "tests/gui/inspect/manual_jobs.h"
#include "tests/gui/inspect/sample_models.h"
#include "tests/gui/inspect/tester_mode.h"
#include "tests/gui/support/gui_test.h"
#include "tests/gui/support/test_services.h"
#include "ui/inspect/storage/storage_panel.h"
#include "ui/inspect/tables/cell_table_view.h"
#include "ui/inspect/tensors/tensor_panel.h"
#include "ui/shell/settings/language.h"
#include "ui/widgets/translated.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QJsonObject>
#include <QLabel>
#include <QScopeGuard>
#include <QSignalSpy>

using namespace wb;
using namespace wb::ui;
using namespace wb::ui::inspect;

namespace {

// Two factors of a LoRA of rank 1: the delta is made of both.
ModelPtr adapter(const QTemporaryDir& folder) {
    test::writeSafetensors(
        folder, QStringLiteral("adapter_model.safetensors"),
        {{"base_model.model.q.lora_A.weight", {1, 2}, {3, 4}}, {"base_model.model.q.lora_B.weight", {2, 1}, {1, 0}}});
    QFile config(folder.filePath(QStringLiteral("adapter_config.json")));
    if (!config.open(QIODevice::WriteOnly)) return nullptr;
    config.write(R"({"peft_type":"LORA","r":1,"lora_alpha":2,"target_modules":["q"]})");
    config.close();
    const auto model = formats::open(folder.path().toStdString());
    return model ? *model : nullptr;
}

QStringList texts(const CellTableView* table, int column) {
    QStringList list;
    for (int row = 0; row < table->model()->rowCount(); ++row) list << table->model()->index(row, column).data().toString();
    return list;
}

std::uint32_t indexOf(const Model& model, const std::string& ending) {
    for (std::uint32_t i = 0; i < model.tensors.size(); ++i)
        if (model.tensors[i].name.ends_with(ending)) return i;
    return 0;
}

} // namespace

class StorageTest : public QObject {
    Q_OBJECT

private slots:
    void showsPartsAndWhereTheyLead() {
        const QTemporaryDir folder;
        const ModelPtr model = adapter(folder);
        QVERIFY(model);
        Document document(stats::modelContents(model));
        test::ManualJobs jobs;
        test::TestServices services(&jobs);
        StoragePanel panel(document, services);
        auto* parts = panel.findChild<CellTableView*>(QStringLiteral("storageParts"));
        auto* facts = panel.findChild<CellTableView*>(QStringLiteral("storageFacts"));
        const QAbstractItemModelTester tester(parts->model(), wb::test::fatal);
        panel.setTensor(indexOf(*model, ".delta"));
        QCOMPARE(parts->model()->rowCount(), 2);
        QVERIFY(texts(parts, 0).join(QLatin1Char(' ')).contains(QLatin1String("lora_A")));
        QVERIFY(texts(facts, 1).contains(StoragePanel::tr("Computed from its components")));
        QSignalSpy chosen(&panel, &StoragePanel::tensorChosen);
        emit parts->doubleClicked(parts->model()->index(0, 0));
        QCOMPARE(chosen.size(), 1);
        panel.setTensor(indexOf(*model, "lora_B.weight"));
        QCOMPARE(texts(parts, 1), QStringList{StoragePanel::tr("derived from it")});
        panel.setTensor({});
        QVERIFY(!panel.findChild<CellTableView*>(QStringLiteral("storageFacts"))->isVisibleTo(&panel));
    }

    // All notes of readers, without the names of schemes.
    void saysNotesAndSchemesInTheLanguage() {
        const auto details = std::make_shared<TensorDetails>();
        details->scheme = "conjugated";
        details->notes = {fragmentText(fragment::chunks, 1u), fragmentText(fragment::filteredChunks, 1200u, "gzip"),
                          "of another form"};
        const auto model = std::make_shared<Model>();
        for (const char* const scheme : {"conjugated", "awq 4 bit g32"}) {
            TensorInfo tensor;
            tensor.name = scheme;
            tensor.details = details;
            model->tensors.push_back(tensor);
        }
        const auto named = std::make_shared<TensorDetails>();
        named->scheme = "awq 4 bit g32";
        model->tensors[1].details = named;
        TensorInfo unavailable;
        unavailable.name = "unavailable";
        unavailable.source = TensorSource::unavailable("hdf5.filter", fragmentText(fragment::filter, "307"));
        model->tensors.push_back(unavailable);
        Document document(stats::modelContents(model));
        test::ManualJobs jobs;
        test::TestServices services(&jobs);
        const auto back = qScopeGuard([] { applyLanguage(QStringLiteral("en")); });
        const auto facts = [&](std::uint32_t tensor) {
            StoragePanel panel(document, services);
            panel.setTensor(tensor);
            return texts(panel.findChild<CellTableView*>(QStringLiteral("storageFacts")), 1);
        };
        applyLanguage(QStringLiteral("en"));
        for (const char* const shown : {"conjugated", "1 chunk", "1,200 chunks, gzip", "of another form"})
            QVERIFY2(facts(0).contains(QLatin1String(shown)), shown);
        applyLanguage(QStringLiteral("zh_CN"));
        for (const QString& shown : {QStringLiteral("已取共轭"), QStringLiteral("1 个数据块"),
                                     QStringLiteral("1,200 个数据块，gzip"), QStringLiteral("of another form")})
            QVERIFY2(facts(0).contains(shown), qPrintable(facts(0).join(u'|')));
        QVERIFY(facts(1).contains(QStringLiteral("awq 4 bit g32")));
        QVERIFY2(facts(2).join(u'|').contains(QStringLiteral("不支持过滤器 307")), qPrintable(facts(2).join(u'|')));
        const Error error = makeError(ErrorCode::Malformed, "{}: {}", "w", fragmentText(fragment::fileOfRank, 2u));
        QCOMPARE(translated(error), QStringLiteral("w：rank 2 的文件缺失或已损坏"));
    }

    void computesSingularValuesOfAnAdapterWhenItIsSeen() {
        const QTemporaryDir folder;
        const ModelPtr model = adapter(folder);
        QVERIFY(model);
        Document document(stats::modelContents(model));
        test::ManualJobs jobs;
        test::TestServices services(&jobs);
        StoragePanel panel(document, services);
        panel.setTensor(indexOf(*model, ".delta"));
        QCOMPARE(jobs.waiting(), 0);
        panel.show();
        QCOMPARE(jobs.waiting(), 1);
        jobs.runAll();
        auto* spectrum = panel.findChild<CellTableView*>(QStringLiteral("storageSpectrum"));
        QCOMPARE(spectrum->model()->rowCount(), 1); // 2 · |(1, 0)| · |(3, 4)|
        QCOMPARE(texts(spectrum, 1), QStringList{QStringLiteral("10")});
        QVERIFY(panel.findChild<QLabel*>(QStringLiteral("storageNorm"))->text().contains(QLatin1String("10")));
    }

    void cancelsWhenAnotherTensorIsChosen() {
        const QTemporaryDir folder;
        const ModelPtr model = adapter(folder);
        QVERIFY(model);
        Document document(stats::modelContents(model));
        test::ManualJobs jobs;
        test::TestServices services(&jobs);
        StoragePanel panel(document, services);
        panel.show();
        panel.setTensor(indexOf(*model, ".delta"));
        const auto job = jobs.find(StoragePanel::tr("Singular values of an adapter"));
        QVERIFY(job);
        panel.setTensor(indexOf(*model, "lora_A.weight"));
        QVERIFY(job->isCanceled());
        jobs.runAll();
        QCOMPARE(panel.findChild<CellTableView*>(QStringLiteral("storageSpectrum"))->model()->rowCount(), 0);
    }

    void listsLogicalOrStoredTensors() {
        const QTemporaryDir folder;
        const ModelPtr model = adapter(folder);
        QVERIFY(model);
        const Document document(stats::modelContents(model));
        TensorPanel panel(document);
        auto* box = panel.findChild<QComboBox*>(QStringLiteral("shownTensors"));
        QVERIFY(box);
        QVERIFY(!box->accessibleName().isEmpty());
        QCOMPARE(panel.shownTensors().size(), std::size_t{3});
        panel.setShown(TensorPanel::Shown::Logical);
        QCOMPARE(panel.shownTensors().size(), std::size_t{1});
        panel.setShown(TensorPanel::Shown::Stored);
        QCOMPARE(panel.shownTensors().size(), std::size_t{2});
        panel.chooseTensor(indexOf(*model, ".delta")); // what the view hides is shown when it is asked for
        QCOMPARE(panel.shown(), TensorPanel::Shown::All);
        panel.setShown(TensorPanel::Shown::Stored);
        TensorPanel other(document);
        other.restore(panel.save());
        QCOMPARE(other.shown(), TensorPanel::Shown::All); // the chosen tensor is logical
    }

    void modelsWithoutLogicalWeightsHaveNoSwitch() {
        const Document document(test::makeContents(1));
        const TensorPanel panel(document);
        QVERIFY(!panel.findChild<QComboBox*>(QStringLiteral("shownTensors")));
    }
};

WB_GUI_TEST(StorageTest)
#include "storage_test.moc"
