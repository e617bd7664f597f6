// SPDX-License-Identifier: MIT
#include "tests/gui/support/gui_test.h"
#include "tests/gui/support/test_services.h"

#include "gpu/compute/inference.h"
#include "gpu/device/open.h"
#include "tests/gpu/faults/faults.h"
#include "tests/gpu/support/chosen.h"
#include "ui/chat/chat_tab.h"
#include "ui/chat/choose_page.h"
#include "ui/chat/composer.h"
#include "ui/chat/chat_session.h"
#include "ui/chat/model_panel.h"
#include "ui/shell/jobs/job_runner.h"
#include "ui/shell/settings/device_choice.h"

#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

namespace wb::test {

using ui::chat::ModelState;

// The storyteller on a graphics device, which may fail.
class ChatDeviceTest : public QObject {
    Q_OBJECT

private:
    static constexpr std::size_t held = 40; // bytes, after which an answer stands still
    inline static const DeviceRef cpu = {DeviceRef::Kind::Processor};

    QString labelled(const char* name) const { return m_tab->findChild<QLabel*>(QLatin1String(name))->text(); }
    ui::DeviceChoice* choice() const { return m_tab->findChild<ui::DeviceChoice*>(QStringLiteral("device")); }
    bool becomes(ModelState state) const {
        return QTest::qWaitFor([this, state] { return m_tab->session().state() == state; }, 60'000);
    }
    bool load() const {
        m_tab->openPaths({QStringLiteral(WEIGHBRIDGE_SHARED "/corpus/llm/stories260K.gguf")});
        if (!becomes(ModelState::Ready)) return false;
        m_tab->findChild<QDoubleSpinBox*>(QStringLiteral("temperature"))->setValue(0);
        m_tab->session().model().holdAfter(held);
        return true;
    }
    // The answer's text, once it stands still and was stopped.
    QString answer() const {
        m_tab->findChild<ui::chat::Composer*>()->setPlainText(QStringLiteral("Once upon a time"));
        m_tab->send();
        if (!QTest::qWaitFor([&] { return m_tab->session().messages().back().content.size() >= held; }, 60'000)) return {};
        m_tab->session().stop();
        if (!becomes(ModelState::Ready)) return {};
        return QString::fromStdString(m_tab->session().messages().back().content);
    }
    int index(const DeviceRef& device) const { return choice()->findData(QString::fromStdString(deviceText(device))); }
    void choose(const DeviceRef& device) const {
        choice()->setCurrentIndex(index(device));
        Q_EMIT choice()->activated(choice()->currentIndex());
        reload();
    }
    // What the user changes applies with a reload, once a model is loaded.
    void reload() const {
        auto* const button = m_tab->findChild<QPushButton*>(QStringLiteral("reloadModel"));
        if (!button->isHidden()) button->click();
    }
    DeviceRef devicesId() const { return {DeviceRef::Kind::Id, 0, m_device->info().id}; }

    gpu::DevicePtr m_device;
    TestDevices m_devices;
    std::unique_ptr<ui::QueuedJobRunner> m_runner;
    std::unique_ptr<TestServices> m_services;
    std::unique_ptr<ui::ChatTab> m_tab;

private Q_SLOTS:
    void init() {
        enableFaults();
        auto opened = gpu::openBest(gpu::DeviceFilter::All);
        if (!opened) QSKIP("there is no Vulkan device here");
        m_device = std::move(*opened);
        m_runner = std::make_unique<ui::QueuedJobRunner>();
        m_services = std::make_unique<TestServices>(m_runner.get(), ui::WorkChoices{.threads = 2, .device = cpu});
        m_services->devices = &m_devices;
        m_devices.listed = {{QString::fromStdString(devicesId().id), QString::fromStdString(m_device->info().name), true, true}};
        m_devices.run = [this](const DeviceRef& device) -> std::shared_ptr<infer::Backend> {
            if (device.isProcessor()) return infer::makeCpuBackend();
            return gpu::compute::makeInference(chosen(m_device));
        };
        m_tab = std::make_unique<ui::ChatTab>(*m_services);
        m_tab->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_tab.get()));
        QTRY_VERIFY(index(devicesId()) >= 0);
    }
    void cleanup() {
        m_tab.reset();
        m_runner.reset();
        m_services.reset();
        m_device.reset();
    }

    // The conversation stays when the model moves, and the plan says where the layers lie.
    void aModelMovesToTheDeviceThatIsChosen() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QVERIFY(load());
        QVERIFY(choice()->chosen() == cpu);
        const QString onProcessor = answer();
        QVERIFY(!onProcessor.isEmpty());
        QVERIFY2(labelled("plan").startsWith(QStringLiteral("CPU: ")), qPrintable(labelled("plan")));
        choose(devicesId());
        QVERIFY(becomes(ModelState::Loading) || m_tab->session().state() == ModelState::Ready);
        QVERIFY(becomes(ModelState::Ready));
        QVERIFY2(labelled("plan").contains(QStringLiteral("all layers")), qPrintable(labelled("plan")));
        QVERIFY(labelled("plan").contains(QString::fromStdString(m_device->info().name)));
        QCOMPARE(m_tab->session().messages().size(), 2u);
        m_tab->startAgain();
        QCOMPARE(answer(), onProcessor);
        QVERIFY(labelled("notice").isEmpty());
    }

    // A number of layers, until it is automatic again; the greedy text is the same wherever they lie.
    void asManyLayersAsAreChosenLieOnTheDevice() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        auto* const layers = m_tab->findChild<QSpinBox*>(QStringLiteral("gpuLayers"));
        QVERIFY(layers);
        QVERIFY2(!layers->isEnabled(), "the processor has none");
        choose(devicesId());
        QVERIFY(layers->isEnabled());
        QCOMPARE(layers->text(), QStringLiteral("automatic"));
        layers->setValue(3);
        QVERIFY(load());
        QVERIFY2(labelled("plan").contains(QStringLiteral("2 of 5 layers")), qPrintable(labelled("plan")));
        const QString breakdown = m_tab->findChild<QLabel*>(QStringLiteral("plan"))->toolTip();
        QVERIFY2(breakdown.contains(QStringLiteral("last 2 of 5 layers (as selected)")), qPrintable(breakdown));
        QVERIFY2(breakdown.contains(QStringLiteral("weights")), qPrintable(breakdown));
        QCOMPARE(layers->maximum(), 6);
        const QString both = answer();
        QVERIFY(!both.isEmpty());
        layers->setValue(layers->minimum());
        QVERIFY2(m_tab->session().state() == ModelState::Ready, "nothing is reloaded before the button is pressed");
        reload();
        QVERIFY(becomes(ModelState::Loading) || m_tab->session().state() == ModelState::Ready);
        QVERIFY(becomes(ModelState::Ready));
        QVERIFY2(labelled("plan").contains(QStringLiteral("all layers")), qPrintable(labelled("plan")));
        m_tab->startAgain();
        QCOMPARE(answer(), both);
    }

    void anAnswerGoesOnWhereTheDeviceIsLost() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QVERIFY(load());
        const QString onProcessor = answer();
        m_tab->startAgain();
        choose(devicesId());
        QVERIFY(becomes(ModelState::Ready));
        injectFault(*m_device, Fault::Lost, 9); // the prompt, and some tokens
        QCOMPARE(answer(), onProcessor);
        QVERIFY(m_device->lost());
        QVERIFY2(labelled("notice").contains(QStringLiteral("stopped working")), qPrintable(labelled("notice")));
        QVERIFY2(labelled("plan").startsWith(QStringLiteral("CPU: ")), qPrintable(labelled("plan")));
        choose(cpu);
        QVERIFY(becomes(ModelState::Ready));
        QVERIFY(labelled("notice").isEmpty());
    }

    void theDeviceOfTheSettingsIsFollowedUntilAnotherIsChosen() {
        m_services->work.set({.threads = 2, .device = devicesId()});
        QVERIFY(choice()->chosen() == devicesId());
        choose(cpu);
        m_services->work.set({.threads = 2});
        QVERIFY2(choice()->chosen() == cpu, "the choice of the chat stays");
    }

    // One panel has all settings of the model; the page of a model that is not loaded yet opens it as well.
    void deviceAndLayersAreInTheGenerationSettings() {
        auto* const panel = m_tab->findChild<ui::chat::ModelPanel*>();
        QVERIFY(panel->isAncestorOf(choice()));
        QVERIFY(panel->isAncestorOf(m_tab->findChild<QSpinBox*>(QStringLiteral("gpuLayers"))));
        QVERIFY(!choice()->isVisible());
        auto* const page = m_tab->findChild<ui::chat::ChoosePage*>();
        QVERIFY(page->isVisible());
        auto* const button = page->findChild<QToolButton*>();
        QCOMPARE(button->text(), QStringLiteral("Generation settings"));
        button->click();
        QVERIFY(choice()->isVisible());
    }

    void theChoiceIsRemembered() {
        choose(devicesId());
        m_tab->findChild<QSpinBox*>(QStringLiteral("gpuLayers"))->setValue(7);
        const QJsonObject session = m_tab->saveSession();
        ui::ChatTab another(*m_services);
        another.restoreSession(session);
        another.show();
        QVERIFY(QTest::qWaitForWindowExposed(&another));
        QTRY_VERIFY(another.findChild<ui::DeviceChoice*>(QStringLiteral("device"))->chosen() == devicesId());
        QCOMPARE(another.findChild<QSpinBox*>(QStringLiteral("gpuLayers"))->value(), 7);
    }
};

WB_GUI_TEST(ChatDeviceTest)

} // namespace wb::test

#include "device_test.moc"
