// SPDX-License-Identifier: MIT
#include "core/hub/remote_model.h"

#include "core/base/ascii.h"
#include "core/formats/gguf/gguf.h"
#include "core/formats/json/json.h"
#include "core/formats/safetensors/safetensors.h"
#include "core/hub/file_name.h"
#include "core/hub/header_source.h"

#include <algorithm>
#include <array>

namespace wb::hub {
namespace {

constexpr std::size_t mostParts = 1000;
constexpr std::uint64_t mostConfig = 16 << 20;

bool isModelFile(const RemoteFile& file) {
    const std::string name = ascii::lowered(file.path);
    return !file.refusal && (name.ends_with(".gguf") || name.ends_with(".safetensors"));
}

Result<RemoteFile> chooseFile(const FileList& list, const RemoteId& id, const std::string& text) {
    if (!id.file.empty()) {
        const auto found = std::ranges::find(list.files, id.file, &RemoteFile::path);
        if (found != list.files.end() && !found->refusal) return *found;
        return fail(ErrorCode::NotFound, Reason("cli.no_remote_file"), About{text},
                    WB_TEXT("{} has no file {}; wb download {} --dry-run lists them."), id.repository.text(), shownName(id.file),
                    id.repository.text());
    }
    std::vector<const RemoteFile*> models;
    for (const RemoteFile& file : list.files)
        if (isModelFile(file)) models.push_back(&file);
    if (models.size() == 1) return *models.front();
    if (models.empty())
        return fail(ErrorCode::Unknown, Reason("cli.no_remote_model"), About{text},
                    WB_TEXT("{} holds no GGUF or safetensors file; choose another repository."), text);
    return fail(ErrorCode::Invalid, Reason("cli.many_remote_models"), About{text},
                WB_TEXT("{} holds {} models; name one of its files, as in {}:{}."), text, models.size(), text,
                shownName(models.front()->path));
}

Result<ModelPtr> openHeader(const std::shared_ptr<HeaderSource>& source, const formats::OpenOptions& options) {
    std::array<std::byte, 64> bytes{};
    const auto head = std::span(bytes).first(static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), source->size())));
    WB_TRY(source->readAt(0, head));
    if (gguf::sniff(head)) return gguf::open(source, options);
    if (safetensors::sniff(head, source->size())) return safetensors::open(source, options);
    return fail(ErrorCode::Unsupported, Reason("cli.remote_format"), About{source->name()},
                WB_TEXT("{} is neither GGUF nor safetensors; download it first to look into it."), source->name());
}

// Part 1 of n of a split GGUF has the metadata; the tensors of the others are added to its own.
Result<ModelPtr> withOtherParts(const ModelPtr& first, const std::vector<ModelPtr>& others) {
    auto whole = std::make_shared<Model>(*first);
    for (const ModelPtr& other : others) whole->tensors.insert(whole->tensors.end(), other->tensors.begin(), other->tensors.end());
    return whole;
}

// "name-00001-of-00003.gguf": the names of the other parts; empty for a file that is whole.
std::vector<std::string> otherParts(const std::string& path) {
    constexpr std::string_view end = ".gguf";
    constexpr std::size_t tail = 20; // "-00001-of-00003.gguf"
    if (path.size() <= tail || !path.ends_with(end)) return {};
    const std::string part = path.substr(path.size() - tail);
    if (part.compare(0, 10, "-00001-of-") != 0) return {};
    std::size_t count = 0;
    for (const char digit : part.substr(10, 5)) {
        if (!ascii::isDigit(digit)) return {};
        count = count * 10 + static_cast<std::size_t>(digit - '0');
    }
    std::vector<std::string> paths;
    for (std::size_t i = 2; i <= std::min<std::size_t>(count, mostParts); ++i)
        paths.push_back(fmt::format("{}-{:05}-of-{:05}.gguf", path.substr(0, path.size() - tail), i, count));
    return paths;
}

Result<ModelPtr> openFile(Client& client, const Repository& repository, const RemoteFile& file,
                          const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(const auto source, HeaderSource::open(client, repository, file, options.progress));
    return openHeader(source, options);
}

bool isShard(const RemoteFile& file) { return !file.refusal && ascii::lowered(file.path).ends_with(".safetensors"); }

// The config.json of a folder of safetensors; null where the repository is none, or where a GGUF could be meant as well.
const RemoteFile* folderConfig(const FileList& list) {
    const RemoteFile* config = nullptr;
    bool hasShard = false;
    for (const RemoteFile& file : list.files) {
        if (ascii::lowered(file.path).ends_with(".gguf")) return nullptr;
        hasShard = hasShard || isShard(file);
        if (file.path == "config.json" && !file.refusal && file.bytes <= mostConfig) config = &file;
    }
    return hasShard ? config : nullptr;
}

// As a folder on the disk is opened: what its config says, and the tensors of all its files.
Result<ModelPtr> openFolder(Client& client, const Repository& repository, const FileList& list, const RemoteFile& config,
                            const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(const auto source, HeaderSource::open(client, repository, config, options.progress));
    auto folder = std::make_shared<Model>();
    folder->format = "huggingface";
    folder->path = repository.text();
    WB_TRY_ASSIGN(Value said, json::readFile(*source, config.path, options.limits, folder->problems));
    folder->metadata.members.push_back({"config.json", std::move(said)});
    folder->metadata.count = folder->metadata.members.size();
    for (const RemoteFile& file : list.files) {
        if (!isShard(file)) continue;
        WB_TRY_ASSIGN(const ModelPtr shard, openFile(client, repository, file, options));
        folder->tensors.insert(folder->tensors.end(), shard->tensors.begin(), shard->tensors.end());
    }
    return folder;
}

} // namespace

Result<ModelPtr> openRemoteModel(Client& client, const std::string& text, const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(RemoteId id, parseRemoteId(text));
    WB_TRY_ASSIGN(const ModelInfo info, client.info(id.repository, options.progress));
    Repository pinned = id.repository;
    if (!info.commit.empty()) pinned.revision = info.commit;
    WB_TRY_ASSIGN(const FileList list, client.files(pinned, options.progress));
    if (const RemoteFile* config = id.file.empty() ? folderConfig(list) : nullptr)
        return openFolder(client, pinned, list, *config, options);
    WB_TRY_ASSIGN(const RemoteFile file, chooseFile(list, id, text));
    WB_TRY_ASSIGN(const ModelPtr model, openFile(client, pinned, file, options));
    std::vector<ModelPtr> others;
    for (const std::string& path : otherParts(file.path)) {
        const auto found = std::ranges::find(list.files, path, &RemoteFile::path);
        if (found == list.files.end() || found->refusal)
            return fail(ErrorCode::NotFound, Reason("hub.missing_part"), About{text}, WB_TEXT("{} lacks the part {} of the model."),
                        id.repository.text(), shownName(path));
        WB_TRY_ASSIGN(ModelPtr part, openFile(client, pinned, *found, options));
        others.push_back(std::move(part));
    }
    return others.empty() ? model : withOtherParts(model, others);
}

} // namespace wb::hub
