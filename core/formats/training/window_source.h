// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/byte_source.h"

#include <memory>

namespace wb::training {

// The same bytes, read through a few windows of 32 KiB: a reader in the worker asks for many small parts that are close to each
// other, and each read of the source is a message to the parent. Thread-safe.
std::shared_ptr<io::ByteSource> readThroughWindows(std::shared_ptr<const io::ByteSource> source);

} // namespace wb::training
