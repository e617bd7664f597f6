// SPDX-License-Identifier: MIT
#include "core/hub/remote_model.h"

#include "core/base/ascii.h"
#include "core/base/split_name.h"
#include "core/formats/gguf/gguf.h"
#include "core/formats/json/json.h"
#include "core/formats/safetensors/safetensors.h"
#include "core/hub/file_name.h"
#include "core/hub/header_source.h"

#include <algorithm>
#include <array>

namespace wb::hub {
namespace {

constexpr std::size_t maxParts = 1000;
constexpr std::uint64_t maxConfig = 16 << 20;
constexpr std::string_view configName = "config.json";

using Indices = std::vector<std::size_t>; // into FileList::files

bool endsWith(const RemoteFile& file, std::string_view ending) { return ascii::lowered(file.path).ends_with(ending); }
bool isGguf(const RemoteFile& file) { return !file.refusal && endsWith(file, ".gguf"); }
bool isShard(const RemoteFile& file) { return !file.refusal && endsWith(file, ".safetensors"); }

std::optional<std::size_t> indexOf(const FileList& list, const std::string& path) {
    const auto found = std::ranges::find(list.files, path, &RemoteFile::path);
    if (found == list.files.end() || found->refusal) return std::nullopt;
    return static_cast<std::size_t>(found - list.files.begin());
}

// Opens the files of one model one after another.
class Opener {
public:
    Opener(Client& client, const Repository& repository, const FileList& list, const formats::OpenOptions& options,
           std::uint64_t dataBytes)
        : m_client(client), m_repository(repository), m_list(list), m_options(options) {
        if (dataBytes > 0) m_allowance = std::make_shared<HeaderSource::Allowance>(dataBytes);
    }

    // The first one has the metadata; the tensors and files of the others are added to its own.
    Result<Model> open(std::span<const std::size_t> files) {
        WB_TRY_ASSIGN(Model whole, openFile(m_list.files[files.front()]));
        for (const std::size_t index : files.subspan(1)) {
            WB_TRY_ASSIGN(Model part, openFile(m_list.files[index]));
            for (TensorInfo& tensor : part.tensors) {
                tensor.source.shiftFiles(static_cast<std::uint32_t>(whole.files.size()));
                whole.tensors.push_back(std::move(tensor));
            }
            whole.files.insert(whole.files.end(), part.files.begin(), part.files.end());
        }
        return whole;
    }

    // As a folder on the disk is opened: with what its config says.
    Result<Model> openFolder(std::span<const std::size_t> shards, const RemoteFile& config) {
        WB_TRY_ASSIGN(const auto source, HeaderSource::open(m_client, m_repository, config, progress()));
        std::vector<Problem> problems;
        WB_TRY_ASSIGN(Value said, json::readFile(*source, config.path, m_options.limits, problems));
        WB_TRY_ASSIGN(Model folder, open(shards));
        folder.format = FormatId::HuggingFace;
        folder.path = m_repository.text();
        folder.version.reset();
        folder.metadata = {};
        folder.metadata.members.push_back({std::string(configName), std::move(said)});
        folder.metadata.count = folder.metadata.members.size();
        folder.problems.insert(folder.problems.end(), problems.begin(), problems.end());
        sortProblems(folder.problems);
        return folder;
    }

private:
    Progress progress() const { return {m_options.progress.stop, {}}; } // the sources outlive whom it reports to

    Result<Model> openFile(const RemoteFile& file) {
        WB_TRY_ASSIGN(const auto source, HeaderSource::open(m_client, m_repository, file, progress()));
        WB_TRY_ASSIGN(const ModelPtr model, openHeader(source));
        if (m_allowance) source->allowData(m_allowance);
        return *model;
    }

    Result<ModelPtr> openHeader(const std::shared_ptr<HeaderSource>& source) {
        std::array<std::byte, 64> bytes{};
        const auto head = std::span(bytes).first(static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), source->size())));
        WB_TRY(source->readAt(0, head));
        if (gguf::sniff(head)) return gguf::open(source, m_options);
        if (safetensors::sniff(head, source->size())) return safetensors::open(source, m_options);
        return fail(ErrorCode::Unsupported, Reason("hub.remote_format"), About{source->name()},
                    WB_TEXT("{} is neither GGUF nor safetensors; download it first to inspect it."), source->name());
    }

    Client& m_client;
    const Repository& m_repository;
    const FileList& m_list;
    const formats::OpenOptions& m_options;
    std::shared_ptr<HeaderSource::Allowance> m_allowance;
};

// The file that the id names, or the only one there is.
Result<std::size_t> chooseFile(const FileList& list, const RemoteId& id, const std::string& text) {
    if (!id.file.empty()) {
        if (const auto index = indexOf(list, id.file)) return *index;
        return fail(ErrorCode::NotFound, Reason("hub.no_remote_file"), About{text},
                    WB_TEXT("{} has no file {}; run wb download {} --dry-run to list the files."), id.repository.text(),
                    shownName(id.file), id.repository.text());
    }
    Indices models;
    for (std::size_t i = 0; i < list.files.size(); ++i)
        if (isGguf(list.files[i]) || isShard(list.files[i])) models.push_back(i);
    if (models.size() == 1) return models.front();
    if (models.empty())
        return fail(ErrorCode::Unknown, Reason("hub.no_remote_model"), About{text},
                    WB_TEXT("{} contains no GGUF or safetensors file; choose another repository."), text);
    return fail(ErrorCode::Invalid, Reason("hub.many_remote_models"), About{text},
                WB_TEXT("{} contains {} models; specify one of its files, for example {}:{}."), text, models.size(), text,
                shownName(list.files[models.front()].path));
}

// A file and, where it is the first part of a split, the parts that follow.
Result<Indices> withParts(const FileList& list, std::size_t first, const std::string& text) {
    const std::string& path = list.files[first].path;
    const std::string_view ending = path.ends_with(".gguf") ? ".gguf" : ".safetensors";
    Indices files = {first};
    if (!path.ends_with(ending)) return files;
    const auto split = parseSplitName(std::string_view(path).substr(0, path.size() - ending.size()));
    if (!split || split->number != 1 || split->count > maxParts) return files;
    for (std::uint64_t part = 2; part <= split->count; ++part) {
        const std::string name = std::string(split->stem) + splitSuffix(part, split->count) + std::string(ending);
        const auto index = indexOf(list, name);
        if (!index)
            return fail(ErrorCode::NotFound, Reason("hub.missing_part"), About{text},
                        WB_TEXT("{} is missing part {} of the model."), text, shownName(name));
        files.push_back(*index);
    }
    return files;
}

// The config.json in the folder of this file; null: none exists.
const RemoteFile* configBeside(const FileList& list, const std::string& path) {
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
    const auto index = indexOf(list, folder + std::string(configName));
    return index && list.files[*index].bytes <= maxConfig ? &list.files[*index] : nullptr;
}

// All shards of a repository that is one folder of safetensors; empty where a GGUF could be meant as well.
Indices listFolder(const FileList& list) {
    Indices shards;
    for (std::size_t i = 0; i < list.files.size(); ++i) {
        if (endsWith(list.files[i], ".gguf")) return {};
        if (isShard(list.files[i])) shards.push_back(i);
    }
    return indexOf(list, std::string(configName)) ? shards : Indices();
}

} // namespace

Result<ModelPtr> openRemoteModel(Client& client, const std::string& text, const formats::OpenOptions& options,
                                 std::uint64_t dataBytes) {
    WB_TRY_ASSIGN(const RemoteId id, parseRemoteId(text));
    WB_TRY_ASSIGN(const ModelInfo info, client.info(id.repository, options.progress));
    Repository pinned = id.repository;
    if (!info.commit.empty()) pinned.revision = info.commit;
    WB_TRY_ASSIGN(const FileList list, client.files(pinned, options.progress));
    const Indices folder = id.file.empty() ? listFolder(list) : Indices();
    if (!folder.empty()) return openListedModel(client, pinned, list, folder, options, dataBytes);
    WB_TRY_ASSIGN(const std::size_t file, chooseFile(list, id, text));
    WB_TRY_ASSIGN(const Indices files, withParts(list, file, id.repository.text()));
    Opener opener(client, pinned, list, options, dataBytes);
    WB_TRY_ASSIGN(Model model, opener.open(files));
    return std::make_shared<const Model>(std::move(model));
}

Result<ModelPtr> openListedModel(Client& client, const Repository& repository, const FileList& list,
                                 std::span<const std::size_t> files, const formats::OpenOptions& options, std::uint64_t dataBytes) {
    if (files.empty() || files.size() > maxParts)
        return fail(ErrorCode::TooLarge, Reason("hub.many_parts"), About{repository.text()},
                    WB_TEXT("{} has {} files that form one model; at most {} are opened from a hub."), repository.text(),
                    files.size(), maxParts);
    Opener opener(client, repository, list, options, dataBytes);
    const RemoteFile& first = list.files[files.front()];
    const RemoteFile* config = isShard(first) ? configBeside(list, first.path) : nullptr;
    auto model = config ? opener.openFolder(files, *config) : opener.open(files);
    if (!model) return std::unexpected(std::move(model).error());
    return std::make_shared<const Model>(*std::move(model));
}

} // namespace wb::hub
