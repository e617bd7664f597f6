// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/services.h"
#include "ui/shell/services/devices.h"
#include "ui/shell/services/local_models.h"

namespace wb::test {

// Services that every tab can be made with: nothing is computed, no GPU, no network. A test sets the members that matter to it,
// and changes settings by work.set().
struct TestServices : ui::Services {
    explicit TestServices(ui::JobRunner* runner = nullptr, const ui::WorkChoices& choices = {.threads = 1},
                          stats::Backend* backend = nullptr, stats::MapBackend* mapBackend = nullptr)
        : work(choices) {
        jobs = runner;
        settings = &work;
        openModels = &models;
        statistics = backend;
        maps = mapBackend;
    }
    TestServices(const TestServices&) = delete;
    TestServices& operator=(const TestServices&) = delete;

    ui::WorkSettings work;
    ui::OpenModels models;
    ui::LocalModels local; // for localModels, where a test wants them known
};

// GPUs that need not exist.
struct TestDevices : ui::Devices {
    QList<ui::DeviceEntry> listed;
    std::vector<memory::Memory> cards;
    std::function<std::shared_ptr<infer::Backend>(const DeviceRef&)> run = [](const DeviceRef&) { return nullptr; };

    std::optional<ui::DeviceSpeed> speed;          // of the GPU; empty without a GPU
    std::function<Result<ui::DeviceSpeed>()> time; // measures it, on a worker

    Result<ui::DeviceSpeed> measuredSpeed(const DeviceRef&) const override {
        return speed ? Result<ui::DeviceSpeed>(*speed) : std::unexpected(noDevice());
    }
    Result<ui::DeviceSpeed> measureSpeed(const DeviceRef&, unsigned, const Progress&) const override { return time(); }
    QList<ui::DeviceEntry> entries() const override { return listed; }
    std::vector<memory::Memory> memories() const override { return cards; }
    std::shared_ptr<infer::Backend> inference(const DeviceRef& device) const override { return run(device); }
};

} // namespace wb::test
