// SPDX-License-Identifier: MIT
#include "tests/gui/support/gui_test.h"

#include "ui/chat/model_panel.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>

namespace wb::test {

using infer::CacheType;
using ui::chat::ModelPanel;
using ui::chat::ModelSettings;

class ModelPanelTest : public QObject {
    Q_OBJECT

private:
    static QSpinBox* number(const ModelPanel& panel, const char* name) { return panel.findChild<QSpinBox*>(QLatin1String(name)); }
    static QPushButton* reload(const ModelPanel& panel) { return panel.findChild<QPushButton*>(QStringLiteral("reloadModel")); }
    static void choose(QComboBox* box, const char* text) {
        box->setCurrentText(QLatin1String(text));
        Q_EMIT box->activated(box->currentIndex());
    }

private Q_SLOTS:
    void withoutAModelAChangeAppliesAtOnce() {
        ModelPanel panel;
        QSignalSpy applied(&panel, &ModelPanel::applyWanted);
        number(panel, "contextLength")->setValue(4096);
        QCOMPARE(applied.size(), 1);
        QCOMPARE(panel.settings().context, std::size_t{4096});
        QVERIFY(reload(panel)->isHidden());
    }

    void withAModelTheButtonAppliesAllChangesAtOnce() {
        ModelPanel panel;
        panel.setContextMax(8192);
        QSignalSpy applied(&panel, &ModelPanel::applyWanted);
        number(panel, "contextLength")->setValue(2048);
        choose(panel.findChild<QComboBox*>(QStringLiteral("cacheKeys")), "q8_0");
        choose(panel.findChild<QComboBox*>(QStringLiteral("cacheValues")), "f32");
        number(panel, "threads")->setValue(3);
        QCOMPARE(applied.size(), 0);
        QVERIFY(!reload(panel)->isHidden());
        reload(panel)->click();
        QCOMPARE(applied.size(), 1);
        const ModelSettings wanted{2048, CacheType::Q8_0, CacheType::F32, 3};
        QCOMPARE(applied[0][0].value<ModelSettings>(), wanted);
        panel.setSettings(wanted);
        QVERIFY(reload(panel)->isHidden());
    }

    void aSmallerModelDoesNotChangeTheSetting() {
        ModelPanel panel;
        panel.setSettings({32'768, CacheType::F16, CacheType::F16, 0});
        panel.setContextMax(2048);
        QCOMPARE(number(panel, "contextLength")->value(), 2048);
        QCOMPARE(panel.settings().context, std::size_t{32'768});
        QVERIFY(reload(panel)->isHidden());
        panel.setContextMax(65'536);
        QCOMPARE(number(panel, "contextLength")->value(), 32'768);
    }

    void settingsOfASessionComeBackAndNonsenseDoesNot() {
        const ModelSettings settings{16'384, CacheType::Q8_0, CacheType::F16, 8};
        QCOMPARE(ui::chat::modelSettingsFromJson(ui::chat::modelSettingsToJson(settings)), settings);
        const QJsonObject nonsense{{QStringLiteral("context"), -5},
                                   {QStringLiteral("keys"), QStringLiteral("f7")},
                                   {QStringLiteral("values"), 3},
                                   {QStringLiteral("threads"), 1e12}};
        QCOMPARE(ui::chat::modelSettingsFromJson(nonsense), ModelSettings());
    }

    void everyFieldHasANameForScreenReaders() {
        ModelPanel panel;
        const auto labels = panel.findChildren<QLabel*>();
        for (auto* field : panel.findChildren<QWidget*>())
            if (qobject_cast<QAbstractSpinBox*>(field) || qobject_cast<QComboBox*>(field))
                QVERIFY2(std::ranges::any_of(
                             labels, [field](QLabel* label) { return label->buddy() == field && !label->text().isEmpty(); }),
                         qPrintable(field->objectName()));
    }
};

WB_GUI_TEST(ModelPanelTest)

} // namespace wb::test

#include "model_panel_test.moc"
