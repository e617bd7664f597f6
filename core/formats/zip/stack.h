// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/io/byte_source.h"

#include <vector>

namespace wb::zip {

// Archives in one file, one after another without a gap and without comments, in the order of the file. torch.distributed writes
// .distcp files so and notes the place of each archive in .metadata (pytorch/pytorch: torch/distributed/checkpoint/filesystem.py).
// Empty: the file is not made of at least two such archives, or of more than 100,000. An Error only where it cannot be read.
Result<std::vector<io::Extent>> stackedArchives(const io::ByteSource& source);

} // namespace wb::zip
