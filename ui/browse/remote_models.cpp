// SPDX-License-Identifier: MIT
#include "ui/browse/remote_models.h"

#include "core/formats/gguf/gguf.h"
#include "core/formats/safetensors/safetensors.h"
#include "core/hub/answers.h"
#include "core/hub/file_name.h"
#include "core/hub/header_source.h"

#include <algorithm>
#include <array>

namespace wb::ui::browse {

using namespace wb::hub;

namespace {

constexpr std::uint64_t lookBytes = 1u << 30; // of data, for one opened model

// What the source asks through lives as long as the model.
struct RemoteModel {
    std::unique_ptr<Client> client;
    ModelPtr model;
};

Result<ModelPtr> openHeader(const std::shared_ptr<HeaderSource>& source, const Progress& progress) {
    std::array<std::byte, 64> bytes{};
    const auto head = std::span(bytes).first(static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), source->size())));
    WB_TRY(source->readAt(0, head));
    formats::OpenOptions options;
    options.progress = progress;
    if (gguf::sniff(head)) return gguf::open(source, options);
    if (safetensors::sniff(head, source->size())) return safetensors::open(source, options);
    return fail(ErrorCode::Unsupported, Reason("browse.remote_format"), About{source->name()},
                WB_TEXT("{} is neither GGUF nor safetensors; download it first to look into it."), source->name());
}

} // namespace

Result<ModelPtr> openRemote(const BrowseNetwork& network, const std::string& id, const Progress& progress) {
    WB_TRY_ASSIGN(const RemoteId remote, parseRemoteId(id));
    WB_TRY_ASSIGN(const wb::hub::Network known, network.open(std::make_shared<WaitBoard>(), 2));
    WB_TRY_ASSIGN(wb::hub::Settings settings, network.settings());
    const auto opened = std::make_shared<RemoteModel>();
    opened->client = std::make_unique<Client>(known, std::move(settings));
    WB_TRY_ASSIGN(const FileList list, opened->client->files(remote.repository, progress));
    const auto file = std::ranges::find(list.files, remote.file, &RemoteFile::path);
    if (file == list.files.end() || file->refusal)
        return fail(ErrorCode::NotFound, noSuchFile, About{id},
                    WB_TEXT("{} has no file {} at this revision; look at its list of files."), remote.repository.text(),
                    shownName(remote.file));
    WB_TRY_ASSIGN(const auto source, HeaderSource::open(*opened->client, remote.repository, *file, Progress{progress.stop, {}}));
    WB_TRY_ASSIGN(opened->model, openHeader(source, progress));
    source->allowData(lookBytes);
    return ModelPtr(opened, opened->model.get());
}

} // namespace wb::ui::browse
