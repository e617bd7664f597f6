// SPDX-License-Identifier: MIT
#include "tests/unit/memory/measured.h"

#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace wb::test {

std::vector<std::map<std::string, std::string>> table(const char* file) {
    std::ifstream stream(data() / "memory" / file);
    std::vector<std::string> titles;
    std::vector<std::map<std::string, std::string>> rows;
    for (std::string line; std::getline(stream, line);) {
        if (line.starts_with('#') || line.empty()) continue;
        std::vector<std::string> words;
        std::istringstream fields(line);
        for (std::string word; std::getline(fields, word, '\t');) words.push_back(word);
        if (titles.empty()) {
            titles = words;
            continue;
        }
        EXPECT_EQ(words.size(), titles.size()) << file << ": " << line;
        auto& row = rows.emplace_back();
        for (std::size_t i = 0; i < std::min(words.size(), titles.size()); ++i) row[titles[i]] = words[i];
    }
    EXPECT_FALSE(rows.empty()) << file;
    return rows;
}

memory::Subject measuredModel(const std::string& name) {
    using namespace memory;
    if (name == "Qwen2.5-Coder-1.5B") return *subjectOfSize("Qwen2.5-1.5B");
    memory::Shape shape{.name = name, .architecture = "llama"};
    if (name == "deepseek-coder-1.3b")
        shape = {name, "llama", 24, 2048, 16, 16, 128, 5504, 32256, 16384, 0, 0, false, false, false};
    else if (name == "llama-160m") shape = {name, "llama", 12, 768, 12, 12, 64, 3072, 32000, 2048, 0, 0, false, false, false};
    else if (name == "gemma-2-2b") shape = {name, "gemma2", 26, 2304, 8, 4, 256, 9216, 256000, 8192, 0, 0, true, false, false};
    else if (name == "LLaMA-33B") shape = {name, "llama", 60, 6656, 52, 52, 128, 17920, 32000, 2048, 0, 0, false, false, false};
    else if (name == "LLaMA-65B") shape = {name, "llama", 80, 8192, 64, 64, 128, 22016, 32000, 2048, 0, 0, false, false, false};
    else return *subjectOfSize(name);
    auto subject = subjectOfShape(shape, Trust::Config);
    EXPECT_TRUE(subject) << subject.error().message();
    return subject.value_or(Subject{});
}

} // namespace wb::test
