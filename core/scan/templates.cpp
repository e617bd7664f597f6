// SPDX-License-Identifier: MIT
#include "core/formats/gguf/gguf.h"
#include "core/formats/safetensors/safetensors.h"
#include "core/scan/examine.h"
#include "core/scan/template_lint.h"

namespace wb::scan {

// The file that the template is in is in the report already.
void Examiner::chatTemplate(const Item& item, std::string_view source) {
    for (TemplateRemark& remark : lintTemplate(source)) {
        if (remark.rule == templateEscape) m_danger.files.back().level = std::max(m_danger.files.back().level, DangerLevel::C);
        find(item, remark.severity, remark.rule, std::nullopt, remark.sentence, std::move(remark.arguments));
    }
}

// The templates of a GGUF file: tokenizer.chat_template and those with their own name.
void Examiner::gguf(const Item& item) {
    data(item, "gguf");
    formats::OpenOptions options;
    options.limits = m_options.limits;
    options.progress = m_options.progress;
    const auto model = gguf::open(item.source, options);
    if (!model) return; // damage is its reader's to tell
    secrets(item, (*model)->metadata);
    for (const Member& member : (*model)->metadata.members)
        if (member.key.starts_with("tokenizer.chat_template"))
            if (const std::string* text = member.value.string()) chatTemplate(item, *text);
}

// The same for the text that a safetensors file keeps next to its tensors.
void Examiner::safetensors(const Item& item) {
    data(item, "safetensors");
    formats::OpenOptions options;
    options.limits = m_options.limits;
    options.progress = m_options.progress;
    if (const auto model = wb::safetensors::open(item.source, options)) secrets(item, (*model)->metadata);
}

} // namespace wb::scan
