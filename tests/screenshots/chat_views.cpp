// SPDX-License-Identifier: MIT
#include "tests/screenshots/views.h"
#include "ui/chat/chat_tab.h"
#include "ui/chat/composer.h"
#include "ui/chat/model_thread.h"

namespace wb::screenshots {
namespace {

using ui::chat::ModelState;

void ask(ui::ChatTab& tab, const QString& question) {
    tab.findChild<ui::chat::Composer*>()->setPlainText(question);
    tab.send();
}

} // namespace

QList<View> chatViews(ui::ChatTab& tab, const QString& example) {
    if (example.isEmpty()) return {{QStringLiteral("chat-choose"), [] {}}};
    const auto isQuiet = [&tab] { return tab.state() != ModelState::Loading && tab.state() != ModelState::Answering; };
    return {{QStringLiteral("chat-model"),
             [&tab, example] {
                 if (tab.state() == ModelState::None) tab.openPaths({example});
             },
             isQuiet},
            {QStringLiteral("chat-answer"), [&tab] { ask(tab, QStringLiteral("What is the capital of France?")); }, isQuiet}};
}

} // namespace wb::screenshots
