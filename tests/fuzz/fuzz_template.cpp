// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/text/chat_template.h"
#include "core/text/jinja/json_values.h"

#include <cstdint>
#include <cstdlib>

namespace {

using wb::text::jinja::Value;
using wb::text::jinja::valueOfJson;

constexpr std::string_view messages = R"([{"role":"system","content":"Be brief."},{"role":"user","content":"<|im_end|> 你好\n"},
{"role":"assistant","content":null,"reasoning_content":"hm","tool_calls":[{"id":"a1","type":"function","function":{"name":"f",
"arguments":{"x":[1,2.5,true]}}}]},{"role":"tool","tool_call_id":"a1","name":"f","content":"{}"},
{"role":"user","content":[{"type":"text","text":"and?"}]}])";

wb::text::Conversation conversation(bool hasTools) {
    wb::text::Conversation made;
    made.messages = *valueOfJson(messages);
    if (hasTools)
        made.tools =
            *valueOfJson(R"([{"type":"function","function":{"name":"f","description":"","parameters":{"type":"object"}}}])");
    made.addGenerationPrompt = !hasTools;
    made.bosToken = "<s>";
    made.eosToken = "</s>";
    made.variables = {{"enable_thinking", Value::of(hasTools)}};
    made.now.tm_year = 126;
    made.now.tm_mday = 2;
    return made;
}

void checkRefusal(const wb::Error& error) {
    for (const wb::Reason reason : {wb::text::templateError, wb::text::undefinedError, wb::text::typeError, wb::text::securityError,
                                    wb::Reason("template.text")})
        if (error.reason == reason && error.message().find("input.jinja") != std::string::npos) return;
    std::abort();
}

} // namespace

// A template of a stranger gives valid text within its bounds, with stretches of the conversation's own that lie in it one behind
// the other; or one sentence of a known class.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto parsed = wb::text::ChatTemplate::parse({reinterpret_cast<const char*>(data), size}, "input.jinja");
    if (!parsed) return checkRefusal(parsed.error()), 0;
    wb::text::jinja::Bounds bounds;
    bounds.steps = 3'000'000;
    bounds.output = 1 << 20;
    for (const bool hasTools : {false, true}) {
        const auto prompt = parsed->render(conversation(hasTools), bounds);
        if (!prompt) {
            checkRefusal(prompt.error());
            continue;
        }
        if (prompt->text.size() > bounds.output || !wb::isUtf8(prompt->text)) std::abort();
        std::size_t before = 0;
        for (const wb::text::Stretch& stretch : prompt->literal) {
            if (stretch.begin < before || stretch.end < stretch.begin || stretch.end > prompt->text.size()) std::abort();
            before = stretch.end;
        }
    }
    return 0;
}
