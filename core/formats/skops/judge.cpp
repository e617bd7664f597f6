// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/formats/json/json.h"
#include "core/formats/pickle/names.h"
#include "core/formats/skops/skops.h"
#include "core/model/danger.h"

#include <algorithm>
#include <set>

namespace wb::skops {
namespace {

using json::Token;

// What one object of the schema refers to: the class of a node, or the function of one.
struct Reference {
    std::string module;
    std::string name;
    std::string functionModule;
    std::string function;
    std::size_t position = 0;
};

class Judge {
public:
    explicit Judge(ScannedFile& file) : m_file(file) {}

    void add(const Reference& reference) {
        if (!reference.name.empty()) add(reference.module, reference.name, reference.position);
        if (!reference.function.empty()) add(reference.functionModule, reference.function, reference.position);
    }

private:
    void add(const std::string& module, const std::string& name, std::size_t position) {
        constexpr std::size_t most = 20'000;
        if (m_known.size() >= most || !m_known.emplace(module, name).second) return;
        const DangerLevel level = pickle::globalDangerLevel(module, name);
        m_file.level = std::max(m_file.level, level);
        m_file.globals.push_back({toUtf8(module), toUtf8(name), level, position});
    }

    ScannedFile& m_file;
    std::set<std::pair<std::string, std::string>> m_known;
};

void take(Reference& reference, std::string_view key, std::string_view value) {
    if (key == "__class__") reference.name = value;
    else if (key == "__module__") reference.module = value;
    else if (key == "module_path") reference.functionModule = value;
    else if (key == "function") reference.function = value;
}

} // namespace

void judge(std::string schema, ScannedFile& file) {
    json::takePythonNumbers(schema);
    json::Scanner scanner(schema, json::Scanner::greatestDepth);
    Judge judge(file);
    std::vector<Reference> open;
    std::string key;
    Token token = scanner.next();
    for (; token != Token::End && token != Token::Bad; token = scanner.next()) {
        if (token == Token::BeginObject) open.emplace_back().position = scanner.position();
        if (token == Token::String && !open.empty()) take(open.back(), key, scanner.text());
        if (token == Token::Key) key = scanner.text();
        else key.clear();
        if (token == Token::EndObject) {
            judge.add(open.back());
            open.pop_back();
        }
    }
    for (const Reference& reference : open) judge.add(reference); // of a text that ends early
    file.isIncomplete = file.isIncomplete || token == Token::Bad;
}

} // namespace wb::skops
