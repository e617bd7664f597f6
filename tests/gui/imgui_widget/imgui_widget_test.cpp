// SPDX-License-Identifier: MIT
#include "tests/gpu/faults/faults.h"
#include "tests/gui/imgui_widget/test_plot.h"

#include "gpu/device/open.h"
#include "gpu/device/instance.h"
#include "tests/gui/support/gui_test.h"
#include "ui/widgets/theme.h"

#include <QClipboard>
#include <QInputMethodEvent>
#include <QLineEdit>
#include <QSignalSpy>
#include <QVBoxLayout>
#include <QWheelEvent>

namespace wb::test {
namespace {

using gpu::imview::Renderer;

QColor pixelAt(const TestPlot& plot, QPoint logical) {
    const QImage image = plot.picture();
    return image.pixelColor((QPointF(logical) * image.devicePixelRatio()).toPoint() + QPoint(1, 1));
}

// Sent without the event loop, so that no frame comes between two of them.
void sendMouse(QWidget& widget, QEvent::Type type, QPointF place) {
    const bool move = type == QEvent::MouseMove;
    QMouseEvent event(type, place, widget.mapToGlobal(place), move ? Qt::NoButton : Qt::LeftButton,
                      type == QEvent::MouseButtonPress ? Qt::LeftButton : Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&widget, &event);
}

// A field is entered like this everywhere below.
void clickInto(TestPlot& plot, QPoint place) {
    sendMouse(plot, QEvent::MouseMove, place);
    sendMouse(plot, QEvent::MouseButtonPress, place);
    sendMouse(plot, QEvent::MouseButtonRelease, place);
    QVERIFY(plot.waitForFrame());
}

// Records the keys that its child did not want.
class Parent : public QWidget {
public:
    QList<int> keys;

protected:
    void keyPressEvent(QKeyEvent* event) override { keys.append(event->key()); }
};

std::shared_ptr<Renderer> losingRenderer(int losses, int& opened) {
    return std::make_shared<Renderer>([losses, &opened]() -> Result<std::shared_ptr<gpu::Device>> {
        auto device = gpu::openBest(gpu::DeviceFilter::All);
        if (device && ++opened <= losses) test::injectFault(**device, test::Fault::Lost, 1);
        return device;
    });
}

} // namespace

class ImGuiWidgetTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        test::enableFaults();
        const auto device = gpu::openBest(gpu::DeviceFilter::All);
        const bool required = qEnvironmentVariable("CI") == QStringLiteral("true");
        if (!device && required) QFAIL(qPrintable(QString::fromStdString(device.error().message())));
        if (!device) QSKIP(qPrintable(QString::fromStdString(device.error().message())));
    }

    void init() {
        m_plot = std::make_unique<TestPlot>();
        m_plot->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_plot.get()));
        m_plot->activateWindow();
        m_plot->setFocus();
        QVERIFY(m_plot->waitForFrame());
    }

    void cleanup() {
        m_plot.reset();
        QVERIFY2(gpu::validationActive(), "the validation layer is not loaded; on Debian install vulkan-validationlayers");
        for (const std::string& message : gpu::validationMessages()) QFAIL(message.c_str());
    }

    void nothingIsOpenedBeforeItIsShown() {
        int opened = 0;
        const auto renderer = losingRenderer(0, opened);
        TestPlot plot(renderer);
        plot.requestFrame();
        QCoreApplication::processEvents();
        QCOMPARE(plot.frames, 0);
        QCOMPARE(opened, 0);
        QVERIFY(plot.isAvailable());
        plot.show();
        QTRY_VERIFY(!plot.picture().isNull() && pixelAt(plot, TestPlot::inRed) == QColor(Qt::red));
        QCOMPARE(opened, 1);
        QCOMPARE(plot.texturesMade, 1);
    }

    void picturesAreSharpAtEveryScale() {
        const QImage image = m_plot->picture();
        const qreal scale = m_plot->devicePixelRatioF();
        if (qEnvironmentVariableIsSet("QT_SCALE_FACTOR")) QCOMPARE(scale, qEnvironmentVariable("QT_SCALE_FACTOR").toDouble());
        QCOMPARE(image.size(), (QSizeF(m_plot->size()) * scale).toSize());
        const int edge = qRound(40 * scale), middle = qRound(15 * scale);
        QCOMPARE(image.pixelColor(edge - 1, middle), QColor(Qt::red));
        QCOMPARE(image.pixelColor(edge, middle), m_plot->palette().color(QPalette::Base));
        QCOMPARE(pixelAt(*m_plot, TestPlot::inTexture), QColor(0, 255, 0));
        const QImage grabbed = m_plot->grab().toImage();
        QCOMPARE(grabbed.pixelColor(10, 10), QColor(Qt::red));
        QCOMPARE(image.pixelColor(0, 10), QColor(Qt::red));
        QVERIFY2(grabbed.pixelColor(0, 30) != QColor(Qt::red), "the focus is seen, but not in exports");
    }

    void wordsArePaintedByQt() {
        const QImage image = m_plot->picture();
        int inked = 0;
        const qreal scale = image.devicePixelRatio();
        for (int y = qRound(155 * scale); y < qRound(178 * scale); ++y)
            for (int x = qRound(4 * scale); x < qRound(80 * scale); ++x)
                inked += image.pixelColor(x, y) != m_plot->palette().color(QPalette::Base);
        QVERIFY(inked > 50);
    }

    void framesComeOnDemandOnly() {
        QVERIFY(m_plot->waitForFrame()); // what is under way arrives
        turnLoop();
        const int before = m_plot->frames;
        turnLoop(100);
        QCOMPARE(m_plot->frames, before);
        for (int request = 0; request < 10; ++request) m_plot->requestFrame();
        QTRY_COMPARE(m_plot->frames, before + 1);
        m_plot->changesTextures = true;
        const QSignalSpy shown(m_plot.get(), &ui::ImGuiWidget::frameShown);
        m_plot->requestFrame();
        QTRY_COMPARE(m_plot->frames, before + 2);
        QTRY_VERIFY(!shown.isEmpty());
        turnLoop(100);
        QCOMPARE(m_plot->frames, before + 2);
    }

    void keysTypeAndEdit() {
        clickInto(*m_plot, TestPlot::inField);
        QTest::keyClicks(m_plot.get(), QStringLiteral("w-1.5e3x"));
        QTest::keyClick(m_plot.get(), Qt::Key_Backspace);
        QTest::keyClick(m_plot.get(), Qt::Key_Home);
        QTest::keyClick(m_plot.get(), Qt::Key_Delete);
        QVERIFY(m_plot->waitForFrame());
        QCOMPARE(m_plot->field(), QStringLiteral("-1.5e3"));
    }

    void clipboardAndShortcuts() {
        clickInto(*m_plot, TestPlot::inField);
        QTest::keyClicks(m_plot.get(), QStringLiteral("copied"));
        QTest::keyClick(m_plot.get(), Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(m_plot.get(), Qt::Key_C, Qt::ControlModifier);
        QVERIFY(m_plot->waitForFrame());
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("copied"));
        QGuiApplication::clipboard()->setText(QStringLiteral("pasted 中"));
        QTest::keyClick(m_plot.get(), Qt::Key_V, Qt::ControlModifier);
        QVERIFY(m_plot->waitForFrame());
        QCOMPARE(m_plot->field(), QStringLiteral("pasted 中"));
        QKeyEvent letter(QEvent::ShortcutOverride, Qt::Key_K, Qt::NoModifier, QStringLiteral("k"));
        letter.ignore();
        QCoreApplication::sendEvent(m_plot.get(), &letter);
        QVERIFY(letter.isAccepted());
    }

    void textWithinAndBeyondTheBasicPlane() {
        clickInto(*m_plot, TestPlot::inField);
        const QString chinese = QStringLiteral("权重"), face = QString::fromUcs4(U"\U0001F600", 1);
        QKeyEvent plain(QEvent::KeyPress, 0, Qt::NoModifier, chinese);
        QCoreApplication::sendEvent(m_plot.get(), &plain);
        QKeyEvent beyond(QEvent::KeyPress, 0, Qt::NoModifier, face);
        QCoreApplication::sendEvent(m_plot.get(), &beyond);
        QVERIFY(m_plot->waitForFrame());
        // A library built with 16-bit characters replaces or drops what it has no room for, but never keeps a half.
        const QString known = chinese + face, replaced = chinese + QChar(QChar::ReplacementCharacter);
        QVERIFY(m_plot->field() == known || (sizeof(ImWchar) == 2 && (m_plot->field() == replaced || m_plot->field() == chinese)));
    }

    void inputMethodsCommit() {
        QVERIFY(!m_plot->inputMethodQuery(Qt::ImEnabled).toBool());
        clickInto(*m_plot, TestPlot::inField);
        QVERIFY(m_plot->inputMethodQuery(Qt::ImEnabled).toBool());
        QInputMethodEvent composing(QStringLiteral("liang"), {});
        QCoreApplication::sendEvent(m_plot.get(), &composing);
        QVERIFY(m_plot->waitForFrame());
        QCOMPARE(m_plot->field(), QString());
        QInputMethodEvent done;
        done.setCommitString(QStringLiteral("量化"));
        QCoreApplication::sendEvent(m_plot.get(), &done);
        QVERIFY(m_plot->waitForFrame());
        QCOMPARE(m_plot->field(), QStringLiteral("量化"));
        const QRectF cursor = m_plot->inputMethodQuery(Qt::ImCursorRectangle).toRectF();
        QVERIFY(QRectF(50, 40, 120, 40).contains(cursor.topLeft()));
    }

    void wheelTurns() {
        const auto turn = [&](QPoint pixels, QPoint angle) {
            QWheelEvent event(QPointF(TestPlot::nowhere), m_plot->mapToGlobal(QPointF(TestPlot::nowhere)), pixels, angle,
                              Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(m_plot.get(), &event);
            QVERIFY(event.isAccepted());
            QVERIFY(m_plot->waitForFrame());
        };
        turn({}, {0, 120});
        QCOMPARE(m_plot->wheeled, QPointF(0, 1));
        turn({}, {0, -240});
        QCOMPARE(m_plot->wheeled, QPointF(0, -1));
        turn({0, 8}, {});
        QCOMPARE(m_plot->wheeled, QPointF(0, -0.5));
    }

    void dragsAndQuickClicksAreSeen() {
        const QPoint end = TestPlot::inDragArea + QPoint(20, 5);
        sendMouse(*m_plot, QEvent::MouseMove, TestPlot::inDragArea);
        sendMouse(*m_plot, QEvent::MouseButtonPress, TestPlot::inDragArea);
        sendMouse(*m_plot, QEvent::MouseMove, TestPlot::inDragArea + QPoint(7, -3));
        sendMouse(*m_plot, QEvent::MouseMove, end);
        sendMouse(*m_plot, QEvent::MouseButtonRelease, end);
        QVERIFY(m_plot->waitForFrame());
        QCOMPARE(m_plot->dragged, QPointF(20, 5));
        QCOMPARE(m_plot->clicks, 1);
        const int before = m_plot->presses;
        for (int click = 0; click < 3; ++click) {
            sendMouse(*m_plot, QEvent::MouseButtonPress, end);
            sendMouse(*m_plot, QEvent::MouseButtonRelease, end);
        }
        QVERIFY(m_plot->waitForFrame());
        QCOMPARE(m_plot->presses, before + 3);
        QCOMPARE(m_plot->clicks, 4);
    }

    void theCursorFollows() {
        m_plot->setCursor(Qt::CrossCursor);
        sendMouse(*m_plot, QEvent::MouseMove, TestPlot::nowhere);
        QVERIFY(m_plot->waitForFrame());
        QCOMPARE(m_plot->cursor().shape(), Qt::CrossCursor);
        sendMouse(*m_plot, QEvent::MouseMove, TestPlot::inField);
        QVERIFY(m_plot->waitForFrame());
        QCOMPARE(m_plot->cursor().shape(), Qt::IBeamCursor);
        sendMouse(*m_plot, QEvent::MouseMove, TestPlot::nowhere);
        QVERIFY(m_plot->waitForFrame());
        QVERIFY(m_plot->cursor().shape() != Qt::IBeamCursor);
    }

    void tabWalksInAndOut() {
        Parent window;
        auto* const layout = new QVBoxLayout(&window);
        auto* const before = new QLineEdit;
        auto* const plot = new TestPlot;
        auto* const after = new QLineEdit;
        plot->setMinimumSize(220, 180);
        for (QWidget* widget : {static_cast<QWidget*>(before), static_cast<QWidget*>(plot), static_cast<QWidget*>(after)})
            layout->addWidget(widget);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        before->setFocus();
        QTest::keyClick(before, Qt::Key_Tab);
        QVERIFY(plot->hasFocus());
        QVERIFY(plot->waitForFrame());
        QTest::keyClick(plot, Qt::Key_Tab);
        QVERIFY(after->hasFocus());
        QTest::keyClick(after, Qt::Key_Backtab, Qt::ShiftModifier);
        QVERIFY(plot->hasFocus());

        clickInto(*plot, TestPlot::inField);
        QTest::keyClick(plot, Qt::Key_Tab);
        QVERIFY(plot->waitForFrame());
        QVERIFY(plot->hasFocus());
        QTest::keyClicks(plot, QStringLiteral("2"));
        QVERIFY(plot->waitForFrame());
        QCOMPARE(plot->secondField(), QStringLiteral("2"));
        QTest::keyClick(plot, Qt::Key_Escape);
        QVERIFY(plot->waitForFrame());
        QTest::keyClick(plot, Qt::Key_Tab);
        QVERIFY(after->hasFocus());
    }

    void keysNobodyWantsAreTheParents() {
        Parent window;
        TestPlot* const plot = new TestPlot(nullptr, &window);
        window.show();
        QVERIFY(plot->waitForFrame());
        QTest::keyClick(plot, Qt::Key_Left);
        QCOMPARE(window.keys, QList<int>{Qt::Key_Left});
        clickInto(*plot, TestPlot::inField);
        QTest::keyClick(plot, Qt::Key_Left);
        QCOMPARE(window.keys.size(), 1);
    }

    void noPixelsNoFrame() {
        m_plot->resize(0, 0);
        const int before = m_plot->frames;
        m_plot->requestFrame();
        QVERIFY(!m_plot->waitForFrame(50));
        QCOMPARE(m_plot->frames, before);
        m_plot->resize(100, 60);
        QVERIFY(m_plot->waitForFrame());
        QCOMPARE(pixelAt(*m_plot, TestPlot::inRed), QColor(Qt::red));
        QCOMPARE(m_plot->picture().size(), (QSizeF(100, 60) * m_plot->devicePixelRatioF()).toSize());
    }

    void thePaletteIsFollowed() {
        const auto red = m_plot->textColor.x;
        QVERIFY(red < 0.5f);
        m_plot->setPalette(ui::themePalette(true));
        QVERIFY(m_plot->waitForFrame());
        QVERIFY(m_plot->textColor.x > 0.5f);
        QCOMPARE(pixelAt(*m_plot, TestPlot::nowhere), ui::themePalette(true).color(QPalette::Base));
    }

    void twoPlotsDoNotDisturbEachOther() {
        TestPlot other;
        other.show();
        QVERIFY(other.waitForFrame());
        clickInto(*m_plot, TestPlot::inField);
        QTest::keyClicks(m_plot.get(), QStringLiteral("mine"));
        QVERIFY(other.waitForFrame());
        QVERIFY(m_plot->waitForFrame());
        QCOMPARE(m_plot->field(), QStringLiteral("mine"));
        QCOMPARE(other.field(), QString());
    }

    void aLostDeviceIsOpenedAnewOnce() {
        m_plot.reset(); // the fault is the device's, and devices are shared
        int opened = 0;
        TestPlot plot(losingRenderer(1, opened));
        plot.show();
        QVERIFY(plot.waitForFrame());
        QVERIFY(plot.waitForFrame()); // lost in here
        QCOMPARE(opened, 2);
        QCOMPARE(plot.texturesMade, 2);
        QVERIFY(plot.isAvailable());
        QCOMPARE(pixelAt(plot, TestPlot::inTexture), QColor(0, 255, 0));
    }

    void aDeviceThatIsLostTwiceIsLeftToTheProcessor() {
        m_plot.reset();
        int opened = 0;
        TestPlot plot(losingRenderer(9, opened));
        QSignalSpy changed(&plot, &ui::ImGuiWidget::availabilityChanged);
        plot.show();
        for (int frame = 0; frame < 4; ++frame) QVERIFY(plot.waitForFrame());
        QCOMPARE(opened, 2);
        QCOMPARE(plot.texturesMade, 3);
        QVERIFY(plot.isAvailable() && changed.isEmpty());
        QCOMPARE(pixelAt(plot, TestPlot::inTexture), QColor(0, 255, 0));
    }

    void goesOnOnAnotherDevice() {
        m_plot.reset();
        const auto instance = gpu::Instance::get();
        const auto& found = (*instance)->devices().front();
        std::vector<gpu::DevicePtr> devices; // the same hardware opened anew stands for another
        for (int i = 0; i < 4; ++i) devices.push_back(*gpu::Device::create(found.handle, found.info));
        std::atomic<std::size_t> chosen = 0;
        const auto renderer = std::make_shared<Renderer>([&]() -> Result<gpu::DevicePtr> { return devices[chosen]; });
        TestPlot plot(renderer);
        plot.show();
        QVERIFY(plot.waitForFrame());
        while (++chosen < devices.size()) {
            renderer->reopen();
            QVERIFY(plot.waitForFrame());
        }
        QVERIFY(plot.isAvailable());
        QCOMPARE(plot.texturesMade, 4);
        QCOMPARE(pixelAt(plot, TestPlot::inTexture), QColor(0, 255, 0));
    }

    void withoutADeviceTheProcessorDraws() {
        TestPlot plot(std::make_shared<Renderer>([]() -> Result<std::shared_ptr<gpu::Device>> {
            return fail(ErrorCode::NotFound, Reason("test.failure"), "There is {} here.", "nothing");
        }));
        QSignalSpy changed(&plot, &ui::ImGuiWidget::availabilityChanged);
        plot.show();
        QVERIFY(plot.waitForFrame());
        QVERIFY(plot.isAvailable() && changed.isEmpty());
        QVERIFY(m_plot->waitForFrame());
        QCOMPARE(plot.picture(), m_plot->picture());
    }

private:
    std::unique_ptr<TestPlot> m_plot;
};

WB_GUI_TEST(ImGuiWidgetTest)

} // namespace wb::test

#include "imgui_widget_test.moc"
