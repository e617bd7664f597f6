// SPDX-License-Identifier: MIT
#include "tests/gui/inspect/desk.h"
#include "core/formats/open.h"
#include "ui/widgets/paths.h"

#include <QAction>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <cstring>

namespace wb::test {

namespace {

QByteArray exportedContent(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

// What is saved from the tab.
class ExportTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyLanguage(QStringLiteral("en")); }

    void exportsTheListedTensorsAsCsv() {
        Desk desk;
        desk.open(desk.path);
        desk.tab.currentPage()->tensors()->search(QStringLiteral("layer:0-1"));
        const QString target = desk.folder.filePath(QStringLiteral("list.csv"));
        desk.tab.currentPage()->exportTo(target, ExportFormat::Csv);
        desk.jobs.runAll();
        const QList<QByteArray> lines = exportedContent(target).split('\n');
        QCOMPARE(lines.size(), 4); // header, two rows, the end
        QVERIFY(lines[0].startsWith("name,dtype,shape,elements,bytes,share,role,layer,file,min"));
        QVERIFY2(
            lines[1].startsWith(
                "model.layers.0.self_attn.q_proj.weight,F32,\"[2, 2]\",4,16,0.2857142857142857,attention,0,sample.safetensors,,"),
            lines[1].constData());
    }

    void exportsAsJsonWithStatistics() {
        Desk desk;
        desk.open(desk.path);
        desk.tab.currentPage()->computeAll();
        desk.jobs.runAll();
        const QString target = desk.folder.filePath(QStringLiteral("list.json"));
        desk.tab.currentPage()->exportTo(target, ExportFormat::Json);
        desk.jobs.runAll();
        const QJsonArray tensors = QJsonDocument::fromJson(exportedContent(target)).array();
        QCOMPARE(tensors.size(), 3);
        const QJsonObject first = tensors[0].toObject();
        QCOMPARE(first[QStringLiteral("name")].toString(), QStringLiteral("embed.weight"));
        QCOMPARE(first[QStringLiteral("shape")].toArray(), (QJsonArray{2, 3}));
        QCOMPARE(first[QStringLiteral("bytes")].toInt(), 24);
        QCOMPARE(first[QStringLiteral("logical")].toBool(true), false);
        QCOMPARE(first[QStringLiteral("stats")].toObject()[QStringLiteral("absmax")].toDouble(), 5.0);
    }

    void savesTheValuesOfATensorAsNumPyFile() {
        Desk desk;
        desk.open(desk.path);
        desk.table()->setCurrentIndex(desk.table()->model()->index(0, 0));
        std::vector<std::uint32_t> asked;
        TensorPanel* tensors = desk.tab.currentPage()->tensors();
        QObject::connect(tensors, &TensorPanel::valuesWanted, tensors,
                         [&asked](const std::vector<std::uint32_t>& wanted) { asked = wanted; });
        QObject::disconnect(tensors, &TensorPanel::valuesWanted, desk.tab.currentPage(),
                            nullptr); // which opens a file dialog
        auto* action = desk.table()->findChild<QAction*>(QStringLiteral("saveValues"));
        QVERIFY(action && desk.table()->actions().contains(action)); // of the context menu
        action->trigger();
        QCOMPARE(asked, std::vector<std::uint32_t>{0});
        const QString target = desk.folder.filePath(QStringLiteral("embed.npy"));
        desk.tab.currentPage()->exportValues({0}, target);
        desk.jobs.runAll();
        const QByteArray file = exportedContent(target);
        QVERIFY(file.startsWith("\x93NUMPY") && file.contains("'shape': (2, 3)"));
        float last = 0;
        QVERIFY(file.size() > 24);
        std::memcpy(&last, file.constData() + file.size() - sizeof(float), sizeof(float));
        QCOMPARE(last, sampleTensors()[0].values.back());
        desk.tab.currentPage()->exportValues({0}, desk.path); // the model itself
        desk.jobs.runAll();
        QVERIFY(desk.bar(desk.tab.currentPage()).contains(QStringLiteral("would be overwritten")));
        const QString other = desk.folder.filePath(QStringLiteral("other.safetensors"));
        QVERIFY(QFile::copy(desk.path, other));
        desk.services.models.set(QStringLiteral("chat"), {{other, nullptr}});
        const QByteArray before = exportedContent(other);
        desk.tab.currentPage()->exportValues({0}, other);
        desk.tab.currentPage()->exportTo(other, ExportFormat::Csv);
        desk.jobs.runAll();
        QVERIFY(exportedContent(other) == before);
    }

    // Several that are selected go into one file, each in its own type.
    void savesTheValuesOfSeveralTensorsAtOnce() {
        Desk desk;
        desk.open(desk.path);
        TensorPanel* tensors = desk.tab.currentPage()->tensors();
        std::vector<std::uint32_t> asked;
        QObject::connect(tensors, &TensorPanel::valuesWanted, tensors,
                         [&asked](const std::vector<std::uint32_t>& wanted) { asked = wanted; });
        QObject::disconnect(tensors, &TensorPanel::valuesWanted, desk.tab.currentPage(),
                            nullptr); // which opens a file dialog
        desk.table()->selectAll();
        desk.table()->findChild<QAction*>(QStringLiteral("saveValues"))->trigger();
        const ModelPtr model = *formats::open(fsPath(desk.path));
        QVERIFY(model->tensors.size() > 1);
        QCOMPARE(asked.size(), model->tensors.size());
        const QString target = desk.folder.filePath(QStringLiteral("all.safetensors"));
        desk.tab.currentPage()->exportValues(asked, target);
        desk.jobs.runAll();
        const auto written = formats::open(fsPath(target));
        QVERIFY2(written.has_value(), written ? "" : written.error().message().c_str());
        QCOMPARE((*written)->tensors.size(), model->tensors.size());
        for (const TensorInfo& tensor : (*written)->tensors) {
            const auto same = std::ranges::find(model->tensors, tensor.name, &TensorInfo::name);
            QVERIFY(same != model->tensors.end() && same->shape == tensor.shape && same->dtypeName() == tensor.dtypeName());
        }
    }

    void saysWhyAnExportFailed() {
        Desk desk;
        desk.open(desk.path);
        desk.tab.currentPage()->exportTo(desk.folder.filePath(QStringLiteral("no/such/folder/list.csv")), ExportFormat::Csv);
        desk.jobs.runAll();
        QVERIFY(desk.bar(desk.tab.currentPage()).contains(QStringLiteral("list.csv")));
    }
};

WB_GUI_TEST(ExportTest)

} // namespace wb::test

#include "export_test.moc"
