// SPDX-License-Identifier: MIT
#include "core/convert/quantize/quantize_run.h"
#include "core/formats/gguf/part.h"
#include "core/io/disk_space.h"
#include "core/io/failures.h"
#include "core/io/system/part_file.h"
#include "tests/unit/quantize/child.h"
#include "tests/unit/quantize/small_model.h"
#include "tests/unit/support/system_calls.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <fstream>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

#ifndef _WIN32
#include <csignal>
#include <sys/resource.h>
#include <unistd.h>
#endif

// What goes wrong around a run: kills, a full disk, a second run, split models.
namespace wb::quantize {
namespace {

namespace fs = std::filesystem;

std::size_t filesIn(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

void write(const fs::path& path, std::span<const std::byte> bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

std::uint64_t number(const ValueObject& metadata, const char* key) { return metadata.find(key)->unsignedNumber().value_or(999); }

TEST(KeepSplit, WritesAFileForEachPart) {
    const test::TemporaryFolder folder;
    const test::TemporaryFolder out;
    const QuantizePlan plan = planFile(writeSplitModel(folder, 3, 3), quant::FileType::Q4_K_M, true);
    const auto outcome = runQuantize(plan, out.path() / "new.gguf", {}, {});
    ASSERT_TRUE(outcome) << outcome.error().message();
    EXPECT_EQ(filesIn(out.path()), 3u);
    const ModelPtr written = openStrict(out.path() / "new-00001-of-00003.gguf");
    ASSERT_TRUE(written);
    EXPECT_EQ(written->files.size(), 3u);
    EXPECT_EQ(written->tensors.size(), plan.tensors.size());
    EXPECT_EQ(*written->metadata.find("my.own.key")->string(), "kept");
    formats::OpenOptions strict;
    strict.strictness = formats::Strictness::Strict;
    const auto source = io::FileSource::open(out.path() / "new-00003-of-00003.gguf");
    const auto part = gguf::readPart(**source, "new-00003-of-00003.gguf", strict);
    ASSERT_TRUE(part);
    EXPECT_EQ(part->metadata.members.size(), 3u);
    EXPECT_EQ(number(part->metadata, "split.no"), 2u);
    EXPECT_EQ(number(part->metadata, "split.count"), 3u);
    EXPECT_EQ(number(part->metadata, "split.tensors.count"), plan.tensors.size());
}

TEST(KeepSplit, WithoutItPartsBecomeOneFile) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = planFile(writeSplitModel(folder, 3, 3), quant::FileType::Q8_0);
    const auto target = folder.path() / "one.gguf";
    ASSERT_TRUE(runQuantize(plan, target, {}, {}));
    const ModelPtr written = openStrict(target);
    ASSERT_TRUE(written);
    EXPECT_EQ(written->tensors.size(), plan.tensors.size());
    EXPECT_EQ(written->metadata.find("split.count"), nullptr);
}

// A kill between two renames leaves one file in place and the other to be renamed.
TEST(KeepSplit, GoesOnBetweenTwoRenames) {
    const test::TemporaryFolder folder;
    const test::TemporaryFolder out;
    const QuantizePlan plan = planFile(writeSplitModel(folder, 2, 2), quant::FileType::Q8_0, true);
    const auto target = out.path() / "new.gguf";
    std::stop_source stop;
    const Progress last{stop.get_token(), [&](std::uint64_t done, std::uint64_t total) {
                            if (done == total) stop.request_stop();
                        }};
    ASSERT_FALSE(runQuantize(plan, target, {1}, last));
    const auto second = out.path() / "new-00002-of-00002.gguf";
    fs::rename(fs::path(second) += ".part", second);
    EXPECT_FALSE(runQuantize(plan, target, {}, {})) << "the second file is not known to be this run's";
    const auto journal = fs::path(target) += ".part.journal";
    {
        // The mark and its FNV-1a, as the run writes it before the first rename.
        std::uint64_t hash = 0xcbf29ce484222325u;
        for (const char c : std::string("renaming")) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
        std::ofstream(journal, std::ios::binary | std::ios::app) << fmt::format("renaming {:016x}\n", hash);
    }
    const auto whole = test::readFile(second);
    auto damaged = whole;
    damaged[damaged.size() - 100] ^= std::byte{1};
    write(second, damaged);
    const auto refused = runQuantize(plan, target, {}, {});
    EXPECT_FALSE(refused) << "a file that is not what the run wrote is somebody's";
    write(second, whole);
    const auto outcome = runQuantize(plan, target, {}, {});
    ASSERT_TRUE(outcome) << outcome.error().message();
    EXPECT_EQ(filesIn(out.path()), 2u);
    EXPECT_TRUE(openStrict(out.path() / "new-00001-of-00002.gguf"));
}

TEST(Alignment, OtherOnesBecomeTheUsualOne) {
    const test::TemporaryFolder folder;
    auto bytes = test::readFile(writeSmallModel(folder, 1));
    const auto source = io::FileSource::open(folder.path() / "small.gguf");
    auto pairs = gguf::readStoredPairs(**source);
    ASSERT_TRUE(pairs);
    pairs->push_back(gguf::makePair("general.alignment", 64u));
    const ModelPtr model = openStrict(folder.path() / "small.gguf");
    std::vector<gguf::WrittenTensor> tensors;
    for (const TensorInfo& tensor : model->tensors) tensors.push_back({tensor.name, tensor.shape, tensor.dtype});
    auto layout = gguf::layOut(*pairs, tensors);
    // Rows of 256 floats keep every tensor a multiple of 64; only the start of the data moves.
    std::string content = layout->header;
    content.resize((content.size() + 63) / 64 * 64, '\0');
    content.resize(content.size() + layout->fileBytes - layout->header.size(), '\0');
    const QuantizePlan plan = planFile(folder.file("aligned.gguf", content), quant::FileType::Q6_K);
    ASSERT_EQ(plan.problems.size(), 1u);
    EXPECT_STREQ(plan.problems[0].code.id(), "quantize.alignment");
    ASSERT_TRUE(runQuantize(plan, folder.path() / "out.gguf", {}, {}));
    EXPECT_EQ(number(openStrict(folder.path() / "out.gguf")->metadata, "general.alignment"), 32u);
}

TEST(TwoRuns, RefuseEachOther) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = planFile(writeSmallModel(folder, 2), quant::FileType::Q8_0);
    const auto target = folder.path() / "out.gguf";
    std::mutex mutex;
    std::condition_variable wake;
    bool inside = false;
    bool goOn = false;
    const Progress first{{}, [&](std::uint64_t, std::uint64_t) {
                             std::unique_lock lock(mutex);
                             inside = true;
                             wake.notify_all();
                             wake.wait(lock, [&] { return goOn; });
                         }};
    Result<convert::Outcome> outcome;
    {
        const std::jthread runner([&] { outcome = runQuantize(plan, target, {1}, first); });
        std::unique_lock lock(mutex);
        wake.wait(lock, [&] { return inside; });
        lock.unlock();
        const auto second = runQuantize(plan, target, {1}, {});
        lock.lock();
        goOn = true;
        wake.notify_all();
        EXPECT_FALSE(second);
        EXPECT_EQ(second.error().reason, Reason("io.held_by_another_run")) << second.error().message();
    }
    EXPECT_TRUE(outcome);
    EXPECT_TRUE(openStrict(target));
}

// Two names of one split: each has a journal of its own, but the parts are the same.
TEST(TwoRuns, RefuseEachOthersParts) {
    const test::TemporaryFolder folder;
    const test::TemporaryFolder out;
    const QuantizePlan plan = planFile(writeSplitModel(folder, 2, 2), quant::FileType::Q8_0, true);
    bool asked = false;
    const Progress first{{}, [&](std::uint64_t, std::uint64_t) {
                             if (std::exchange(asked, true)) return;
                             const auto second = runQuantize(plan, out.path() / "new", {1, true}, {});
                             EXPECT_FALSE(second);
                             EXPECT_EQ(second.error().reason, Reason("io.held_by_another_run")) << second.error().message();
                         }};
    const auto outcome = runQuantize(plan, out.path() / "new.gguf", {1}, first);
    ASSERT_TRUE(outcome) << outcome.error().message();
    EXPECT_TRUE(asked);
    EXPECT_TRUE(openStrict(out.path() / "new-00001-of-00002.gguf"));
    EXPECT_EQ(filesIn(out.path()), 2u);
}

TEST(DiskSpace, IsCheckedBeforeTheFirstByte) {
    const test::TemporaryFolder folder;
    QuantizePlan plan = planFile(writeSmallModel(folder, 1), quant::FileType::Q8_0);
    plan.files[0].bytes = *io::freeSpace(folder.path()) + (1ull << 40);
    const auto outcome = runQuantize(plan, folder.path() / "out.gguf", {}, {});
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().reason, Reason("run.disk_space")) << outcome.error().message();
    EXPECT_EQ(filesIn(folder.path()), 1u);
}

// The engine of the CPU, of which one call finds that the disk of the model does not answer.
class FailsOnce : public quant::Backend {
public:
    explicit FailsOnce(int calls) : m_left(calls) {}
    std::string name() const override { return "cpu"; }
    Result<void> quantize(Dtype dtype, const quant::Rows& rows, std::span<std::byte> out) override {
        if (m_left-- == 0) return io::cannotReadAt("small.gguf", 4096, "Input/output error");
        return m_cpu->quantize(dtype, rows, out);
    }

private:
    std::atomic<int> m_left;
    std::unique_ptr<quant::Backend> m_cpu = quant::makeCpuBackend();
};

TEST(FailingDisk, CostsNoFinishedWork) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = planFile(writeSmallModel(folder, 4), quant::FileType::Q8_0);
    const auto target = folder.path() / "out.gguf";
    FailsOnce failing(8);
    convert::RunOptions options;
    options.threads = 1;
    options.backend = [&] { return std::shared_ptr<quant::Backend>(std::shared_ptr<void>(), &failing); };
    const auto failed = runQuantize(plan, target, options, {});
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::NotReadable);
    const auto resumed = runQuantize(plan, target, {}, {});
    ASSERT_TRUE(resumed) << resumed.error().message();
    EXPECT_GE(resumed->resumedItems, 8u);
    EXPECT_EQ(filesIn(folder.path()), 2u) << "the model and the result";
}

// A device that garbles what it hands back, and remembers whether it was told.
class Garbles : public quant::Backend {
public:
    std::string name() const override { return "gpu:1"; }
    Result<void> quantize(Dtype dtype, const quant::Rows& rows, std::span<std::byte> out) override {
        return m_cpu->quantize(dtype, rows, out);
    }
    Result<std::optional<quant::ErrorSums>> quantizeStored(Dtype, const quant::StoredRows&, std::span<std::byte> out) override {
        if (wasTold) return std::nullopt;
        std::ranges::fill(out, std::byte{0xff});
        return quant::ErrorSums{0, std::numeric_limits<double>::infinity(), 0, 0};
    }
    void distrust(Dtype) override { wasTold = true; }

    std::atomic<bool> wasTold = false;

private:
    std::unique_ptr<quant::Backend> m_cpu = quant::makeCpuBackend();
};

// The model is not at fault, and nothing of it is thrown away.
TEST(GarblingDevice, LeavesTheLastWordToTheCpu) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = planFile(writeSmallModel(folder, 4), quant::FileType::Q8_0);
    Garbles device;
    convert::RunOptions options;
    options.backend = [&] { return std::shared_ptr<quant::Backend>(std::shared_ptr<void>(), &device); };
    const auto outcome = runQuantize(plan, folder.path() / "device.gguf", options, {});
    ASSERT_TRUE(outcome) << outcome.error().message();
    EXPECT_TRUE(device.wasTold);
    ASSERT_TRUE(runQuantize(plan, folder.path() / "cpu.gguf", {}, {}));
    EXPECT_EQ(test::readFile(folder.path() / "device.gguf"), test::readFile(folder.path() / "cpu.gguf"));
}

#ifndef _WIN32

TEST(Killed, WorkGoesOnAndTheFileIsTheSame) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = planFile(writeSmallModel(folder, 30), quant::FileType::Q5_K_M);
    ASSERT_TRUE(runQuantize(plan, folder.path() / "straight.gguf", {}, {}));
    const auto expected = test::readFile(folder.path() / "straight.gguf");
    convert::RunOptions options;
    options.threads = 2;
    options.flushBytes = 1 << 17;
    std::minstd_rand random(7);
    unsigned kills = 0;
    for (int round = 0; round < 6; ++round) {
        const auto target = folder.path() / fmt::format("killed{}.gguf", round);
        for (int attempt = 0; attempt < 4; ++attempt)
            kills += inChild([&] { return runQuantize(plan, target, options, {}).has_value(); },
                             static_cast<unsigned>(1000 + random() % 60'000)) == -1;
        // A kill behind the rename leaves the journal, by which a further run knows the file for its own; one before the refusal of
        // a whole file leaves an empty one.
        const auto journal = fs::path(target) += ".part.journal";
        const bool isWhole = fs::exists(target) && (!fs::exists(journal) || fs::file_size(journal) == 0);
        EXPECT_EQ(runQuantize(plan, target, options, {}).has_value(), !isWhole);
        ASSERT_EQ(test::readFile(target), expected);
        EXPECT_FALSE(fs::exists(fs::path(target) += ".part"));
        EXPECT_FALSE(fs::exists(journal));
    }
    EXPECT_GT(kills, 0u);
}

// A limit on the size of files is the full disk every user may make.
void expectNothingLeft(const QuantizePlan& plan, const fs::path& target, std::uint64_t room) {
    const int status = inChild([&] {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{room, room};
        setrlimit(RLIMIT_FSIZE, &limit);
        const auto outcome = runQuantize(plan, target, {1}, {});
        return !outcome && outcome.error().reason == Reason("io.disk_full") && outcome.error().subject == "out.gguf";
    });
    EXPECT_EQ(status, 0) << room;
    EXPECT_EQ(filesIn(target.parent_path()), 1u) << room;
}

TEST(FullDisk, LeavesNothing) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = planFile(writeSmallModel(folder, 4), quant::FileType::Q8_0);
    const auto target = folder.path() / "out.gguf";
    for (const std::uint64_t room : {plan.fileBytes() / 2, std::uint64_t{100}, std::uint64_t{0}})
        expectNothingLeft(plan, target, room);
    EXPECT_TRUE(runQuantize(plan, target, {}, {})) << "the same run succeeds once there is room";
}

// Stops a run that has done some of its work.
void beginWork(const QuantizePlan& plan, const fs::path& target) {
    std::stop_source stop;
    const Progress progress{stop.get_token(), [&](std::uint64_t, std::uint64_t) { stop.request_stop(); }};
    ASSERT_FALSE(runQuantize(plan, target, {1}, progress));
}

std::map<fs::path, std::vector<std::byte>> contentFromFolder(const fs::path& folder) {
    std::map<fs::path, std::vector<std::byte>> content;
    for (const auto& entry : fs::directory_iterator(folder)) content[entry.path()] = test::readFile(entry.path());
    return content;
}

// Expects that a job which finds no room for files of more than `room` bytes leaves the work of another one.
void expectWorkKept(const QuantizePlan& former, const QuantizePlan& other, std::uint64_t room) {
    const test::TemporaryFolder out;
    const auto target = out.path() / "out.gguf";
    beginWork(former, target);
    const auto before = contentFromFolder(out.path());
    EXPECT_EQ(inChild([&] {
                  std::signal(SIGXFSZ, SIG_IGN);
                  const rlimit limit{room, room};
                  setrlimit(RLIMIT_FSIZE, &limit);
                  const auto outcome = runQuantize(other, target, {1}, {});
                  return !outcome && outcome.error().code == ErrorCode::NoSpace;
              }),
              0);
    EXPECT_EQ(contentFromFolder(out.path()), before);
    const auto resumed = runQuantize(former, target, {1}, {});
    ASSERT_TRUE(resumed) << resumed.error().message();
    EXPECT_GT(resumed->resumedItems, 0u);
}

TEST(FullDisk, KeepsTheWorkOfAnotherJob) {
    const test::TemporaryFolder folder;
    const auto model = writeSmallModel(folder, 2);
    const QuantizePlan other = planFile(model, quant::FileType::F16);
    expectWorkKept(planFile(model, quant::FileType::Q8_0), other, other.fileBytes() - 1);
}

#ifdef __linux__
TEST(Killed, BeforeItHasItsRoomARunIsGoneOnWith) {
    const test::TemporaryFolder folder;
    const auto model = writeSmallModel(folder, 2);
    const auto target = folder.path() / "out.gguf";
    const auto killed = [&](quant::FileType type) {
        return inChild([&] {
            test::SystemCalls calls;
            calls.fallocate = [](const fs::path&) -> int { _exit(7); };
            return runQuantize(planFile(model, type), target, {1}, {}).has_value();
        });
    };
    EXPECT_EQ(killed(quant::FileType::Q8_0), 7);
    beginWork(planFile(model, quant::FileType::Q8_0), target);
    EXPECT_TRUE(fs::exists(fs::path(target) += ".part")) << "it was not refused";
    EXPECT_EQ(killed(quant::FileType::F16), 7);
    const auto resumed = runQuantize(planFile(model, quant::FileType::Q8_0), target, {1}, {});
    ASSERT_TRUE(resumed) << resumed.error().message();
    EXPECT_GT(resumed->resumedItems, 0u);
}
#endif

TEST(Parts, MayBeLongerWhenTheyAreGoneOnWith) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = planFile(writeSmallModel(folder, 2), quant::FileType::Q8_0);
    const auto target = folder.path() / "out.gguf";
    beginWork(plan, target);
    fs::resize_file(fs::path(target) += ".part", plan.fileBytes() + 4096);
    const auto resumed = runQuantize(plan, target, {1}, {});
    ASSERT_TRUE(resumed) << resumed.error().message();
    EXPECT_GT(resumed->resumedItems, 0u);
    EXPECT_EQ(fs::file_size(target), plan.fileBytes());
}

// The first part has its room, the second has none.
TEST(FullDisk, KeepsTheWorkOfAnotherJobInParts) {
    const test::TemporaryFolder folder;
    const auto model = writeSplitModel(folder, 2, 2);
    const QuantizePlan other = planFile(model, quant::FileType::F16, true);
    ASSERT_LT(other.files[0].bytes, other.files[1].bytes);
    expectWorkKept(planFile(model, quant::FileType::Q8_0, true), other, other.files[1].bytes - 1);
    expectWorkKept(planFile(model, quant::FileType::Q8_0), other, other.files[1].bytes - 1); // the parts are new
}

TEST(Parts, OfAnotherJobGoWithIt) {
    const test::TemporaryFolder folder;
    const auto model = writeSplitModel(folder, 2, 3);
    const QuantizePlan split = planFile(model, quant::FileType::Q8_0, true);
    const QuantizePlan whole = planFile(model, quant::FileType::Q8_0);
    const test::TemporaryFolder out;
    const auto target = out.path() / "out.gguf";
    for (int round = 0; round < 2; ++round) {
        beginWork(split, target);
        EXPECT_EQ(filesIn(out.path()), 4u);
        beginWork(whole, target);
        EXPECT_EQ(filesIn(out.path()), 2u) << "a part and the journal";
    }
    ASSERT_TRUE(runQuantize(split, target, {1}, {}));
    EXPECT_EQ(filesIn(out.path()), 3u);
}

// Neither a file that has got the name since, nor one that a run holds.
TEST(Parts, ThatAreSomebodyElsesStay) {
    const test::TemporaryFolder folder;
    const auto model = writeSplitModel(folder, 2, 3);
    const test::TemporaryFolder out;
    const auto target = out.path() / "out.gguf";
    beginWork(planFile(model, quant::FileType::Q8_0, true), target);
    const auto foreign = out.path() / "out-00001-of-00003.gguf.part";
    const auto held = out.path() / "out-00002-of-00003.gguf.part";
    const auto bytes = test::readFile(foreign);
    fs::rename(foreign, out.path() / "kept"); // so that the new file has another number
    write(foreign, bytes);
    {
        const auto run = io::PartFile::open(held, 3);
        ASSERT_TRUE(run);
        ASSERT_TRUE(runQuantize(planFile(model, quant::FileType::Q8_0), target, {1}, {}));
        EXPECT_TRUE(fs::exists(held));
    }
    EXPECT_EQ(test::readFile(foreign), bytes);
    EXPECT_FALSE(fs::exists(out.path() / "out-00003-of-00003.gguf.part"));
}

// What the part held before is nowhere in the new file, whether it was longer or shorter.
TEST(Parts, OfAnotherJobLeaveNoTrace) {
    const test::TemporaryFolder folder;
    const auto model = writeModel(
        folder, "odd.gguf",
        {gguf::makePair("general.architecture", std::string_view("llama")), gguf::makePair("llama.block_count", 1u)},
        {{"blk.0.ffn_up.weight", *Shape::make({3, 32}), Dtype::F32}, {"output_norm.weight", *Shape::make({8}), Dtype::F32}});
    const auto target = folder.path() / "out.gguf";
    for (const auto former : {quant::FileType::F16, quant::FileType::Q4_0}) {
        const QuantizePlan plan = planFile(model, quant::FileType::Q8_0);
        ASSERT_TRUE(runQuantize(plan, folder.path() / "straight.gguf", {1, true}, {}));
        beginWork(planFile(model, former), target);
        const auto part = fs::path(target) += ".part";
        write(part, std::vector<std::byte>(fs::file_size(part), std::byte{'x'}));
        const auto outcome = runQuantize(plan, target, {1, true}, {});
        ASSERT_TRUE(outcome) << outcome.error().message();
        EXPECT_EQ(test::readFile(target), test::readFile(folder.path() / "straight.gguf"));
        fs::remove(target);
    }
}

#endif

} // namespace
} // namespace wb::quantize
