// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/gguf/convert_plan.h"
#include "tests/unit/support/support.h"

#include <functional>

namespace wb::convert {

// The bytes of a file, for edits.
std::string fileText(const std::filesystem::path& path);

// The Hugging Face folder of one of shared/arch.
std::filesystem::path archFolder(const std::string& name);

Result<ConvertPlan> planFolder(const std::filesystem::path& folder, const ConvertRequest& request = {});

// The plan of a folder, written into `target`; fails the test where either is refused.
void convertFolder(const std::filesystem::path& folder, const std::filesystem::path& target, const ConvertRequest& request = {});

// A small llama of random weights with a BPE vocabulary, made of nothing but this program's own data. `edit` changes a file's text
// before it is written: config.json, tokenizer.json, tokenizer_config.json or model.safetensors.
struct SmallFolder {
    test::TemporaryFolder folder;
    explicit SmallFolder(const std::function<void(const std::string& name, std::string& text)>& edit = {});
};

} // namespace wb::convert
