// SPDX-License-Identifier: MIT
#include "core/scan/worker_tasks.h"

#include "core/formats/registry.h"
#include "core/scan/scan.h"

namespace wb::scan {

std::span<const worker::WorkerTask> allWorkerTasks() {
    static const std::vector<worker::WorkerTask> tasks = [] {
        const auto readers = formats::workerTasks();
        std::vector<worker::WorkerTask> all(readers.begin(), readers.end());
        all.push_back(scanTask());
        return all;
    }();
    return tasks;
}

} // namespace wb::scan
