// SPDX-License-Identifier: MIT
#include "core/hub/queue.h"
#include "core/hub/speed_limit.h"
#include "tests/unit/support/absolute_path.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

namespace wb::hub {
namespace {

using State = QueuedDownload::State;

constexpr int noon = 12 * 60;
const net::Time start{std::chrono::hours(1)};

QueuedDownload download(const std::string& name, std::uint64_t bytes = 100) {
    QueuedDownload made;
    made.request.repository = {Hub::HuggingFace, "acme/" + name, "main"};
    made.request.files = {"a.gguf"};
    made.request.place.root = test::absolutePath("models/" + name);
    made.bytes = bytes;
    return made;
}

std::vector<std::string> names(const DownloadQueue& queue) {
    std::vector<std::string> all;
    for (const QueuedDownload& each : queue.entries()) all.push_back(each.request.repository.name.substr(5));
    return all;
}

Result<void> failed(Reason reason, ErrorCode code = ErrorCode::NotReadable) { return fail(code, reason, "it failed"); }

struct Three {
    DownloadQueue queue;
    std::uint64_t a = queue.add(download("a")), b = queue.add(download("b")), c = queue.add(download("c"));
};

TEST(DownloadQueue, BeginsInOrderAndTwoAtOnce) {
    Three three;
    EXPECT_EQ(three.queue.next(noon, start), three.a);
    three.queue.begun(three.a);
    EXPECT_EQ(three.queue.next(noon, start), three.b);
    three.queue.begun(three.b);
    EXPECT_EQ(three.queue.next(noon, start), std::nullopt);
    three.queue.ended(three.a, {}, start);
    EXPECT_EQ(three.queue.find(three.a)->state, State::Done);
    EXPECT_EQ(three.queue.next(noon, start), three.c);
}

TEST(DownloadQueue, PassesOverWhatIsHeld) {
    Three three;
    const auto isHeld = [&three](const QueuedDownload& each) { return each.id == three.a; };
    EXPECT_EQ(three.queue.next(noon, start, isHeld), three.b);
    EXPECT_EQ(three.queue.next(noon, start), three.a);
}

TEST(DownloadQueue, KnowsWhoMayWriteTheSameFile) {
    DownloadRequest one = download("a").request, other = one;
    EXPECT_TRUE(meets(one, other));
    other.files = {"b.gguf"};
    EXPECT_FALSE(meets(one, other));
    other.files.clear(); // all files
    EXPECT_TRUE(meets(one, other) && meets(other, one));
    other = download("b").request; // to a folder of its own
    EXPECT_FALSE(meets(one, other));
    other.place = one.place;
    EXPECT_TRUE(meets(one, other)); // files of one name
    one.place.kind = other.place.kind = PlaceKind::HuggingFaceCache;
    EXPECT_FALSE(meets(one, other)); // which a cache keeps apart
}

TEST(DownloadQueue, IsReordered) {
    Three three;
    three.queue.move(three.c, -1);
    EXPECT_EQ(names(three.queue), (std::vector<std::string>{"a", "c", "b"}));
    three.queue.moveFirst(three.b);
    EXPECT_EQ(names(three.queue), (std::vector<std::string>{"b", "a", "c"}));
    three.queue.move(three.b, 99);
    EXPECT_EQ(names(three.queue), (std::vector<std::string>{"a", "c", "b"}));
    three.queue.move(12345, 1);
    EXPECT_EQ(three.queue.next(noon, start), three.a);
}

TEST(DownloadQueue, TheSameDownloadIsOneEntry) {
    Three three;
    three.queue.pause(three.b);
    EXPECT_EQ(three.queue.add(download("b")), three.b);
    EXPECT_EQ(three.queue.entries().size(), 3u);
    EXPECT_EQ(three.queue.find(three.b)->state, State::Queued) << "who asks again wants it now";
}

TEST(DownloadQueue, PausesOneAndAll) {
    Three three;
    three.queue.begun(three.a);
    three.queue.pause(three.a);
    three.queue.ended(three.a, std::unexpected(canceled()), start);
    EXPECT_EQ(three.queue.find(three.a)->state, State::Paused) << "the end of its job does not queue it again";
    EXPECT_EQ(three.queue.next(noon, start), three.b);
    three.queue.pauseAll(true);
    EXPECT_EQ(three.queue.next(noon, start), std::nullopt);
    three.queue.pauseAll(false);
    three.queue.resume(three.a);
    EXPECT_EQ(three.queue.next(noon, start), three.a);
}

TEST(DownloadQueue, TriesAgainWhatPassesWithTime) {
    Three three;
    for (const int minutes : {1, 2, 4, 8, 10, 10}) {
        three.queue.begun(three.a);
        three.queue.ended(three.a, failed("net.no_connection"), start);
        EXPECT_EQ(three.queue.find(three.a)->state, State::Queued);
        EXPECT_EQ(three.queue.find(three.a)->notBefore, start + std::chrono::minutes(minutes));
        EXPECT_EQ(three.queue.next(noon, start), three.b);
        EXPECT_EQ(three.queue.next(noon, start + std::chrono::minutes(minutes)), three.a);
    }
    three.queue.setProgress(three.a, 50, 100);
    three.queue.ended(three.a, failed("net.reset"), start);
    three.queue.begun(three.a);
    three.queue.ended(three.a, failed("net.reset"), start);
    EXPECT_EQ(three.queue.find(three.a)->notBefore, start + std::chrono::minutes(1)) << "bytes that came forgive";
    three.queue.retryNow();
    EXPECT_EQ(three.queue.next(noon, start), three.a);
}

TEST(DownloadQueue, BlocksWhatAHumanHasToMend) {
    Three three;
    three.queue.begun(three.a);
    three.queue.ended(three.a, failed("hub.gated"), start);
    EXPECT_EQ(three.queue.find(three.a)->state, State::Blocked);
    EXPECT_EQ(three.queue.find(three.a)->error->reason, Reason("hub.gated"));
    EXPECT_EQ(three.queue.next(noon, start), three.b);
    three.queue.resume(three.a);
    EXPECT_EQ(three.queue.next(noon, start), three.a);
    three.queue.begun(three.a);
    three.queue.ended(three.a, failed("hub.disk_full", ErrorCode::NoSpace), start);
    EXPECT_TRUE(three.queue.isPaused()) << "the next would fail likewise";
}

TEST(DownloadQueue, RunsInItsHours) {
    const Hours night{22 * 60, 6 * 60}, day{8 * 60, 17 * 60}, always{0, 0};
    EXPECT_TRUE(night.contains(23 * 60) && night.contains(0) && !night.contains(6 * 60) && !night.contains(noon));
    EXPECT_TRUE(day.contains(noon) && !day.contains(17 * 60) && !day.contains(0));
    EXPECT_TRUE(always.contains(noon));
    EXPECT_EQ(night.minutesUntil(noon), 10 * 60);
    EXPECT_EQ(day.minutesUntil(18 * 60), 14 * 60);
    EXPECT_EQ(day.minutesUntil(noon), 0);
    Three three;
    three.queue.setHours(night);
    EXPECT_EQ(three.queue.next(noon, start), std::nullopt);
    EXPECT_EQ(three.queue.next(0, start), three.a);
}

TEST(DownloadQueue, CountsWhatOthersWantOfTheDisk) {
    Three three;
    three.queue.setProgress(three.b, 60, 100);
    EXPECT_EQ(three.queue.bytesOfOthers(three.a), 40u + 100u);
    three.queue.ended(three.c, {}, start);
    EXPECT_EQ(three.queue.bytesOfOthers(three.a), 40u);
}

TEST(DownloadQueue, SurvivesARestart) {
    Three three;
    three.queue.begun(three.a);
    three.queue.setProgress(three.a, 30, 100);
    three.queue.pause(three.b);
    three.queue.setLimit(three.b, 1'000'000);
    three.queue.begun(three.c);
    three.queue.ended(three.c, failed("hub.gated"), start);
    QueuedDownload cached = download("d");
    cached.request.place.kind = PlaceKind::HuggingFaceCache;
    cached.request.files.clear();
    cached.request.alternates = {{Hub::ModelScope, "达摩/小模型", ""}};
    three.queue.ended(three.queue.add(download("done")), {}, start);
    three.queue.add(cached);
    three.queue.setTotalLimit(5'000'000);
    three.queue.setHours(Hours{60, 120});
    const auto queue = DownloadQueue::fromJson(three.queue.toJson());
    ASSERT_TRUE(queue);
    EXPECT_EQ(names(*queue), (std::vector<std::string>{"a", "b", "c", "d"}));
    EXPECT_EQ(queue->entries()[0].state, State::Queued) << "what ran is queued";
    EXPECT_EQ(queue->entries()[0].doneBytes, 30u);
    EXPECT_EQ(queue->entries()[1].state, State::Paused);
    EXPECT_EQ(queue->entries()[1].bytesPerSecond, 1'000'000u);
    EXPECT_EQ(queue->entries()[2].state, State::Blocked) << "it is not tried again before somebody has done something";
    EXPECT_EQ(queue->entries()[2].error->reason, Reason("hub.gated"));
    EXPECT_EQ(queue->entries()[2].error->message(), "it failed");
    EXPECT_TRUE(isSameDownload(queue->entries()[3].request, cached.request));
    EXPECT_EQ(queue->entries()[3].request.alternates, cached.request.alternates);
    EXPECT_EQ(queue->totalLimit(), 5'000'000u);
    EXPECT_EQ(queue->hours(), (Hours{60, 120}));
    EXPECT_EQ(queue->toJson(), DownloadQueue::fromJson(queue->toJson())->toJson());
}

// A pause and a cancel are the user's: neither a restart nor the end of the job takes them back.
TEST(DownloadQueue, KeepsPausesAndCancelsOverARestart) {
    Three three;
    for (const std::uint64_t id : {three.a, three.b}) three.queue.begun(id);
    three.queue.pause(three.a);
    three.queue.cancel(three.b);
    for (const std::uint64_t id : {three.a, three.b}) three.queue.ended(id, std::unexpected(canceled()), start);
    auto queue = DownloadQueue::fromJson(three.queue.toJson());
    ASSERT_TRUE(queue);
    EXPECT_EQ(queue->entries()[0].state, State::Paused);
    EXPECT_EQ(queue->entries()[1].state, State::Canceled);
    EXPECT_EQ(queue->next(noon, start), queue->entries()[2].id);
    EXPECT_EQ(queue->bytesOfOthers(queue->entries()[2].id), 100u) << "a canceled one wants nothing";
    queue->resume(queue->entries()[1].id);
    EXPECT_EQ(queue->next(noon, start), queue->entries()[1].id);
}

TEST(DownloadQueue, LeavesOutWhatIsNotUnderstood) {
    for (const char* text : {"", "[]", "{}", R"({"version":2,"downloads":[]})", "{\"version\":1"})
        EXPECT_FALSE(DownloadQueue::fromJson(text)) << text;
    std::string text = R"({"version":1,"from":9999,"until":3,"downloads":[1,{},
        {"id":"hf:a/b","files":["../x"],"place":"folder","root":"/r"},{"id":"hf:a/b","files":["x"],"place":"folder","root":"r"},
        {"id":"hf:a/b","files":["x"],"place":"elsewhere","root":"/r"},{"id":"b","files":["x"],"place":"folder","root":"/r"},
        {"id":"hf:a/b","files":["x"],"place":"folder","root":"/r","bytes":5,"done":7,"state":"?"}]})";
    for (std::size_t at = 0; (at = text.find("\"/r\"", at)) != text.npos; ++at) text.replace(at + 1, 2, test::absolutePath("r"));
    const auto queue = DownloadQueue::fromJson(text);
    ASSERT_TRUE(queue);
    ASSERT_EQ(queue->entries().size(), 1u);
    EXPECT_EQ(queue->entries()[0].doneBytes, 5u);
    EXPECT_FALSE(queue->hours());
}

TEST(QueueFile, IsHeldByOneAndSetAsideWhereItIsDamaged) {
    const test::TemporaryFolder folder;
    {
        const auto file = QueueFile::open(folder.path() / "state");
        ASSERT_TRUE(file);
        EXPECT_TRUE((*file)->read().entries().empty());
        Three three;
        ASSERT_TRUE((*file)->write(three.queue.toJson()));
        EXPECT_EQ(names((*file)->read()), names(three.queue));
        EXPECT_FALSE(QueueFile::open(folder.path() / "state")) << "two programs would write over each other";
        ASSERT_TRUE((*file)->write("damaged"));
        EXPECT_TRUE((*file)->read().entries().empty());
    }
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "state/downloads.json.damaged"));
    EXPECT_TRUE(QueueFile::open(folder.path() / "state"));
}

// Ten seconds' worth of bytes over one limit, from two files at once.
TEST(SpeedLimit, HoldsForAllTogether) {
    SpeedLimit limit(1'000'000);
    net::Time now = start;
    std::uint64_t taken = 0;
    while (taken < 10'000'000) {
        const net::Time first = limit.take(now, 60'000), second = limit.take(now, 40'000);
        taken += 100'000;
        now = std::max(first, second);
    }
    EXPECT_NEAR(std::chrono::duration<double>(now - start).count(), 10.0, 0.5);
    EXPECT_NEAR(std::chrono::duration<double>(limit.take(now + std::chrono::hours(1), 1'000'000) - now).count(), 3601.0, 0.1)
        << "what was not used is not made up for";
    limit.set(0);
    EXPECT_EQ(limit.take(now, 1u << 30), now);
}

} // namespace
} // namespace wb::hub
