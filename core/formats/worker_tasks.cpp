// SPDX-License-Identifier: MIT
#include "core/formats/worker_tasks.h"

#include "core/formats/flax/flax.h"
#include "core/formats/keras/keras.h"
#include "core/formats/npy/npy.h"
#include "core/formats/onnx/onnx.h"
#include "core/formats/sklearn/sklearn.h"
#include "core/formats/skops/skops.h"
#include "core/formats/stream/unpacked_file.h"
#include "core/formats/tensorflow/tensorflow.h"
#include "core/formats/tflite/tflite.h"
#include "core/formats/torch/torch.h"

#include <vector>

namespace wb::formats {

std::span<const worker::Task> workerTasks() {
    static const std::vector<worker::Task> all = [] {
        std::vector<worker::Task> tasks;
        for (const auto& room : {npy::tasks(), onnx::tasks(), tflite::tasks(), keras::tasks(), tensorflow::tasks(), flax::tasks(),
                                 sklearn::tasks(), skops::tasks(), stream::tasks()})
            tasks.insert(tasks.end(), room.begin(), room.end());
        tasks.push_back(torch::openTask());
        return tasks;
    }();
    return all;
}

} // namespace wb::formats
