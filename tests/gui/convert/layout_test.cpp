// SPDX-License-Identifier: MIT
#include "tests/gui/convert/inline_jobs.h"
#include "tests/gui/convert/wizard_bench.h"
#include "ui/convert/choose_page.h"
#include "ui/shell/settings/language.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/paths.h"

#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QProgressBar>
#include <QRadioButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>

namespace wb::test {

using ui::convert::Wizard;

// Whether everything on the pages can be read, in both languages and down to the smallest window.
class LayoutTest : public QObject {
    Q_OBJECT

private:
    // What a user reads or uses; parts of Qt's own widgets are left to Qt.
    QList<QWidget*> content() const {
        QList<QWidget*> found;
        const auto widgets = page()->findChildren<QWidget*>();
        for (QWidget* widget : widgets) {
            const bool isContent = qobject_cast<QLabel*>(widget) || qobject_cast<QAbstractButton*>(widget) ||
                                   qobject_cast<QLineEdit*>(widget) || qobject_cast<QComboBox*>(widget) ||
                                   qobject_cast<QTableView*>(widget) || qobject_cast<QProgressBar*>(widget) ||
                                   qobject_cast<QTabBar*>(widget) || widget->objectName() == QStringLiteral("errorChart");
            const auto* parent = widget->parentWidget();
            const bool isPartOfOne = qobject_cast<const QLineEdit*>(parent) || qobject_cast<const QAbstractItemView*>(parent) ||
                                     qobject_cast<const QTabBar*>(parent) || qobject_cast<const QAbstractSpinBox*>(parent) ||
                                     qobject_cast<const QHeaderView*>(parent);
            if (isContent && !isPartOfOne && widget->isVisible()) found << widget;
        }
        return found;
    }
    QWidget* page() const { return m_bench->tab->findChild<QStackedWidget*>()->currentWidget(); }
    QRect place(const QWidget* widget) const { return {widget->mapTo(page(), QPoint()), widget->size()}; }
    // The part that is seen now: what holds it may have scrolled.
    QRect seen(const QWidget* widget) const {
        QRect part = place(widget);
        for (const QWidget* parent = widget->parentWidget(); parent && parent != page(); parent = parent->parentWidget())
            part &= place(parent);
        return part & page()->rect();
    }
    static QString widgetName(const QWidget* widget) {
        const QString text = widget->property("text").toString();
        return QStringLiteral("%1 %2 “%3”").arg(QLatin1String(widget->metaObject()->className()), widget->objectName(), text);
    }
    // Empty: there is room for its text.
    static QString cut(const QWidget* widget) {
        int needed = 0;
        int height = 0;
        const auto* label = qobject_cast<const QLabel*>(widget);
        if (qobject_cast<const ui::ElidedLabel*>(widget)) return {};
        if (label && label->wordWrap()) height = label->heightForWidth(label->width());
        else if (label || qobject_cast<const QAbstractButton*>(widget)) needed = widget->sizeHint().width();
        else if (const auto* box = qobject_cast<const QComboBox*>(widget))
            needed = box->fontMetrics().horizontalAdvance(box->currentText()) + 40;
        else if (qobject_cast<const QTabBar*>(widget)) needed = widget->sizeHint().width();
        if (widget->width() >= needed && widget->height() >= height) return {};
        return QStringLiteral("%1 is cut: %2 of %3 wide, %4 of %5 high")
            .arg(widgetName(widget))
            .arg(widget->width())
            .arg(needed)
            .arg(widget->height())
            .arg(height);
    }
    QString problem() const {
        turnLoop(); // layouts take a few turns
        const QSize least = page()->layout()->minimumSize();
        if (least.width() > page()->width() || least.height() > page()->height())
            return QStringLiteral("the page needs %1 x %2").arg(least.width()).arg(least.height());
        const auto widgets = content();
        for (const QWidget* widget : widgets) {
            if (const QString said = cut(widget); !said.isEmpty()) return said;
            const QRect part = seen(widget);
            if (!part.isEmpty() && part.width() < widget->width())
                return widgetName(widget) + QStringLiteral(" goes over the edge");
            for (const QWidget* other : widgets)
                if (other < widget && !other->isAncestorOf(widget) && !widget->isAncestorOf(other) && part.intersects(seen(other)))
                    return widgetName(widget) + QStringLiteral(" lies over ") + widgetName(other);
        }
        return {};
    }
    void check(const char* what) const {
        for (const QSize size :
             {QSize(660, 440), QSize(900, 600), QSize(1180, 700)}) { // the first is what a window of 760 x 520 leaves
            m_bench->tab->setFixedSize(size);                        // as the window, which may be smaller than its pages ask for
            const QString said = problem();
            QVERIFY2(said.isEmpty(),
                     qPrintable(QStringLiteral("%1 at %2: %3").arg(QLatin1String(what)).arg(size.width()).arg(said)));
        }
    }
    void search() const {
        for (QAction* action : m_bench->tab->actions())
            if (action->shortcut() == QKeySequence(QKeySequence::Find)) action->trigger();
    }
    void checkPlan() const {
        auto* parts = m_bench->find<QTabBar>("parts");
        for (const char* goal : {"byMix", "bySize", "byMemory"}) {
            m_bench->find<QRadioButton>(goal)->setChecked(true);
            check(goal);
        }
        parts->setCurrentIndex(1);
        check("tensors");
        parts->setCurrentIndex(3);
        check("all mixes");
        m_bench->tab->setFixedSize(660, 440);
        QVERIFY2(!m_bench->find<QRadioButton>("byMix")->isVisible(), "there is room for one part only");
        search();
        QVERIFY(m_bench->find<QLineEdit>("searchTensors")->isVisible());
        parts->setCurrentIndex(0);
        search();
        QVERIFY2(m_bench->find<QLineEdit>("searchTensors")->isVisible(), "looking for a tensor shows the tensors");
    }

    InlineJobs m_jobs;
    std::unique_ptr<WizardBench> m_bench;

private Q_SLOTS:
    void init() {
        m_jobs.never = QStringLiteral("Estimating speed");
        m_bench = std::make_unique<WizardBench>(m_jobs);
    }
    void cleanup() {
        m_bench.reset();
        ui::applyLanguage(QStringLiteral("en"));
    }

    void everythingCanBeRead_data() {
        QTest::addColumn<QString>("language");
        QTest::newRow("English") << QStringLiteral("en");
        QTest::newRow("Chinese") << QStringLiteral("zh_CN");
    }

    void everythingCanBeRead() {
        QFETCH(const QString, language);
        ui::applyLanguage(language);
        const QString target = path("a-name-that-is-as-long-as-those-of-models-with-many-words-in-them-Q4_K_M.gguf");
        m_bench->restart();
        check("choice of a model");
        QVERIFY(m_bench->open());
        checkPlan();
        m_bench->find<QRadioButton>("byMix")->setChecked(true); // no types were chosen for the memory
        wizard().run(target, false);
        check("run");
        QVERIFY(m_bench->waitFor(Wizard::Step::Result));
        check("result");
    }

    // With the jobs below it the page is low.
    void thePlotOfTheMixesIsWholeOnALowPage() {
        ui::applyLanguage(QStringLiteral("en"));
        m_bench->restart();
        QVERIFY(m_bench->open());
        m_bench->find<QTabBar>("parts")->setCurrentIndex(3);
        QTRY_VERIFY(wizard().mixes().table());
        const auto* plot = m_bench->find<QWidget>("mixPlot");
        const auto* table = m_bench->find<QTableView>("mixTable");
        for (const int height : {900, 480}) {
            m_bench->tab->setFixedSize(1180, height);
            QTRY_COMPARE(plot->visibleRegion().boundingRect(), plot->rect());
            const bool isBelow = plot->mapTo(m_bench->tab.get(), QPoint()).y() > table->mapTo(m_bench->tab.get(), QPoint()).y();
            QCOMPARE(isBelow, height == 900);
        }
    }

private:
    Wizard& wizard() const { return m_bench->wizard(); }
    QString path(const char* name) const { return m_bench->path(name); }
};

WB_GUI_TEST(LayoutTest)

} // namespace wb::test

#include "layout_test.moc"
