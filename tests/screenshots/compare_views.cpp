// SPDX-License-Identifier: MIT
#include "tests/screenshots/steps.h"
#include "tests/screenshots/views.h"
#include "ui/inspect/compare/compare_page.h"
#include "ui/inspect/inspect_actions.h"
#include "ui/inspect/inspect_tab.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>

namespace wb::screenshots {
namespace {

using ui::inspect::ComparePage;

void close(ui::InspectTab& tab) {
    if (auto* actions = tab.findChild<ui::inspect::InspectActions*>()) actions->close->trigger();
}

} // namespace

QList<View> compareViews(ui::InspectTab& tab, const std::function<bool()>& isIdle, const QString& example, const QString& shared) {
    const QString folder = QDir(shared).filePath(QStringLiteral("arch/llama-k256/hf"));
    const QString broken = QDir(shared).filePath(QStringLiteral("arch/llama-k256/reference.json")); // not a model
    if (example.isEmpty() || !QFileInfo::exists(folder)) return {};
    const auto compared = [&](const char* name, const QString& other, ComparePage::View view) {
        return View{QStringLiteral("compare-%1").arg(QLatin1String(name)), [] {},
                    inOrder({{[&tab, example, other] { tab.comparePaths({example, other}); }, isIdle},
                             {[&tab, view] { tab.currentComparison()->showView(view); }, isIdle}}),
                    [&tab] { close(tab); }};
    };
    return {View{QStringLiteral("compare-choose"), [&tab, example] { tab.compare({example, nullptr}, {}); }, isIdle,
                 [&tab] { close(tab); }},
            compared("tensors", folder, ComparePage::View::Tensors),
            compared("metadata", folder, ComparePage::View::Metadata),
            compared("tokenizer", folder, ComparePage::View::Tokenizer),
            compared("template", folder, ComparePage::View::Template),
            compared("broken", broken, ComparePage::View::Tensors)};
}

} // namespace wb::screenshots
