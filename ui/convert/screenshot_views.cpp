// SPDX-License-Identifier: MIT
#include "ui/convert/convert_tab.h"
#include "ui/convert/plan_page.h"
#include "ui/convert/wizard.h"

#include <QDir>
#include <QRadioButton>

namespace wb::ui {

// The example is quantized into the cache folder.
QList<ScreenshotView> ConvertTab::screenshotViews() {
    if (m_example.isEmpty()) return {{QStringLiteral("convert-choose"), [this] { m_wizard->closeModel(); }}};
    return {{QStringLiteral("convert-choose"), [this] { m_wizard->closeModel(); }},
            {QStringLiteral("convert-plan"),
             [this] {
                 m_wizard->openModel(m_example);
                 m_wizard->setAllowRequantize(true);
             }},
            {QStringLiteral("convert-goal"),
             [this] {
                 if (auto* button = m_planPage->findChild<QRadioButton*>(QStringLiteral("byMemory"))) button->setChecked(true);
             }},
            {QStringLiteral("convert-result"), [this] {
                 m_wizard->run(QDir(m_services.cacheFolder).filePath(QStringLiteral("small.gguf")), true);
             }}};
}

} // namespace wb::ui
