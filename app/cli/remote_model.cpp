// SPDX-License-Identifier: MIT
#include "app/cli/remote_model.h"

#include "app/cli/network.h"
#include "core/base/ascii.h"
#include "core/formats/gguf/gguf.h"
#include "core/formats/safetensors/safetensors.h"
#include "core/hub/file_name.h"
#include "core/hub/header_source.h"

#include <algorithm>
#include <array>

namespace wb::cli {
namespace {

// What the source of the header needs lives as long as the model.
struct RemoteModel {
    std::unique_ptr<HubSession> session;
    ModelPtr model;
};

bool isModelFile(const hub::RemoteFile& file) {
    const std::string name = ascii::lowered(file.path);
    return !file.refusal && (name.ends_with(".gguf") || name.ends_with(".safetensors"));
}

Result<hub::RemoteFile> chooseFile(const hub::FileList& list, const hub::RemoteId& id, const std::string& text) {
    if (!id.file.empty()) {
        const auto found = std::ranges::find(list.files, id.file, &hub::RemoteFile::path);
        if (found != list.files.end() && !found->refusal) return *found;
        return fail(ErrorCode::NotFound, Reason("cli.no_remote_file"), About{text},
                    WB_TEXT("{} has no file {}; wb download {} --dry-run lists them."), id.repository.text(),
                    hub::shownName(id.file), id.repository.text());
    }
    std::vector<const hub::RemoteFile*> models;
    for (const hub::RemoteFile& file : list.files)
        if (isModelFile(file)) models.push_back(&file);
    if (models.size() == 1) return *models.front();
    if (models.empty())
        return fail(ErrorCode::Unknown, Reason("cli.no_remote_model"), About{text},
                    WB_TEXT("{} holds no GGUF or safetensors file; choose another repository."), text);
    return fail(ErrorCode::Invalid, Reason("cli.many_remote_models"), About{text},
                WB_TEXT("{} holds {} models; name one of its files, as in {}:{}."), text, models.size(), text,
                hub::shownName(models.front()->path));
}

Result<ModelPtr> openHeader(const std::shared_ptr<hub::HeaderSource>& source, const formats::OpenOptions& options) {
    std::array<std::byte, 64> bytes{};
    const auto head = std::span(bytes).first(static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), source->size())));
    WB_TRY(source->readAt(0, head));
    if (gguf::sniff(head)) return gguf::open(source, options);
    if (safetensors::sniff(head, source->size())) return safetensors::open(source, options);
    return fail(ErrorCode::Unsupported, Reason("cli.remote_format"), About{source->name()},
                WB_TEXT("{} is neither GGUF nor safetensors; download it first to look into it."), source->name());
}

} // namespace

Result<ModelPtr> openRemote(const Context& context, const std::string& text) {
    WB_TRY_ASSIGN(hub::RemoteId id, hub::parseRemoteId(text));
    const auto remote = std::make_shared<RemoteModel>();
    WB_TRY_ASSIGN(remote->session, HubSession::open(context, {}));
    hub::Client& client = remote->session->client();
    const Progress progress{context.stop, {}};
    WB_TRY_ASSIGN(const hub::ModelInfo info, client.info(id.repository, progress));
    hub::Repository pinned = id.repository;
    if (!info.commit.empty()) pinned.revision = info.commit;
    WB_TRY_ASSIGN(const hub::FileList list, client.files(pinned, progress));
    WB_TRY_ASSIGN(const hub::RemoteFile file, chooseFile(list, id, text));
    WB_TRY_ASSIGN(const auto source, hub::HeaderSource::open(client, pinned, file, progress));
    WB_TRY_ASSIGN(remote->model, openHeader(source, context.openOptions()));
    return ModelPtr(remote, remote->model.get());
}

} // namespace wb::cli
