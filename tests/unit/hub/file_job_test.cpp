// SPDX-License-Identifier: MIT
#include "core/hub/file_job.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace wb::hub {
namespace {

using namespace std::chrono_literals;
using Open = FileJob::Open;

constexpr std::uint64_t piece = 1000;

// A job and what it wants at the moment, with a clock that is moved by hand.
class FileJobTest : public testing::Test {
protected:
    FileJobTest() { begin(10 * piece, 4); }

    void begin(std::uint64_t bytes, unsigned lines) {
        FileJob::Options options;
        options.lines = lines;
        options.pieceBytes = piece;
        options.splitBytes = 100;
        options.explain = [](const net::Head& head) {
            return makeError(ErrorCode::NotReadable, Reason("test.refused"), About{}, "status {}", head.status);
        };
        options.isAllowed = [](const net::Url&, const net::Url& to) { return to.host != "forbidden"; };
        size = bytes;
        job.emplace(bytes, options);
        opened.clear();
    }

    // Carries out what the job wants.
    void act() {
        for (const FileJob::Action& action : job->takeActions()) {
            if (const auto* open = std::get_if<Open>(&action)) opened[open->line] = *open;
            else if (const auto* close = std::get_if<FileJob::Close>(&action)) opened.erase(close->line);
            else ++resolves;
        }
    }
    void resolve(bool isHub = false) {
        job->tick(now);
        act();
        job->resolved(now, {*net::parseUrl("http://cdn/x"), isHub});
        act();
    }
    static net::Head part(const Open& open, std::uint64_t total, int status = 206) {
        return {status, {{"Content-Range", fmt::format("bytes {}-{}/{}", open.begin, open.end - 1, total)}}};
    }
    void answer(unsigned line) {
        job->head(now, line, opened.at(line).isWhole ? net::Head{200, {}} : part(opened.at(line), size));
        act();
    }
    // The line brings so many bytes; they must follow each other.
    void bring(unsigned line, std::size_t bytes) {
        const auto place = job->body(now, line, bytes);
        for (std::uint64_t i = place.offset; i < place.offset + place.count; ++i) ++written[i];
        act();
    }
    void end(unsigned line, std::optional<net::Failure> failure = {}) {
        opened.erase(line);
        job->ended(now, line, failure);
        act();
    }
    void bringAll(unsigned line) {
        const Open open = opened.at(line);
        answer(line);
        bring(line, open.end - open.begin);
        if (job->state() == FileJob::State::Running) end(line);
    }
    void finishAll() {
        for (int rounds = 0; job->state() == FileJob::State::Running && rounds < 1000; ++rounds) {
            if (const auto next = job->nextTime(now); opened.empty() && next) now = *next, job->tick(now), act();
            if (!opened.empty()) bringAll(opened.begin()->first);
        }
    }
    void wait(net::Duration time) {
        now += time;
        job->tick(now);
        act();
    }

    std::uint64_t size = 0;
    std::optional<FileJob> job;
    net::Time now{1h};
    std::map<unsigned, Open> opened;
    std::map<std::uint64_t, int> written;
    int resolves = 0;
    std::set<unsigned> isAnswered;
};

TEST_F(FileJobTest, TakesTheLowestPiecesFirst) {
    resolve();
    EXPECT_EQ(resolves, 1);
    ASSERT_EQ(opened.size(), 4u);
    for (unsigned line = 0; line < 4; ++line) EXPECT_EQ(opened[line].begin, line * piece);
    bringAll(2);
    EXPECT_EQ(opened[2].begin, 4 * piece);
    EXPECT_EQ(job->pieces().prefix(), 0u);
    EXPECT_EQ(job->pieces().done(2), piece);
    finishAll();
    EXPECT_EQ(job->state(), FileJob::State::Done);
    EXPECT_EQ(job->pieces().prefix(), size);
    EXPECT_EQ(written.size(), size);
    for (const auto& [offset, times] : written) EXPECT_EQ(times, 1) << offset;
}

TEST_F(FileJobTest, KeepsWhatCameAndAsksForTheRest) { // C6, C8
    begin(2 * piece, 1);
    resolve();
    answer(0);
    bring(0, 300);
    end(0, net::Failure{net::FailureKind::Reset, {}});
    EXPECT_EQ(job->pieces().done(0), 300u);
    EXPECT_TRUE(opened.empty());
    ASSERT_TRUE(job->waiting(now));
    wait(2s);
    ASSERT_EQ(opened.size(), 1u);
    EXPECT_EQ(opened[0].begin, 300u);
    finishAll();
    EXPECT_EQ(job->fetchedBytes(), size);
}

TEST_F(FileJobTest, BacksOffAndGivesUp) {
    begin(piece, 1);
    resolve();
    int failures = 0;
    std::vector<double> waits;
    while (job->state() == FileJob::State::Running) {
        ASSERT_FALSE(opened.empty());
        end(0, net::Failure{net::FailureKind::Connect, {}});
        ++failures;
        const auto next = job->nextTime(now);
        if (next) waits.push_back(std::chrono::duration<double>(*next - now).count()), wait(*next - now);
    }
    EXPECT_EQ(failures, 10);
    EXPECT_EQ(job->error().reason, Reason("net.no_connection"));
    ASSERT_EQ(waits.size(), 9u);
    EXPECT_NEAR(waits[0], 1, 0.21);
    EXPECT_NEAR(waits[3], 8, 1.61);
    EXPECT_NEAR(waits[8], 60, 12.1);
}

// Where a speed limit or a slow disk keeps the caller from listening, the lines are not to blame.
TEST_F(FileJobTest, ALineThatNobodyListensToHasNotStalled) {
    begin(2 * piece, 2);
    resolve();
    answer(0), answer(1);
    for (int i = 0; i < 10; ++i) {
        job->extendDeadlines(15s);
        wait(15s);
    }
    EXPECT_EQ(opened.size(), 2u);
    wait(19s);
    EXPECT_EQ(opened.size(), 2u);
    wait(2s);
    EXPECT_TRUE(opened.empty()) << "which is still told from a stall";
}

TEST_F(FileJobTest, AStalledLineAloneIsDropped) { // C7, C20
    resolve();
    answer(0);
    bring(0, 100);
    for (const unsigned line : {1u, 2u, 3u}) answer(line);
    now += 19s;
    for (const unsigned line : {1u, 2u, 3u}) bring(line, 10);
    wait(1s);
    EXPECT_FALSE(opened.contains(0));
    EXPECT_EQ(opened.size(), 3u);
    EXPECT_EQ(job->pieces().done(0), 100u);
}

// A byte now and then is no stall. The lines are opened again once, then the job ends: within 45 s.
TEST_F(FileJobTest, AServerThatSendsNextToNothingIsGivenUp) {
    begin(10 * piece, 4);
    resolve();
    const net::Time first = now;
    while (job->state() == FileJob::State::Running && now < first + 120s) {
        for (unsigned line = 0; line < 4; ++line) {
            if (!opened.contains(line)) continue;
            if (!isAnswered.contains(line)) answer(line), isAnswered.insert(line);
            else bring(line, 1);
        }
        wait(1s);
        std::erase_if(isAnswered, [this](unsigned line) { return !opened.contains(line); });
    }
    EXPECT_EQ(job->state(), FileJob::State::Failed);
    EXPECT_EQ(job->error().reason, Reason("net.too_slow"));
    EXPECT_LE(now - first, 45s);
}

// All lines together count, so that a slow network that they share is slow and no more.
TEST_F(FileJobTest, LinesThatTogetherBringEnoughGoOn) {
    begin(100 * piece, 4);
    resolve();
    for (unsigned line = 0; line < 4; ++line) answer(line);
    for (int second = 0; second < 100; ++second) {
        for (const auto& [line, open] : std::map(opened)) {
            if (open.end - open.begin > 0) bring(line, 30);
            if (!opened.contains(line) || job->pieces().doneBytes() == size) continue;
        }
        wait(1s);
        for (const auto& [line, open] : std::map(opened)) answer(line); // those that begin anew
    }
    EXPECT_NE(job->state(), FileJob::State::Failed);
    EXPECT_GT(job->fetchedBytes(), 5'000u);
}

TEST_F(FileJobTest, OneNewAddressForAllLines) { // C1
    resolve();
    for (unsigned line = 0; line < 4; ++line) answer(line), bring(line, 10);
    for (unsigned line = 0; line < 4; ++line) end(line, net::Failure{net::FailureKind::Reset, {}});
    wait(5s);
    ASSERT_EQ(opened.size(), 4u);
    const auto asked = opened;
    for (const auto& [line, open] : asked) job->head(now, line, {403, {}});
    act();
    EXPECT_EQ(resolves, 2);
    EXPECT_TRUE(opened.empty());
    job->resolved(now, {*net::parseUrl("http://cdn/y"), false});
    act();
    ASSERT_EQ(opened.size(), 4u);
    EXPECT_EQ(opened[0].url.target, "/y");
    EXPECT_EQ(opened[0].begin, 10u);
}

TEST_F(FileJobTest, AnAddressThatNeverWorksIsGivenUp) {
    resolve();
    while (job->state() == FileJob::State::Running) {
        if (opened.empty()) {
            wait(10s);
            job->resolved(now, {*net::parseUrl("http://cdn/x"), false});
            act();
        }
        job->head(now, opened.begin()->first, {403, {}});
        act();
        ASSERT_LT(resolves, 10);
    }
    EXPECT_EQ(resolves, 4);
    EXPECT_EQ(job->error().reason, Reason("hub.address_expired"));
}

TEST_F(FileJobTest, TheHubsOwnRefusalIsFinal) {
    resolve(true);
    job->head(now, 0, {403, {}});
    EXPECT_EQ(job->state(), FileJob::State::Failed);
    EXPECT_EQ(job->error().reason, Reason("test.refused"));
}

TEST_F(FileJobTest, WithoutRangesOneLineBringsAll) { // C2
    resolve();
    answer(0);
    bring(0, 10);
    job->head(now, 1, {200, {}});
    act();
    ASSERT_EQ(opened.size(), 1u);
    EXPECT_TRUE(opened.begin()->second.isWhole);
    EXPECT_EQ(job->pieces().doneBytes(), 0u);
    const unsigned line = opened.begin()->first;
    answer(line);
    bring(line, 2500);
    EXPECT_EQ(job->pieces().prefix(), 2500u);
    EXPECT_EQ(job->pieces().done(2), 500u);
    end(line, net::Failure{net::FailureKind::Reset, {}});
    EXPECT_TRUE(opened.empty()) << "no other line goes on in its place at once";
    wait(3s);
    ASSERT_EQ(opened.size(), 1u);
    EXPECT_EQ(opened.begin()->second.begin, 0u);
    finishAll();
    EXPECT_EQ(job->state(), FileJob::State::Done);
}

TEST_F(FileJobTest, AnotherRangeIsNotWritten) { // C3, C4
    resolve();
    net::Head shifted = part(opened[0], size);
    shifted.headers = {{"Content-Range", fmt::format("bytes 1-{}/{}", piece, size)}};
    job->head(now, 0, shifted);
    act();
    EXPECT_FALSE(opened.contains(0));
    job->head(now, 1, {206, {}});
    act();
    EXPECT_FALSE(opened.contains(1));
    EXPECT_EQ(job->body(now, 0, 10).count, 0u);
    finishAll();
    EXPECT_EQ(job->state(), FileJob::State::Done);
}

TEST_F(FileJobTest, APartUnderStatus200IsAPart) { // ModelScope
    resolve();
    job->head(now, 0, part(opened[0], size, 200));
    bring(0, 10);
    EXPECT_EQ(job->pieces().done(0), 10u);
}

TEST_F(FileJobTest, AnotherFileStopsTheJob) { // C5, C14
    resolve();
    job->head(now, 0, part(opened[0], size + 1));
    EXPECT_EQ(job->error().reason, Reason("hub.source_changed"));
    begin(10 * piece, 4);
    resolve();
    net::Head head = part(opened[0], size);
    head.headers.add("ETag", "\"a\"");
    job->head(now, 0, head);
    head = part(opened[1], size);
    head.headers.add("ETag", "\"b\"");
    job->head(now, 1, head);
    EXPECT_EQ(job->error().reason, Reason("hub.source_changed"));
    begin(10 * piece, 4);
    resolve();
    job->head(now, 0, {416, {{"Content-Range", "bytes */5"}}});
    EXPECT_EQ(job->error().reason, Reason("hub.source_changed"));
}

TEST_F(FileJobTest, NothingIsWrittenBeyondTheRange) { // C9
    resolve();
    answer(0);
    const auto place = job->body(now, 0, piece + 500);
    EXPECT_EQ(place.count, piece);
    act();
    EXPECT_EQ(opened[0].begin, 4 * piece) << "the line is closed and goes on elsewhere";
}

TEST_F(FileJobTest, TheSlowestLineIsHelped) { // C11
    resolve();
    while (job->pieces().doneBytes() < 9 * piece)
        for (const unsigned line : {1u, 2u, 3u})
            if (opened.contains(line) && opened[line].begin >= piece) bringAll(line);
    bool isHelped = false;
    for (const auto& [line, open] : opened) isHelped = isHelped || (line != 0 && open.begin >= 500 && open.end <= piece);
    EXPECT_TRUE(isHelped);
    answer(0);
    finishAll();
    EXPECT_EQ(job->state(), FileJob::State::Done);
    EXPECT_EQ(written.size(), size);
}

TEST_F(FileJobTest, PacksAreNotAccepted) { // C13
    begin(piece, 1);
    resolve();
    job->head(now, 0, {200, {{"Content-Encoding", "gzip"}}});
    act();
    EXPECT_TRUE(opened.empty());
}

TEST_F(FileJobTest, RedirectsAreFollowedWithinReason) { // C15
    resolve();
    job->head(now, 0, {302, {{"Location", "http://cdn2/z"}}});
    act();
    EXPECT_EQ(opened[0].url.host, "cdn2");
    for (int hop = 0; hop < 4; ++hop) job->head(now, 0, {302, {{"Location", "/next"}}}), act();
    EXPECT_EQ(job->state(), FileJob::State::Running);
    job->head(now, 0, {302, {{"Location", "/next"}}});
    EXPECT_EQ(job->error().reason, Reason("hub.bad_redirect"));
    begin(piece, 1);
    resolve();
    job->head(now, 0, {302, {{"Location", "http://forbidden/z"}}});
    EXPECT_EQ(job->error().reason, Reason("hub.bad_redirect"));
}

TEST_F(FileJobTest, WaitsAsLongAsTheServerSays) { // C16
    resolve();
    const auto asked = opened;
    for (const auto& [line, open] : asked) job->head(now, line, {429, {{"Retry-After", "30"}}});
    act();
    EXPECT_TRUE(opened.empty());
    const auto waiting = job->waiting(now);
    ASSERT_TRUE(waiting);
    EXPECT_EQ(waiting->until - now, 30s);
    wait(29s);
    EXPECT_TRUE(opened.empty());
    wait(1s);
    EXPECT_EQ(opened.size(), 4u);
}

TEST_F(FileJobTest, SettlesAtTheConnectionsAServerGives) { // C17
    resolve();
    answer(0);
    bring(0, 10);
    for (const unsigned line : {1u, 2u, 3u}) end(line, net::Failure{net::FailureKind::Connect, {}});
    EXPECT_EQ(opened.size(), 1u);
    EXPECT_EQ(job->state(), FileJob::State::Running);
    finishAll();
    EXPECT_EQ(job->state(), FileJob::State::Done);
}

// More lines than are needed bring the bytes in no order, and cost.
TEST_F(FileJobTest, TwoLinesDoWhereTheNetworkIsFast) {
    FileJob::Options options;
    options.pieceBytes = 1u << 20;
    options.measuredBytes = 4u << 20;
    size = 64u << 20;
    job.emplace(size, options);
    resolve();
    ASSERT_EQ(opened.size(), 8u);
    const auto bringPiece = [this] {
        now += 1ms; // 1 GB/s
        const Open open = opened.begin()->second;
        answer(open.line);
        job->body(now, open.line, static_cast<std::size_t>(open.end - open.begin));
        end(open.line);
    };
    for (int i = 0; i < 16; ++i) bringPiece();
    EXPECT_EQ(opened.size(), 2u);
    now += 10s; // and then it is not
    for (int i = 0; i < 4; ++i) bringPiece();
    EXPECT_EQ(opened.size(), 8u);
}

TEST_F(FileJobTest, GoesOnWhereARunEnded) {
    job->resumePiece(0, piece);
    job->resumePiece(3, 400);
    job->resumePiece(99, 5);   // no such piece
    job->resumePiece(4, 5000); // more than it has
    EXPECT_EQ(job->pieces().doneBytes(), piece + 400);
    EXPECT_EQ(job->pieces().prefix(), piece);
    resolve();
    finishAll();
    EXPECT_EQ(job->state(), FileJob::State::Done);
    EXPECT_EQ(job->fetchedBytes(), size - piece - 400);
    EXPECT_EQ(written.size(), size - piece - 400);
}

TEST_F(FileJobTest, FetchesWrongPiecesAgain) {
    resolve();
    finishAll();
    written.clear();
    job->fetchAgain({2, 5});
    EXPECT_EQ(job->state(), FileJob::State::Running);
    EXPECT_EQ(job->pieces().prefix(), 2 * piece);
    job->tick(now);
    act();
    finishAll();
    EXPECT_EQ(job->state(), FileJob::State::Done);
    EXPECT_EQ(written.size(), 2 * piece);
}

TEST_F(FileJobTest, AnEmptyFileIsDone) {
    begin(0, 4);
    EXPECT_EQ(job->state(), FileJob::State::Done);
}

} // namespace
} // namespace wb::hub
