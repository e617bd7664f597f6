// SPDX-License-Identifier: MIT
#include "app/cli/hub/remote_model.h"

#include "app/cli/hub/network.h"
#include "core/hub/remote_model.h"

namespace wb::cli {
namespace {

// The objects that the source of the header needs live as long as the model.
struct RemoteModel {
    std::unique_ptr<HubSession> session;
    ModelPtr model;
};

} // namespace

Result<ModelPtr> openRemote(const Context& context, const std::string& id) {
    const auto remote = std::make_shared<RemoteModel>();
    WB_TRY_ASSIGN(remote->session, HubSession::open(context, {}));
    formats::OpenOptions options = context.openOptions();
    options.progress.stop = context.stop;
    WB_TRY_ASSIGN(remote->model, hub::openRemoteModel(remote->session->client(), id, options));
    return ModelPtr(remote, remote->model.get());
}

} // namespace wb::cli
