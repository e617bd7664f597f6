// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace wb::cli {

// An option whose value names a model by path, by the id of a hub, or by a name of the library (findLocalModel).
struct ModelWord {
    std::string* word;                             // replaced by the path of a model of the library before the command runs
    bool (*isOther)(const std::string&) = nullptr; // whether the word is something else that the command accepts
    bool reportsUnknown = false;                   // the command itself reports a word that names nothing
};

// A command of wb as its own file declares it: its options, and what runs with their values once the command line was parsed.
// Options of every command (Context) are not among them. An option that takes one value may be given twice; the last one counts.
struct Command {
    CLI::App* app;
    std::function<int(const Context&)> run;
    FileOptions files = {};
    bool opensModels = false; // it takes --yes (Context::trustsModels)
    std::vector<ModelWord> models = {};
};

// A check for options. An empty word is mostly a variable of a script that is not set; treated as "not given" it would change the
// result silently.
std::string checkNotEmpty(const std::string& text);

// An option that may be given several times, each time with one value that is not empty.
CLI::Option* addRepeated(CLI::App& command, const std::string& name, std::vector<std::string>& values, const std::string& help);

// An option with one of these words as its value. `into` is a T or an optional of it.
template <class T, class Into>
CLI::Option* addChoice(CLI::App& command, const std::string& name, Into& into, const std::vector<std::pair<std::string, T>>& words,
                       const std::string& help) {
    const auto valueOf = [words](const std::string& word) {
        const auto found = std::ranges::find(words, word, &std::pair<std::string, T>::first);
        return found == words.end() ? std::optional<T>() : std::optional<T>(found->second);
    };
    std::string known;
    for (const auto& [word, value] : words) known += (known.empty() ? "" : ", ") + word;
    return command
        .add_option_function<std::string>(
            name, [&into, valueOf](const std::string& word) { into = *valueOf(word); }, help)
        ->check(
            [known, valueOf](const std::string& word) { return valueOf(word) ? std::string() : word + " is not one of " + known; });
}

} // namespace wb::cli
