// SPDX-License-Identifier: MIT
#include "ui/chat/shown_turns.h"

#include "ui/chat/chat_session.h"

#include <QCoreApplication>

#include <algorithm>

namespace wb::ui::chat {

using namespace wb::chat;
using infer::FinishReason;

namespace {

struct Notes {
    Q_DECLARE_TR_FUNCTIONS(wb::ui::chat::Notes)

public:
    static QString of(const Turn& turn, std::int64_t leftOut) {
        if (turn.id == leftOut) return tr("Messages above are no longer in the model's context.");
        if (turn.role != Role::Assistant) return {};
        switch (turn.facts.end) {
        case FinishReason::EndOfText: return tr("End of response.");
        case FinishReason::Length: return tr("Stopped: max tokens reached.");
        case FinishReason::StopString: return tr("Stopped at a stop string.");
        case FinishReason::Context: return tr("Stopped: the context is full.");
        case FinishReason::Budget: return tr("Reasoning budget reached.");
        case FinishReason::Stopped: return tr("Stopped by you.");
        case FinishReason::Error: return tr("Stopped by an error.");
        case FinishReason::Unfinished: break;
        }
        return tr("Interrupted: Weighbridge closed while generating.");
    }
};

// Without the ending, which every model here has.
QString modelLabel(const std::string& file) {
    QString name = QString::fromStdString(file);
    if (name.endsWith(QLatin1String(".gguf"), Qt::CaseInsensitive)) name.chop(5);
    return name;
}

ShownTurn shownTurn(const ChatSession& session, const Turn& turn) {
    const Conversation& conversation = session.conversation();
    const std::vector<std::int64_t> versions = conversation.versions(turn.id);
    const bool isLast = turn.id == conversation.head.leaf;
    ShownTurn shown;
    shown.id = turn.id;
    shown.isAnswer = turn.role == Role::Assistant;
    shown.text = turn.text;
    shown.model = modelLabel(turn.facts.model);
    shown.versions = static_cast<int>(versions.size());
    shown.version = static_cast<int>(std::ranges::find(versions, turn.id) - versions.begin()) + 1;
    shown.isGrowing = turn.id == session.answering();
    shown.canContinue = isLast && shown.isAnswer && !turn.text.empty() && turn.facts.end != FinishReason::EndOfText;
    if (!shown.isGrowing) shown.note = Notes::of(turn, session.settings().leftOut);
    return shown;
}

} // namespace

std::vector<ShownTurn> shownTurns(const ChatSession& session) {
    std::vector<ShownTurn> turns;
    for (const Turn* turn : session.conversation().branch()) turns.push_back(shownTurn(session, *turn));
    return turns;
}

std::optional<ShownTurn> shownLastTurn(const ChatSession& session) {
    const Turn* const last = session.conversation().find(session.conversation().head.leaf);
    return last ? std::optional(shownTurn(session, *last)) : std::nullopt;
}

} // namespace wb::ui::chat
