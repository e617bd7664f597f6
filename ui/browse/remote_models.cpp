// SPDX-License-Identifier: MIT
#include "ui/browse/remote_models.h"

#include "core/hub/remote_model.h"

namespace wb::ui::browse {
namespace {

// The model's connection lives as long as the model.
struct RemoteModel {
    std::unique_ptr<wb::hub::Client> client;
    ModelPtr model;
};

} // namespace

Result<ModelPtr> openRemote(const HubNetwork& network, const std::string& id, const Progress& progress) {
    WB_TRY_ASSIGN(const wb::hub::Network known, network.open(std::make_shared<WaitBoard>(), 2));
    WB_TRY_ASSIGN(wb::hub::Settings settings, network.settings());
    const auto opened = std::make_shared<RemoteModel>();
    opened->client = std::make_unique<wb::hub::Client>(known, std::move(settings));
    formats::OpenOptions options;
    options.progress = progress;
    WB_TRY_ASSIGN(opened->model, wb::hub::openRemoteModel(*opened->client, id, options, lookBytes));
    return ModelPtr(opened, opened->model.get());
}

} // namespace wb::ui::browse
