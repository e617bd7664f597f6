// SPDX-License-Identifier: MIT
#include "ui/convert/convert_tab.h"
#include "ui/convert/plan_page.h"
#include "ui/convert/wizard.h"

#include <QDir>
#include <QRadioButton>

namespace wb::ui {

using convert::Wizard;

// A type that takes its time, so that there is something to see; the example is quantized into the cache folder once it is planned.
void ConvertTab::runExample() {
    m_wizard->setMix(quant::FileType::IQ3_S);
    const auto begin = [this] { m_wizard->run(QDir(m_services.cacheFolder).filePath(QStringLiteral("small.gguf")), true); };
    auto* const once = new QObject(this);
    connect(m_wizard, &Wizard::changed, once, [this, once, begin] {
        if (!m_wizard->canRun()) return;
        once->deleteLater();
        disconnect(m_wizard, nullptr, once, nullptr);
        begin();
    });
}

void ConvertTab::chooseGoal(const QString& name) {
    if (auto* button = m_planPage->findChild<QRadioButton*>(name)) button->setChecked(true);
}

QList<ScreenshotView> ConvertTab::screenshotViews() {
    if (m_example.isEmpty()) return {{QStringLiteral("convert-choose"), [this] { m_wizard->closeModel(); }}};
    const auto isUnderWay = [this] { return m_wizard->doneBytes() * 4 > m_wizard->totalBytes() && m_wizard->bytesPerSecond() > 0; };
    return {{QStringLiteral("convert-choose"), [this] { m_wizard->closeModel(); }},
            {QStringLiteral("convert-plan"),
             [this] {
                 m_wizard->openModel(m_example);
                 m_wizard->setAllowRequantize(true);
                 chooseGoal(QStringLiteral("byMix"));
             }},
            {QStringLiteral("convert-goal"), [this] { chooseGoal(QStringLiteral("byMemory")); }},
            {QStringLiteral("convert-run"), [this] { runExample(); },
             [this, isUnderWay] {
                 return m_wizard->step() == Wizard::Step::Result || (m_wizard->step() == Wizard::Step::Run && isUnderWay());
             }},
            {QStringLiteral("convert-paused"), [this] { m_wizard->setPaused(true); }, [] { return true; }},
            {QStringLiteral("convert-result"), [this] { m_wizard->setPaused(false); }}};
}

} // namespace wb::ui
