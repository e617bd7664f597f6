// SPDX-License-Identifier: MIT
#include "core/chat/known_templates.h"

#include <algorithm>

namespace wb::chat {
namespace {

// A model of this form has no role for the system prompt, so that it precedes the first message.
#define WB_SYSTEM_IN_FIRST                                                                                                         \
    "{%- set ns = namespace(system='') -%}"                                                                                        \
    "{%- for message in messages if message['role'] == 'system' -%}"                                                               \
    "{%- set ns.system = ns.system + message['content'] + '\\n\\n' -%}"                                                            \
    "{%- endfor -%}"

constexpr KnownTemplate templates[] = {
    {"Llama 3", "<|start_header_id|>",
     "{{- bos_token -}}"
     "{%- for message in messages -%}"
     "{{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n' + message['content'] + '<|eot_id|>' -}}"
     "{%- endfor -%}"
     "{%- if add_generation_prompt -%}{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' -}}{%- endif -%}",
     "<|eot_id|>"},
    {"Gemma", "<start_of_turn>",
     "{{- bos_token -}}" WB_SYSTEM_IN_FIRST "{%- for message in messages if message['role'] != 'system' -%}"
     "{%- set role = 'model' if message['role'] == 'assistant' else message['role'] -%}"
     "{{- '<start_of_turn>' + role + '\\n' + (ns.system if loop.first else '') + message['content'] + '<end_of_turn>\\n' -}}"
     "{%- endfor -%}"
     "{%- if add_generation_prompt -%}{{- '<start_of_turn>model\\n' -}}{%- endif -%}",
     "<end_of_turn>"},
    {"ChatML", "<|im_start|>",
     "{%- for message in messages -%}"
     "{{- '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' -}}"
     "{%- endfor -%}"
     "{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' -}}{%- endif -%}",
     "<|im_end|>"},
    {"Phi-3", "<|assistant|>",
     "{%- for message in messages -%}"
     "{{- '<|' + message['role'] + '|>\\n' + message['content'] + '<|end|>\\n' -}}"
     "{%- endfor -%}"
     "{%- if add_generation_prompt -%}{{- '<|assistant|>\\n' -}}{%- endif -%}",
     "<|end|>"},
    {"Mistral", "[INST]",
     "{{- bos_token -}}" WB_SYSTEM_IN_FIRST "{%- for message in messages if message['role'] != 'system' -%}"
     "{%- if message['role'] == 'assistant' -%}{{- ' ' + message['content'] + eos_token -}}"
     "{%- else -%}{{- '[INST] ' + (ns.system if loop.first else '') + message['content'] + ' [/INST]' -}}{%- endif -%}"
     "{%- endfor -%}",
     ""},
    {"Alpaca", "",
     WB_SYSTEM_IN_FIRST "{{- ns.system -}}"
                        "{%- for message in messages if message['role'] != 'system' -%}"
                        "{%- if message['role'] == 'assistant' -%}{{- '### Response:\\n' + message['content'] + '\\n\\n' -}}"
                        "{%- else -%}{{- '### Instruction:\\n' + message['content'] + '\\n\\n' -}}{%- endif -%}"
                        "{%- endfor -%}"
                        "{%- if add_generation_prompt -%}{{- '### Response:\\n' -}}{%- endif -%}",
     "### Instruction:"},
};

#undef WB_SYSTEM_IN_FIRST

} // namespace

std::span<const KnownTemplate> knownTemplates() { return templates; }

const KnownTemplate& suitableTemplate(const text::Vocabulary& vocabulary) {
    return *std::ranges::find_if(templates, [&](const KnownTemplate& known) {
        return known.marker.empty() || vocabulary.find(known.marker) != text::noToken;
    });
}

const KnownTemplate* findTemplate(std::string_view source) {
    const auto found = std::ranges::find(templates, source, &KnownTemplate::source);
    return found == std::end(templates) ? nullptr : &*found;
}

void applyTemplate(const std::string& source, ConversationSettings& settings) {
    if (const KnownTemplate* before = findTemplate(settings.chatTemplate)) std::erase(settings.stopStrings, before->stop);
    settings.chatTemplate = source;
    const KnownTemplate* known = findTemplate(source);
    if (known && !known->stop.empty()) settings.stopStrings.emplace_back(known->stop);
}

} // namespace wb::chat
