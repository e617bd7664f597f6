// SPDX-License-Identifier: MIT
#include "core/worker/process.h"
#include "core/base/counts.h"
#include "core/worker/sandbox.h"
#include "core/worker/serve.h"
#include "core/worker/wire.h"

#include <algorithm>
#include <new>
#include <string_view>

namespace wb::worker {
namespace {

// A source whose bytes the parent reads. Only the worker's one thread uses it.
class ParentSource final : public io::ByteSource {
public:
    ParentSource(Channel& channel, std::uint32_t index, std::uint64_t size, std::string name)
        : m_channel(channel), m_index(index), m_size(size), m_name(std::move(name)) {}

    std::uint64_t size() const override { return m_size; }
    const std::string& name() const override { return m_name; }

    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        if (!io::Extent::make(m_size, offset, out.size()))
            return fail(ErrorCode::Malformed, Reason("worker.outside"), About{m_name},
                        WB_TEXT("{} ends at byte {}, but {} more bytes should follow byte {}; download it again."), m_name,
                        grouped(m_size), grouped(out.size()), grouped(offset));
        while (!out.empty()) {
            const auto part = out.first(std::min<std::size_t>(out.size(), maxRead));
            WB_TRY(readPart(offset, part));
            offset += part.size();
            out = out.subspan(part.size());
        }
        return {};
    }

private:
    Result<void> readPart(std::uint64_t offset, std::span<std::byte> out) const {
        WireWriter wanted;
        wanted.u32(m_index);
        wanted.u64(offset);
        wanted.u32(static_cast<std::uint32_t>(out.size()));
        Message answer;
        if (!m_channel.send(MessageKind::Read, wanted.take()) || m_channel.receive(answer) != Channel::Outcome::Got) return gone();
        if (answer.kind == MessageKind::Refused) return std::unexpected(WireReader(answer.content).error());
        if (answer.kind != MessageKind::Bytes || answer.content.size() != out.size()) return gone();
        std::ranges::copy(answer.content, out.begin());
        return {};
    }

    static std::unexpected<Error> gone() { return std::unexpected(canceled()); } // the parent no longer waits from here on

    Channel& m_channel;
    std::uint32_t m_index;
    std::uint64_t m_size;
    std::string m_name;
};

Result<std::vector<std::byte>> runTask(Channel& channel, std::span<const WorkerTask> tasks, const Message& message) {
    WireReader in(message.content);
    const std::string_view name = in.text();
    TaskInput input;
    input.request = in.bytes();
    const std::uint64_t sources = in.count(16);
    for (std::uint32_t i = 0; i < sources; ++i) {
        const std::uint64_t size = in.u64();
        input.sources.push_back(std::make_shared<ParentSource>(channel, i, size, std::string(in.text())));
    }
    input.progress.report = [&channel](std::uint64_t done, std::uint64_t total) {
        WireWriter report;
        report.u64(done);
        report.u64(total);
        (void)channel.send(MessageKind::Progress, report.take());
    };
    const auto task = std::ranges::find_if(tasks, [&](const WorkerTask& t) { return name == t.name; });
    if (!in.good() || task == tasks.end())
        return fail(
            ErrorCode::Internal, Reason("worker.no_task"),
            WB_TEXT("The reader process does not support this task; both Weighbridge programs must have the same version."));
    return task->run(input);
}

bool sendReply(Channel& channel, std::span<const std::byte> reply) {
    while (!reply.empty()) {
        const auto part = reply.first(std::min<std::size_t>(reply.size(), replyPart));
        if (!channel.send(MessageKind::Reply, part)) return false;
        reply = reply.subspan(part.size());
    }
    return channel.send(MessageKind::Done, {});
}

} // namespace

bool serveOne(Channel& channel, std::span<const WorkerTask> tasks) {
    Message message;
    if (channel.receive(message) != Channel::Outcome::Got || message.kind != MessageKind::Task) return false;
    Result<std::vector<std::byte>> reply = std::unexpected(outOfMemory());
    try {
        reply = runTask(channel, tasks, message);
    } catch (const std::bad_alloc&) {
    } // stays outOfMemory(): the sandbox's limit, or the machine's
    if (reply) return sendReply(channel, *reply);
    WireWriter error;
    error.error(reply.error());
    return channel.send(MessageKind::Failed, error.take());
}

std::optional<int> serveIfAsked(int argc, char** argv, std::span<const WorkerTask> tasks) {
    if (argc != 2 || std::string_view(argv[1]) != workerArgument) {
        setProgramServes();
        return std::nullopt;
    }
    const auto channel = channelToParent();
    if (!shutIn()) return 1;
    return serveOne(*channel, tasks) ? 0 : 1;
}

const char* weakerGuarantee() { return missingGuarantee(); }

} // namespace wb::worker
