// SPDX-License-Identifier: MIT
#include "core/stats/contents/contents.h"
#include "core/stats/map/subject.h"
#include "tests/unit/stats/made_tensor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace wb::stats {
namespace {

// Bytes in memory that count how many of them were read.
class CountingSource final : public io::ByteSource {
public:
    explicit CountingSource(std::vector<std::byte> bytes) : m_bytes("counted", std::move(bytes)) {}

    std::uint64_t size() const override { return m_bytes.size(); }
    const std::string& name() const override { return m_bytes.name(); }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        m_read += out.size();
        return m_bytes.readAt(offset, out);
    }

    std::uint64_t read() const { return m_read; }

private:
    io::MemorySource m_bytes;
    mutable std::atomic<std::uint64_t> m_read{0};
};

// A model of one matrix of random elements.
struct Counted {
    std::shared_ptr<CountingSource> source;
    ModelPtr model;

    Counted(Dtype dtype, std::uint64_t rows, std::uint64_t columns) {
        std::vector<std::byte> bytes = test::randomBytes(dtype, rows * columns, 7);
        auto made = std::make_shared<Model>();
        TensorInfo& tensor = made->tensors.emplace_back();
        tensor.name = "blk.0.attn_q.weight";
        tensor.dtype = dtype;
        tensor.shape = *Shape::make({rows, columns});
        tensor.source = TensorSource::stored(0, 0, bytes.size());
        source = std::make_shared<CountingSource>(std::move(bytes));
        made->files.push_back({"counted", source->size(), {}, source});
        model = std::move(made);
    }
};

MapSubject passSubject(const std::shared_ptr<TensorPass>& pass) { return {pass->model(), pass->tensor(), {}, 0, pass}; }

TEST(TensorPass, ReadsEachByteOnceForNumbersDistributionAndMap) {
    const auto backend = makeCpuBackend();
    const auto maps = makeCpuMapBackend(2);
    for (const Dtype dtype : {Dtype::F32, Dtype::BF16, Dtype::Q4_K, Dtype::I8}) {
        const Counted counted(dtype, 700, 512);
        const auto pass = std::make_shared<TensorPass>(counted.model, 0);
        const auto fine = pass->statistics(*backend, 2, {});
        ASSERT_TRUE(fine) << fine.error().message();
        EXPECT_EQ(counted.source->read(), counted.source->size()) << name(dtype);
        const auto distribution = pass->distribution(*backend, 2, {});
        ASSERT_TRUE(distribution) << distribution.error().message();
        EXPECT_EQ(distribution->stats, *fine) << "the statistics are computed once";
        EXPECT_EQ(distribution->codes != nullptr, dtype == Dtype::Q4_K);
        ASSERT_TRUE(buildMap(*maps, passSubject(pass), {}));
        ASSERT_TRUE(lookAt(passSubject(pass), 3, 5));
        EXPECT_EQ(counted.source->read(), counted.source->size()) << name(dtype);
    }
}

TEST(TensorPass, AgreesWithReadingTheFile) {
    const auto backend = makeCpuBackend();
    const auto maps = makeCpuMapBackend(2);
    for (const Dtype dtype : {Dtype::F32, Dtype::F16, Dtype::Q8_0, Dtype::I32}) {
        const Counted counted(dtype, 300, 1024);
        const auto pass = std::make_shared<TensorPass>(counted.model, 0);
        const auto fine = pass->statistics(*backend, 2, {});
        ASSERT_TRUE(fine);
        const auto direct = backend->compute(*TensorReader::open(*counted.model, counted.model->tensors[0]), {}, {});
        ASSERT_TRUE(direct);
        const StatsPtr usual = withUsualBins(*fine);
        ASSERT_TRUE(usual->histogram && direct->histogram);
        EXPECT_EQ(usual->histogram->counts, direct->histogram->counts) << name(dtype);
        EXPECT_EQ(usual->percentiles, direct->percentiles);
        EXPECT_EQ(usual->mean, direct->mean);
        EXPECT_EQ(usual->outliers6, direct->outliers6);
        const auto kept = buildMap(*maps, passSubject(pass), {});
        const auto read = buildMap(*maps, {counted.model, 0, {}, 0}, {});
        ASSERT_TRUE(kept && read);
        EXPECT_EQ((*kept)->levels.front().absmax, (*read)->levels.front().absmax);
    }
}

TEST(TensorPass, StreamsWhatIsTooLargeToKeep) {
    const auto backend = makeCpuBackend();
    const Counted counted(Dtype::F32, 700, 512);
    TensorPass pass(counted.model, 0, counted.source->size() - 1);
    ASSERT_TRUE(pass.statistics(*backend, 1, {}));
    EXPECT_EQ(counted.source->read(), 2 * counted.source->size()) << "f32 values take two passes";
    ASSERT_TRUE(pass.statistics(*backend, 1, {}));
    EXPECT_EQ(counted.source->read(), 2 * counted.source->size()) << "the result is kept";
}

// Waits until another thread asks for the same statistics, and counts.
class SlowBackend final : public Backend {
public:
    const char* name() const override { return "slow"; }
    Result<TensorStats> compute(const TensorReader& reader, const Options& options, const Progress& progress) override {
        ++computed;
        started.store(true);
        while (!mayEnd.load()) std::this_thread::yield();
        if (fails.exchange(false)) return std::unexpected(canceled());
        return m_backend->compute(reader, options, progress);
    }

    std::atomic<int> computed{0};
    std::atomic<bool> started{false}, mayEnd{false}, fails{false};

private:
    std::unique_ptr<Backend> m_backend = makeCpuBackend();
};

TEST(TensorPass, ComputesOnceForTwoThreads) {
    SlowBackend backend;
    const Counted counted(Dtype::F32, 100, 512);
    TensorPass pass(counted.model, 0);
    Result<StatsPtr> first, second;
    std::jthread one([&] { first = pass.statistics(backend, 1, {}); });
    while (!backend.started.load()) std::this_thread::yield();
    std::jthread two([&] { second = pass.statistics(backend, 1, {}); });
    backend.mayEnd = true;
    one.join();
    two.join();
    ASSERT_TRUE(first && second);
    EXPECT_EQ(*first, *second);
    EXPECT_EQ(backend.computed, 1);
}

TEST(TensorPass, ComputesAgainWhereTheFirstThreadWasStopped) {
    SlowBackend backend;
    backend.fails = true;
    const Counted counted(Dtype::F32, 100, 512);
    TensorPass pass(counted.model, 0);
    Result<StatsPtr> first, second;
    std::jthread one([&] { first = pass.statistics(backend, 1, {}); });
    while (!backend.started.load()) std::this_thread::yield();
    std::jthread two([&] { second = pass.statistics(backend, 1, {}); });
    backend.mayEnd = true;
    one.join();
    two.join();
    EXPECT_FALSE(first);
    ASSERT_TRUE(second);
    EXPECT_EQ(backend.computed, 2);
}

TEST(TensorPass, StopsWhileItWaits) {
    SlowBackend backend;
    const Counted counted(Dtype::F32, 100, 512);
    TensorPass pass(counted.model, 0);
    std::jthread one([&] { (void)pass.statistics(backend, 1, {}); });
    while (!backend.started.load()) std::this_thread::yield();
    std::stop_source stop;
    Result<StatsPtr> second;
    std::jthread two([&] { second = pass.statistics(backend, 1, {stop.get_token(), {}}); });
    stop.request_stop();
    two.join();
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ErrorCode::Canceled);
    backend.mayEnd = true;
}

TEST(TensorPass, MakesHistogramsCoarser) {
    EXPECT_THAT(coarser({0, 8, {1, 2, 3, 4, 5, 6, 7, 8}}, 2).counts, testing::ElementsAre(10, 26));
    EXPECT_EQ(coarser({0, 8, {1, 2, 3}}, 2).counts.size(), 3u) << "3 bins are no multiple of 2";
    EXPECT_EQ(coarser({0, 8, {1, 2}}, 4).counts.size(), 2u);
}

} // namespace
} // namespace wb::stats
