// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "app/cli/command.h"
#include "app/cli/library/library.h"
#include "app/cli/library/local_models.h"

#include "app/cli/progress_line.h"
#include "core/jobs/thread_pool.h"
#include "core/library/filter.h"
#include "core/library/scan.h"
#include "core/memory/cards/memories.h"
#ifdef WEIGHBRIDGE_HAS_QT
#include "app/store/trash.h"
#endif

#include <algorithm>

namespace wb::cli {
namespace {

#ifdef WEIGHBRIDGE_HAS_QT
const library::Trash trash = moveToTrash;
#else
const library::Trash trash = [](const std::filesystem::path&) -> Result<void> {
    return fail(ErrorCode::Unsupported, Reason("cli.no_trash"), "This build has no trash support; use a build with Qt.");
};
#endif

// KIND=PATH.
std::optional<library::Store> storeFromText(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals + 1 == text.size()) return std::nullopt;
    const auto kind = library::kindFromName(std::string_view(text).substr(0, equals));
    if (!kind) return std::nullopt;
    std::error_code ignored;
    return library::Store{*kind, std::filesystem::absolute(text.substr(equals + 1), ignored).lexically_normal(), true};
}

class LibraryCommand {
public:
    LibraryCommand(const Context& context, const LibraryOptions& options) : m_context(context), m_options(options) {}

    Result<int> run(const std::vector<library::Store>& named) {
        const auto index = openFactsIndex();
        ProgressLine line("scan", !m_context.quiet);
        WB_TRY_ASSIGN(m_listing, library::scan(localStores(named), *index, m_context.threads, {m_context.stop, {}}));
        if (m_options.findDuplicates) WB_TRY(library::findDuplicates(m_listing, *index, lineProgress(line)));
        for (const library::StoreListing& store : m_listing.stores) logProblems(m_context, store.problems);
        WB_TRY_ASSIGN(const auto chosen, chooseEntries());
        if (m_options.action == LibraryOptions::Action::Verify) return verify(chosen, line);
        if (m_options.action == LibraryOptions::Action::Remove) return remove();
        WB_TRY_ASSIGN(const auto shown, checkRuns(chosen));
        if (m_context.json) printListingJson(m_listing, shown);
        else printListing(m_listing, shown);
        return done;
    }

private:
    // By the headers of each; on as many threads as the machine has.
    Result<std::vector<ShownEntry>> checkRuns(const std::vector<const library::Entry*>& chosen) const {
        const auto memories = memory::memoriesHere();
        std::vector<ShownEntry> shown(chosen.size());
        WB_TRY(jobs::parallelFor(chosen.size(), m_context.threads, m_context.stop, [&](std::uint64_t i) -> Result<void> {
            shown[i].entry = chosen[i];
            WB_TRY_ASSIGN(shown[i].run, infer::checkRun(chosen[i]->path, memories, m_context.stop));
            return {};
        }));
        return shown;
    }

    Progress lineProgress(ProgressLine& line) const {
        return {m_context.stop, [&line](std::uint64_t bytes, std::uint64_t total) { line.set(bytes, total); }};
    }

    // Those that were named, else those that the filter leaves.
    Result<std::vector<const library::Entry*>> chooseEntries() const {
        std::vector<const library::Entry*> chosen;
        for (const std::string& id : m_options.ids) {
            const library::Entry* entry = m_listing.find(id);
            if (!entry) return fail(ErrorCode::NotFound, library::noSuchModel, About{id}, library::noSuchModelSentence, id);
            chosen.push_back(entry);
        }
        if (!chosen.empty()) return chosen;
        for (const library::Entry& entry : m_listing.entries)
            if (library::matchesFilter(library::searchText(entry, m_listing.stores[entry.store].store), m_options.filter))
                chosen.push_back(&entry);
        return chosen;
    }

    Result<int> verify(const std::vector<const library::Entry*>& chosen, ProgressLine& line) const {
        WB_TRY_ASSIGN(const auto files, library::verify(chosen, lineProgress(line)));
        if (m_context.json) printVerifiedJson(files);
        else printVerified(files);
        return std::ranges::any_of(files, [](const auto& file) { return file.isGood == false; }) ? 4 : done;
    }

    Result<int> remove() const {
        WB_TRY_ASSIGN(const library::RemovalPlan plan, library::planRemoval(m_listing, m_options.ids));
        if (m_options.confirmed) WB_TRY(library::remove(plan, trash, {m_context.stop, {}}));
        if (m_context.json) printRemovalJson(plan);
        else printRemoval(plan, m_options.confirmed);
        return done;
    }

    const Context& m_context;
    const LibraryOptions& m_options;
    library::Listing m_listing;
};

int library(const Context& context, const LibraryOptions& options) {
    if (options.action == LibraryOptions::Action::Remove && options.ids.empty())
        return refuseUsage("wb library remove needs the ids of models.");
    std::vector<library::Store> named;
    for (const std::string& text : options.stores) {
        const auto store = storeFromText(text);
        if (!store)
            return refuseUsage(fmt::format("--store {} must be KIND=PATH with one of the kinds weighbridge, hf, ms, ollama, "
                                           "lmstudio, jan, llama.cpp and folder.",
                                           text));
        named.push_back(*store);
    }
    if (const auto log = context.log->open(); !log) return refuse(context, log.error(), context.log->path);
    const auto status = LibraryCommand(context, options).run(named);
    return status ? *status : refuse(context, status.error());
}

} // namespace

Command addLibrary(CLI::App& program) {
    auto options = std::make_shared<LibraryOptions>();
    CLI::App* command = program.add_subcommand("library", "List, verify or remove the models on this computer");
    using enum LibraryOptions::Action;
    addChoice<LibraryOptions::Action>(*command, "ACTION", options->action, {{"list", List}, {"verify", Verify}, {"remove", Remove}},
                                      "Action: list (default), verify or remove");
    command->add_option("ID", options->ids, "Model IDs as shown by list (verify: all by default)");
    command->add_option("--filter", options->filter, "Only models with all these words in name, type, architecture or location")
        ->type_name("WORDS");
    command->add_flag("--duplicates", options->findDuplicates, "Hash files of equal size and list duplicate models");
    addRepeated(*command, "--store", options->stores,
                "Additional models folder: hf=/cache, ollama=/models, folder=/mnt/disk (repeatable)")
        ->type_name("KIND=PATH");
    command->add_flag("--yes", options->confirmed, "With remove: move the files to the trash (without it, only list them)");
    return {command, [options](const Context& context) { return library(context, *options); }, {.reads = {"--store"}}};
}

} // namespace wb::cli
