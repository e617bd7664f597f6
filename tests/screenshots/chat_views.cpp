// SPDX-License-Identifier: MIT
#include "tests/screenshots/views.h"
#include "ui/chat/chat_tab.h"
#include "ui/chat/composer.h"
#include "ui/chat/model_thread.h"
#include "ui/chat/talk_page.h"

#include <QAction>

namespace wb::screenshots {
namespace {

using ui::chat::ModelState;

void ask(ui::ChatTab& tab, const QString& question) {
    tab.findChild<ui::chat::Composer*>()->setPlainText(question);
    tab.send();
}

// An answer with everything that Markdown has, so that its pictures need no large model.
constexpr auto answer =
    "<think>Three formats come to mind. I compare what they promise.</think>\n\n## Formats of weights\n\nA **GGUF** file holds "
    "*everything* that `wb` needs; 张量、词表与模板都在一个文件里。\n\n"
    "| format | layout | pickle |\n|:--|:-:|--:|\n| GGUF | one file | no |\n| safetensors | shards | no |\n| PyTorch | zip | "
    "**yes** |\n\n"
    "1. Look at it first:\n   - `wb inspect`\n   - `wb scan`\n2. Then convert it.\n\n"
    "```python\nfrom pathlib import Path\n\ndef magic(path):\n    return Path(path).read_bytes()[:4]\n```\n\n"
    "> Opening is not loading.\n\nMore in [the specification](https://github.com/ggml-org/ggml/blob/master/docs/gguf.md).";

constexpr std::int64_t id = 12345;

void showStored(ui::ChatTab& tab) {
    ui::chat::ConversationHead head{id, "Which formats do weights come in? 权重格式", "", "{}", 2, 1, 1'700'000'000'000};
    tab.history()->save({head,
                         {},
                         {{1, 0, "user", "Which formats do weights come in?", {}},
                          {2, 1, "assistant", answer, {"eos", 231, 0.42, 3.1}},
                          {3, 1, "assistant", "Many.", {"eos", 2, 0.4, 0.1}}}});
    tab.showConversation(id);
}

// The panel of a conversation, and the choice that a full context leaves.
void showPanel(ui::ChatTab& tab, bool isShown) {
    for (QAction* action : tab.actions())
        if (action->isCheckable()) action->setChecked(isShown);
    auto* page = tab.findChild<ui::chat::TalkPage*>();
    page->setChoice(isShown ? ui::chat::ContextChoice{16'384, 4, true} : ui::chat::ContextChoice());
}

} // namespace

QList<View> chatViews(ui::ChatTab& tab, const QString& example) {
    const View stored{QStringLiteral("chat-markdown"),
                      [&tab] {
                          showPanel(tab, false);
                          showStored(tab);
                      },
                      [&tab] { return tab.conversation().head.id == id; }};
    const View panel{QStringLiteral("chat-panel"), [&tab] { showPanel(tab, true); }};
    if (example.isEmpty()) return {{QStringLiteral("chat-choose"), [&tab] { tab.startAgain(); }}, stored, panel};
    const auto isQuiet = [&tab] { return tab.state() != ModelState::Loading && tab.state() != ModelState::Answering; };
    return {{QStringLiteral("chat-model"),
             [&tab, example] {
                 showPanel(tab, false);
                 tab.startAgain();
                 if (tab.state() == ModelState::None) tab.openPaths({example});
             },
             isQuiet},
            {QStringLiteral("chat-answer"), [&tab] { ask(tab, QStringLiteral("Write one sentence about cats.")); }, isQuiet},
            stored,
            panel};
}

} // namespace wb::screenshots
