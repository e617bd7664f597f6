// SPDX-License-Identifier: MIT
#include "tests/gui/support/gui_test.h"
#include "tests/gui/support/test_services.h"

#include "ui/chat/model_panel.h"
#include "ui/shell/jobs/job_runner.h"
#include "ui/shell/settings/device_choice.h"

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

    TestDevices m_devices;
    ui::QueuedJobRunner m_runner;

private Q_SLOTS:
    void initTestCase() { m_devices.listed = {{QStringLiteral("card"), QStringLiteral("NVIDIA GeForce RTX 4090"), false, true}}; }

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
        const ModelSettings wanted{.context = 2048, .keys = CacheType::Q8_0, .values = CacheType::F32, .threads = 3};
        QCOMPARE(applied[0][0].value<ModelSettings>(), wanted);
        panel.setSettings(wanted);
        QVERIFY(reload(panel)->isHidden());
    }

    void aSmallerModelDoesNotChangeTheSetting() {
        ModelPanel panel;
        panel.setSettings({.context = 32'768});
        panel.setContextMax(2048);
        QCOMPARE(number(panel, "contextLength")->value(), 2048);
        QCOMPARE(panel.settings().context, std::size_t{32'768});
        QVERIFY(reload(panel)->isHidden());
        panel.setContextMax(65'536);
        QCOMPARE(number(panel, "contextLength")->value(), 32'768);
    }

    void settingsOfASessionComeBackAndNonsenseDoesNot() {
        const ModelSettings settings{.context = 16'384,
                                     .keys = CacheType::Q8_0,
                                     .device = DeviceRef{DeviceRef::Kind::Id, 0, "10de-2684"},
                                     .gpuLayers = 20,
                                     .threads = 8};
        QCOMPARE(ui::chat::modelSettingsFromJson(ui::chat::modelSettingsToJson(settings)), settings);
        const QJsonObject nonsense{{QStringLiteral("context"), -5},    {QStringLiteral("keys"), QStringLiteral("f7")},
                                   {QStringLiteral("values"), 3},      {QStringLiteral("device"), 7},
                                   {QStringLiteral("gpuLayers"), 1e9}, {QStringLiteral("threads"), 1e12}};
        QCOMPARE(ui::chat::modelSettingsFromJson(nonsense), ModelSettings());
    }

    void deviceAndLayersApplyWithTheRestOfTheSettings() {
        ModelPanel panel;
        panel.setDefaultDevice({DeviceRef::Kind::Processor});
        panel.offerDevices(m_devices, m_runner);
        auto* const device = panel.findChild<ui::DeviceChoice*>(QStringLiteral("device"));
        QTRY_COMPARE(device->count(), 3);
        panel.setContextMax(8192);
        panel.setLayersMax(33);
        QSignalSpy applied(&panel, &ModelPanel::applyWanted);
        QVERIFY(!number(panel, "gpuLayers")->isEnabled());
        device->setCurrentIndex(2);
        Q_EMIT device->activated(2);
        QVERIFY(number(panel, "gpuLayers")->isEnabled());
        QVERIFY2(device->toolTip().contains(QStringLiteral("RTX 4090")), qPrintable(device->toolTip()));
        number(panel, "gpuLayers")->setValue(40);
        QCOMPARE(number(panel, "gpuLayers")->value(), 33);
        QCOMPARE(applied.size(), 0);
        reload(panel)->click();
        const auto settings = applied[0][0].value<ModelSettings>();
        QCOMPARE(settings.device, std::optional(DeviceRef{DeviceRef::Kind::Id, 0, "card"}));
        QCOMPARE(settings.gpuLayers, std::optional<std::uint64_t>(33));
    }

    // The device of the settings is named as soon as it is detected, and a missing one is called missing.
    void theTooltipFollowsTheDetection() {
        const DeviceRef card{DeviceRef::Kind::Id, 0, "card"}, missing{DeviceRef::Kind::Id, 0, "missing"};
        ModelPanel panel;
        panel.setDefaultDevice(card);
        panel.offerDevices(m_devices, m_runner);
        auto* const device = panel.findChild<ui::DeviceChoice*>(QStringLiteral("device"));
        QVERIFY2(device->toolTip().contains(QStringLiteral("Detecting")), qPrintable(device->toolTip()));
        QTRY_VERIFY2(device->toolTip().contains(QStringLiteral("RTX 4090")), qPrintable(device->toolTip()));
        device->choose(missing);
        QVERIFY2(device->toolTip().contains(device->currentText()), qPrintable(device->toolTip()));
        QVERIFY2(!device->toolTip().contains(QStringLiteral("Detecting")), qPrintable(device->toolTip()));
        device->choose(card);
        QVERIFY2(device->toolTip().contains(QStringLiteral("RTX 4090")), qPrintable(device->toolTip()));
    }

    void aDeviceOfSettingsCountsUntilOneIsChosen() {
        ModelPanel panel;
        panel.offerDevices(m_devices, m_runner);
        auto* const device = panel.findChild<ui::DeviceChoice*>(QStringLiteral("device"));
        QVERIFY(device->chosen().isAutomatic());
        panel.setDefaultDevice({DeviceRef::Kind::Processor});
        QVERIFY(device->chosen().isProcessor());
        number(panel, "threads")->setValue(2);
        QVERIFY2(!panel.settings().device, "another setting chooses no device");
        panel.setSettings({.device = DeviceRef{}});
        panel.setDefaultDevice({DeviceRef::Kind::Processor});
        QVERIFY(device->chosen().isAutomatic());
    }

    void everyFieldHasANameForScreenReaders() {
        ModelPanel panel;
        panel.offerDevices(m_devices, m_runner);
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
