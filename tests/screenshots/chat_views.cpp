// SPDX-License-Identifier: MIT
#include "tests/screenshots/views.h"
#include "ui/chat/chat_tab.h"
#include "ui/chat/composer.h"
#include "ui/chat/chat_session.h"
#include "ui/chat/model_list.h"
#include "ui/chat/model_picker.h"
#include "ui/chat/talk_page.h"
#include "ui/chat/transcript.h"
#include "ui/widgets/translated.h"

#include <QAction>
#include <QFile>
#include <QLineEdit>
#include <QListView>
#include <QTemporaryDir>

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
    chat::ConversationHead head{id, "Which formats do weights come in? 权重格式", "", "{}", 2, 1, 1'700'000'000'000};
    tab.session().history()->save({head,
                                   {},
                                   {{1, 0, chat::Role::User, "Which formats do weights come in?", {}},
                                    {2,
                                     1,
                                     chat::Role::Assistant,
                                     answer,
                                     {infer::FinishReason::EndOfText, 231, 0.42, 3.1, "SmolLM2-1.7B-Instruct.Q4_K_M.gguf"}},
                                    {3,
                                     1,
                                     chat::Role::Assistant,
                                     "Many.",
                                     {infer::FinishReason::EndOfText, 2, 0.4, 0.1, "SmolLM2-1.7B-Instruct.Q4_K_M.gguf"}}}});
    tab.session().show(id);
}

// Others for the list beside it.
void storeOthers(ui::ChatTab& tab) {
    const char* const titles[] = {"A story about a cat and a dog that live by the sea", "给孩子讲一个关于月亮的故事",
                                  "Regular expressions"};
    for (std::int64_t i = 0; i < 3; ++i)
        tab.session().history()->save(
            {{id + 1 + i, titles[i], "", "{}", 1, 1, 1'690'000'000'000 + i}, {}, {{1, 0, chat::Role::User, titles[i], {}}}});
}

ui::chat::TalkPage* page(ui::ChatTab& tab) { return tab.findChild<ui::chat::TalkPage*>(); }

// The panel of a conversation, and the choice that a full context leaves.
void showPanel(ui::ChatTab& tab, bool isShown) {
    for (QAction* action : tab.actions())
        if (action->isCheckable()) action->setChecked(isShown);
    page(tab)->setChoice(isShown ? ui::chat::ContextChoice{16'384, 4, true} : ui::chat::ContextChoice());
}

void choosePicker(ui::ChatTab& tab) {
    for (QAction* action : tab.actions())
        if (action->shortcut() == QKeySequence(Qt::CTRL | Qt::Key_L)) action->trigger();
}

// A model of a third of its layers on a card, which then fails.
void showDevicePlan(ui::ChatTab& tab, bool isLost) {
    constexpr std::uint64_t gib = 1ull << 30;
    chat::LoadPlan plan{.weights = 9 * gib, .cache = gib, .compute = gib / 4, .context = 8192, .free = 24 * gib};
    plan.fittingContext = 8192;
    plan.wantedContext = 16'384;
    plan.device = {"NVIDIA GeForce RTX 3060", 12, 32, 5 * gib, 11 * gib, false};
    page(tab)->setPlan(plan);
    page(tab)->setNotice(isLost ? ui::translated(makeError(ErrorCode::DeviceLost, Reason("device.lost"),
                                                           "The GPU {} stopped working; the CPU takes over.", plan.device.name))
                                : QString());
}

// A file that only begins like a model, in a folder that is there as long as the program.
QString damagedModel() {
    static const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("damaged-model.gguf"));
    QFile file(path);
    if (file.open(QIODevice::WriteOnly)) file.write("GGUF, but not really");
    return path;
}

// Views of what is stored, which need no model.
QList<View> storedViews(ui::ChatTab& tab) {
    const auto isShown = [&tab] { return tab.session().conversation().head.id == id; };
    auto* const transcript = page(tab)->transcript();
    auto* const list = tab.findChild<QListView*>(QStringLiteral("conversations"));
    auto* const search = tab.findChild<QLineEdit*>(QStringLiteral("search"));
    return {{QStringLiteral("chat-markdown"),
             [&tab] {
                 showPanel(tab, false);
                 storeOthers(tab);
                 showStored(tab);
             },
             [isShown, list] { return isShown() && list->model()->rowCount() >= 4; }},
            {QStringLiteral("chat-reasoning"), [&tab, transcript] { transcript->follow(QStringLiteral("a:fold:2")); }, isShown},
            {QStringLiteral("chat-version"),
             [&tab, transcript] {
                 transcript->follow(QStringLiteral("a:fold:2"));
                 tab.session().showVersion(2, 1);
             },
             isShown},
            {QStringLiteral("chat-edit"),
             [&tab] {
                 tab.session().showVersion(3, -1);
                 tab.editTurn(1);
             },
             isShown},
            {QStringLiteral("chat-search"),
             [&tab, search] {
                 emit page(tab)->cancelEditWanted();
                 search->setText(QStringLiteral("月亮"));
             },
             [list] { return list->model()->rowCount() == 1; }},
            {QStringLiteral("chat-search-none"), [search] { search->setText(QStringLiteral("zebra")); },
             [list] { return list->model()->rowCount() == 0; }},
            {QStringLiteral("chat-panel"),
             [&tab, search] {
                 search->clear();
                 showPanel(tab, true);
             },
             [list] { return list->model()->rowCount() >= 4; }}};
}

// Views of a model at work: an answer stands still in its middle until it is stopped.
QList<View> modelViews(ui::ChatTab& tab, const QString& example) {
    const auto isQuiet = [&tab] {
        return tab.session().state() != ModelState::Loading && tab.session().state() != ModelState::Answering;
    };
    constexpr std::size_t held = 60;
    return {{QStringLiteral("chat-model"),
             [&tab, example] {
                 showPanel(tab, false);
                 tab.startAgain();
                 if (tab.session().state() == ModelState::None || tab.session().state() == ModelState::Failed)
                     tab.openPaths({example});
             },
             [&tab] { return tab.session().state() == ModelState::Ready; }},
            {QStringLiteral("chat-picker"), [&tab] { choosePicker(tab); },
             [&tab] {
                 const auto* picker = tab.findChild<ui::chat::ModelPicker*>();
                 return picker->isVisible() && picker->list()->model()->rowCount() > 0;
             }},
            {QStringLiteral("chat-no-template"), [&tab] { page(tab)->setOfferedTemplate(QStringLiteral("ChatML")); }, isQuiet,
             [&tab] { page(tab)->setOfferedTemplate({}); }},
            {QStringLiteral("chat-loading"),
             [&tab] {
                 page(tab)->setLoading(true, 0.6);
                 page(tab)->setBusy(true, false);
             },
             isQuiet},
            {QStringLiteral("chat-streaming"),
             [&tab] {
                 page(tab)->setLoading(false);
                 tab.session().model().holdAfter(held);
                 ask(tab, QStringLiteral("Write one sentence about cats."));
             },
             [&tab, isQuiet] { // or the answer was shorter
                 const auto& messages = tab.session().messages();
                 if (messages.empty() || messages.back().role != chat::Role::Assistant) return false;
                 return messages.back().content.size() >= held || isQuiet();
             }},
            {QStringLiteral("chat-stopped"), [&tab] { tab.session().stop(); }, isQuiet},
            {QStringLiteral("chat-answer"),
             [&tab] {
                 tab.session().model().holdAfter(0);
                 tab.session().answerAgain(tab.session().conversation().head.leaf);
             },
             isQuiet},
            {QStringLiteral("chat-device"), [&tab] { showDevicePlan(tab, false); }, isQuiet},
            {QStringLiteral("chat-device-lost"), [&tab] { showDevicePlan(tab, true); }, isQuiet}};
}

} // namespace

QList<View> chatViews(ui::ChatTab& tab, const QString& example) {
    QList<View> views{{QStringLiteral("chat-choose"), [&tab] { tab.startAgain(); }},
                      {QStringLiteral("chat-damaged"), [&tab] { tab.openPaths({damagedModel()}); },
                       [&tab] { return tab.session().state() == ModelState::Failed; }}};
    if (!example.isEmpty()) views += inSequence(modelViews(tab, example));
    return views + inSequence(storedViews(tab));
}

} // namespace wb::screenshots
