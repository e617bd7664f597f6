// SPDX-License-Identifier: MIT
#include "core/scan/worker_tasks.h"

#include "core/formats/registry.h"
#include "core/scan/scan.h"

namespace wb::scan {

std::span<const worker::Task> allWorkerTasks() {
    static const std::vector<worker::Task> tasks = [] {
        const auto readers = formats::workerTasks();
        std::vector<worker::Task> all(readers.begin(), readers.end());
        all.push_back(scanTask());
        return all;
    }();
    return tasks;
}

} // namespace wb::scan
