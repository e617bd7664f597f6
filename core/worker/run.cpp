// SPDX-License-Identifier: MIT
#include "core/worker/worker.h"

#include "core/base/checked.h"
#include "core/io/system/own_program.h"
#include "core/worker/process.h"
#include "core/worker/serve.h"
#include "core/worker/wire.h"

#include <atomic>
#include <chrono>
#include <mutex>

namespace wb::worker {
namespace {

std::atomic<bool> programServes = false;

struct Setting {
    std::mutex mutex;
    std::filesystem::path program;
};

Setting& setting() {
    static Setting one;
    return one;
}

Result<std::filesystem::path> workerProgram() {
    {
        Setting& one = setting();
        const std::scoped_lock lock(one.mutex);
        if (!one.program.empty()) return one.program;
    }
    const std::filesystem::path own = io::ownProgram();
#ifdef _WIN32
    const std::filesystem::path beside = own.parent_path() / "wb.exe";
#else
    const std::filesystem::path beside = own.parent_path() / "wb";
#endif
    std::error_code ignored;
    // The command starts faster than the window, which brings Qt along; where it is missing the window can do it too.
    if (!own.empty() && std::filesystem::is_regular_file(beside, ignored)) return beside;
    if (programServes && !own.empty()) return own;
    return fail(ErrorCode::Unsupported, Reason("worker.not_started"),
                WB_TEXT("Such files are read by the program wb, which was not found next to Weighbridge; install it there."));
}

std::unexpected<Error> spoilt(Reason reason, const Request& request, const char* sentence) {
    return fail(ErrorCode::Malformed, reason, About{request.subject}, sentence, request.subject);
}

std::unexpected<Error> invalidText(const Request& request) {
    return spoilt("worker.garbled", request,
                  WB_TEXT("The process that reads {} returned invalid data; the file may be malicious."));
}

std::chrono::seconds patienceFor(const Request& request) {
    constexpr std::uint64_t bytesASecond = 100'000'000;
    std::uint64_t bytes = 0;
    for (const auto& source : request.sources) bytes = checked::add(bytes, source->size()).value_or(~0ull);
    return std::chrono::seconds(60 + static_cast<std::int64_t>(bytes / bytesASecond));
}

std::vector<std::byte> taskMessage(const Request& request) {
    WireWriter out;
    out.text(request.task);
    out.bytes(request.request);
    out.u64(request.sources.size());
    for (const auto& source : request.sources) {
        out.u64(source->size());
        out.text(source->name());
    }
    return out.take();
}

// Reads for the child what it may read. False where it asked for something else.
bool answerRead(Channel& channel, const Request& request, std::span<const std::byte> content) {
    WireReader in(content);
    const std::uint32_t index = in.u32();
    const std::uint64_t offset = in.u64();
    const std::uint32_t length = in.u32();
    if (!in.good() || !in.atEnd() || index >= request.sources.size() || length > maxRead) return false;
    const io::ByteSource& source = *request.sources[index];
    if (!io::Extent::make(source.size(), offset, length)) return false;
    std::vector<std::byte> bytes(length);
    const auto read = source.readAt(offset, bytes);
    if (read) return channel.send(MessageKind::Bytes, bytes);
    WireWriter error;
    error.error(read.error());
    return channel.send(MessageKind::Refused, error.take());
}

bool reportProgress(const Progress& progress, std::span<const std::byte> content) {
    WireReader in(content);
    const std::uint64_t done = in.u64();
    const std::uint64_t total = in.u64();
    if (!in.good() || !in.atEnd()) return false;
    if (progress.report) progress.report(done, total);
    return true;
}

std::unexpected<Error> contentFailure(const Request& request, std::span<const std::byte> content) {
    WireReader in(content);
    Error error = in.error();
    if (!in.good() || !in.atEnd()) return invalidText(request);
    return std::unexpected(std::move(error));
}

} // namespace

void setProgramServes() { programServes = true; }

void setProgram(const std::filesystem::path& program) {
    Setting& one = setting();
    const std::scoped_lock lock(one.mutex);
    one.program = program;
}

Result<std::vector<std::byte>> converse(Channel& channel, const Request& request, const Progress& progress,
                                        const std::function<bool()>& isTimeUp) {
    const auto ended = [&]() -> std::unexpected<Error> {
        if (progress.stop.stop_requested()) return std::unexpected(canceled());
        if (isTimeUp())
            return spoilt("worker.timeout", request, WB_TEXT("The process that reads {} timed out; the file may be malicious."));
        return spoilt("worker.died", request,
                      WB_TEXT("The process that reads {} crashed; the file may be corrupted or malicious."));
    };
    if (!channel.send(MessageKind::Task, taskMessage(request))) return ended();
    std::vector<std::byte> reply;
    while (true) {
        Message message;
        const Channel::Outcome outcome = channel.receive(message);
        if (outcome == Channel::Outcome::Garbled) return invalidText(request);
        if (outcome != Channel::Outcome::Got) return ended();
        switch (message.kind) {
        case MessageKind::Read:
            if (!answerRead(channel, request, message.content)) return invalidText(request);
            break;
        case MessageKind::Progress:
            if (!reportProgress(progress, message.content)) return invalidText(request);
            break;
        case MessageKind::Reply:
            if (message.content.size() > request.maxReply - reply.size()) return invalidText(request);
            reply.insert(reply.end(), message.content.begin(), message.content.end());
            break;
        case MessageKind::Done: return reply;
        case MessageKind::Failed: return contentFailure(request, message.content);
        default: return invalidText(request);
        }
        if (progress.stop.stop_requested() || isTimeUp()) return ended();
    }
}

Result<std::vector<std::byte>> run(const Request& request, const Progress& progress) {
    using Clock = std::chrono::steady_clock;
    WB_TRY_ASSIGN(const auto program, workerProgram());
    const Clock::time_point end = Clock::now() + patienceFor(request);
    const auto isTimeUp = [end] { return Clock::now() >= end; };
    WB_TRY_ASSIGN(const auto process, Process::start(program, [&] { return !progress.stop.stop_requested() && !isTimeUp(); }));
    return converse(process->channel(), request, progress, isTimeUp);
}

} // namespace wb::worker
