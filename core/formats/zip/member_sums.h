// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/formats/zip/zip.h"
#include "core/worker/worker.h"

#include <span>

// The CRC-32 of every member of an archive, tensors or not, compared with the declared one: for work that judges the whole file.
namespace wb::zip {

enum class SumState : std::uint8_t {
    Same,
    Differs,
    NotDeclared, // 0, as torch.save writes it if it is asked not to compute checksums
    Damaged,     // the data cannot be unpacked or leave the file
    NotRead      // encrypted, or packed by a method other than stored and deflate
};
inline constexpr SumState lastSumState = SumState::NotRead;

// The state of each member, in the order of Archive::members. Stored members are read here, on `threads` threads (0: all); deflated
// ones are unpacked by a worker, as a stream: memory does not depend on the sizes. Progress counts packed bytes. Fails with what
// reading the source and worker::run fail with, and with Canceled.
Result<std::vector<SumState>> compareMembers(std::shared_ptr<const io::ByteSource> source, const Archive& archive, unsigned threads,
                                             const Progress& progress);

// The work of the worker itself, in this process: for the worker, tests and fuzzing. The state of one member that has data.
Result<SumState> compareMember(const io::ByteSource& source, const Member& member, const Progress& progress);

// What compareMembers() lets a worker do.
std::span<const worker::WorkerTask> tasks();

} // namespace wb::zip
