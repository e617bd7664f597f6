// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/stream/stream.h"
#include "core/worker/worker.h"

namespace wb::stream {

// The content of a compressed file, unpacked by a worker and kept in memory: at most 1 GiB. Fails as unpack() does, and as
// worker::run does. `name` is what the content is called in sentences.
Result<std::shared_ptr<io::ByteSource>> unpackFile(std::shared_ptr<const io::ByteSource> file, StreamKind kind,
                                                   const std::string& name, const Progress& progress);

// The task in the worker.
std::span<const worker::WorkerTask> tasks();

} // namespace wb::stream
