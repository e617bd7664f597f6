// SPDX-License-Identifier: MIT
#include "core/formats/stream/unpacked_file.h"

#include <array>

namespace wb::stream {
namespace {

constexpr const char* taskName = "stream.unpack";
constexpr std::uint64_t maxUnpacked = 1ull << 30;

Result<std::vector<std::byte>> runTask(const worker::TaskInput& input) {
    const bool isKind = input.request.size() == 1 && std::to_integer<unsigned>(input.request[0]) <= static_cast<unsigned>(lastKind);
    const StreamKind kind = isKind ? static_cast<StreamKind>(input.request[0]) : StreamKind::None;
    return unpack(*input.sources.at(0), kind, maxUnpacked, input.progress);
}

} // namespace

std::span<const worker::WorkerTask> tasks() {
    static constexpr std::array all = {worker::WorkerTask{taskName, runTask}};
    return all;
}

Result<std::shared_ptr<io::ByteSource>> unpackFile(std::shared_ptr<const io::ByteSource> file, StreamKind kind,
                                                   const std::string& name, const Progress& progress) {
    worker::Request request{taskName, file->name(), {static_cast<std::byte>(kind)}, {std::move(file)}, maxUnpacked};
    WB_TRY_ASSIGN(auto content, worker::run(request, progress));
    return std::make_shared<io::MemorySource>(name, std::move(content));
}

} // namespace wb::stream
