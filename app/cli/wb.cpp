// SPDX-License-Identifier: MIT
#include "app/cli/wb.h"

#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/library/local_models.h"
#include "app/cli/user_folders.h"

#include "core/infer/simd_levels.h"
#include "gpu/device/device_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <numeric>
#include <utility>

namespace wb::cli {
namespace {

// CLI11 prints several lines for a wrong command line; the contract is one sentence and status 2.
int parseFailure(const CLI::App& app, const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app.exit(error);
    const auto commands = app.get_subcommands();
    const std::string command = commands.empty() ? "wb" : "wb " + commands.front()->get_name();
    return refuseUsage(fmt::format("{}. Run {} --help to see how it is used.", error.what(), command));
}

bool isUnknownCommand(const CLI::App& app, std::string_view word) {
    return !word.starts_with('-') &&
           app.get_subcommands([&](const CLI::App* command) { return command->get_name() == word; }).empty();
}

// Letters to add, remove or change until `from` is `to`.
std::size_t editsBetween(std::string_view from, std::string_view to) {
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= from.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= to.size(); ++j) {
            const std::size_t changed = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
            diagonal = std::exchange(row[j], std::min({changed, row[j] + 1, row[j - 1] + 1}));
        }
    }
    return row.back();
}

int refuseCommand(const CLI::App& app, std::string_view word) {
    std::string nearest;
    std::size_t fewest = 3; // more than two slips of the hand are another word
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        if (const std::size_t edits = editsBetween(word.substr(0, 64), command->get_name()); edits < fewest) {
            fewest = edits;
            nearest = command->get_name();
        }
    return refuseUsage(fmt::format("{} is not a wb command{} Run wb --help for the list of commands.", word,
                                   nearest.empty() ? "." : fmt::format("; did you mean wb {}?", nearest)));
}

// `wb help` is `wb --help`, and `wb help inspect` is `wb inspect --help`.
std::vector<std::string> commandWords(std::vector<std::string> words) {
    if (!words.empty()) words.erase(words.begin());
    if (words.empty() || words[0] != "help") return words;
    words.erase(words.begin());
    words.resize(std::min<std::size_t>(words.size(), 1));
    words.emplace_back("--help");
    return words;
}

// What could not be written is lost, which a script must learn.
int withOutput(int status) {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
    fmt::print(stderr, "wb: The output cannot be written ({}); free disk space or redirect it elsewhere.\n", std::strerror(errno));
    return failed;
}

Result<void> findModels(const Command& command, const Context& context) {
    for (const ModelWord& model : command.models) {
        if (model.word->empty() || (model.isOther && model.isOther(*model.word))) continue;
        auto found = findLocalModel(context, *model.word);
        if (!found && model.reportsUnknown && found.error().reason == noLocalModel) continue;
        WB_TRY_ASSIGN(*model.word, std::move(found));
        WB_TRY(context.files->alsoRead(std::filesystem::path(*model.word)));
    }
    return {};
}

int runCommand(const Command& command, Context& context) {
    context.stop = stopOnInterrupt();
    try {
        if (const auto files = context.files->take(*command.app, context.json); !files) return refuse(context, files.error());
        // A file with other content may turn out to be one that the command reads, which is wrong usage.
        if (const auto log = context.log->check(); !log && log.error().reason != foreignLog) return refuse(context, log.error());
        if (const auto found = findModels(command, context); !found) return refuse(context, found.error());
        const int status = command.run(context);
        return status == done ? withOutput(status) : status;
    } catch (const std::bad_alloc&) { // by now most of the used memory is free again
        return refuse(context, outOfMemory());
    }
}

} // namespace

int run(std::vector<std::string> line) {
    if (const auto folder = cacheFolder(); !folder.empty()) gpu::setUp({folder / "pipelines"});
    CLI::App program("Weighbridge command line: inspect, convert, quantize, download and run model files.", "wb");
    program.set_version_flag("--version", "wb " WEIGHBRIDGE_VERSION);
    program.require_subcommand(1);
    program.allow_windows_style_options(false); // /folder and //server/share are paths; commands inherit it
    program.failure_message(CLI::FailureMessage::simple);
    Context context;
    const std::vector<Command> commands = addCommands(program, context);
    std::vector<std::string> words = commandWords(std::move(line));
    if (!words.empty() && isUnknownCommand(program, words[0])) return refuseCommand(program, words[0]);
    std::ranges::reverse(words); // as CLI11 takes them
    try {
        program.parse(std::move(words));
    } catch (const CLI::ParseError& error) {
        return parseFailure(program, error);
    }
    if (const char* level = std::getenv("WEIGHBRIDGE_SIMD"); level != nullptr && !infer::chooseSimd(level))
        return refuseUsage("WEIGHBRIDGE_SIMD must be scalar or an instruction set that wb devices names.");
    if (const char* kernels = std::getenv("WEIGHBRIDGE_GPU_KERNELS"); kernels != nullptr && std::string_view(kernels) != "fast")
        return refuseUsage("WEIGHBRIDGE_GPU_KERNELS must be fast.");
    const auto chosen = std::ranges::find_if(commands, [](const Command& command) { return command.app->parsed(); });
    return runCommand(*chosen, context);
}

} // namespace wb::cli
