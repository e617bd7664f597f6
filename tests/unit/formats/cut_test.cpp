// SPDX-License-Identifier: MIT
#include "core/formats/open.h"
#include "core/jobs/thread_pool.h"
#include "core/model/tensor_reader.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>
#include <set>

// Every fixture file of at most 64 KiB is truncated: it opens with the remaining data or is refused, and no worker process dies.
// By default at one byte of each; WEIGHBRIDGE_CUTS=0 cuts at every byte (a day), another number at so many places a file.
namespace wb::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest = 64 << 10;
constexpr std::uint64_t usualCuts = 1;

// One fixture: the opened file or folder and its files, relative to the fixture's folder.
struct Fixture {
    fs::path folder;
    std::string opened;
    std::vector<fs::path> files;
};

std::vector<Fixture> allFixtures() {
    constexpr std::string_view ending = ".expected.json";
    std::vector<Fixture> fixtures;
    for (const auto& entry : fs::recursive_directory_iterator(test::shared() / "fixtures")) {
        const std::string name = entry.path().filename().string();
        if (!name.ends_with(ending)) continue;
        Fixture fixture{entry.path().parent_path(), name.substr(0, name.size() - ending.size()), {}};
        if (fs::is_directory(fixture.folder / fixture.opened)) {
            for (const auto& file : fs::recursive_directory_iterator(fixture.folder / fixture.opened))
                if (file.is_regular_file()) fixture.files.push_back(fs::relative(file.path(), fixture.folder));
        } else {
            std::ifstream in(entry.path());
            const auto truth = nlohmann::json::parse(in);
            for (const auto& file : truth.value("files", nlohmann::json::array({fixture.opened})))
                fixture.files.emplace_back(file.get<std::string>());
        }
        std::ranges::sort(fixture.files);
        fixtures.push_back(std::move(fixture));
    }
    std::ranges::sort(fixtures, {}, [](const Fixture& fixture) { return fixture.folder / fixture.opened; });
    return fixtures;
}

// Lengths to cut a file of `size` bytes to: every one, or spread over it.
std::vector<std::uint64_t> cutLengths(std::uint64_t size, std::uint64_t cuts, std::uint64_t seed) {
    std::set<std::uint64_t> lengths;
    if (cuts == 0 || cuts >= size) {
        for (std::uint64_t length = 0; length < size; ++length) lengths.insert(length);
    } else {
        for (std::uint64_t i = 0; i < cuts; ++i) lengths.insert((seed * 7919 + i * size / cuts) % size);
    }
    return {lengths.begin(), lengths.end()};
}

// Empty, or why the outcome is wrong.
std::string openedWrongly(const fs::path& path, Strictness strictness) {
    OpenOptions options;
    options.strictness = strictness;
    options.threads = 1;
    const auto isOfWorker = [](const Error& error) { return std::string_view(error.reason.id()).starts_with("worker."); };
    const auto model = open(path, options);
    if (!model) return isOfWorker(model.error()) || model.error().message().empty() ? model.error().message() : "";
    for (const TensorInfo& tensor : (*model)->tensors) {
        if (!tensor.isReadable()) continue;
        const auto reader = TensorReader::open(**model, tensor);
        if (!reader) {
            if (isOfWorker(reader.error())) return reader.error().message();
            continue;
        }
        if (reader->elements() > largest * 16) continue; // holes of a zarr array need no bytes
        std::vector<std::byte> raw(reader->byteCount(reader->elements()));
        if (const auto read = reader->readRaw(0, reader->elements(), raw); !read && isOfWorker(read.error()))
            return read.error().message();
    }
    return {};
}

TEST(Cut, NoFixtureBreaksItsReader) {
    WB_NEED_SHARED("fixtures");
    const char* const wanted = std::getenv("WEIGHBRIDGE_CUTS");
    const std::uint64_t cuts = wanted ? std::strtoull(wanted, nullptr, 10) : usualCuts;
    const std::vector<Fixture> fixtures = allFixtures();
    ASSERT_GE(fixtures.size(), 235u);
    std::atomic<std::size_t> files = 0, opened = 0;
    std::vector<std::string> failures(fixtures.size());
    const auto done = jobs::parallelFor(fixtures.size(), 0, {}, [&](std::uint64_t index, unsigned) -> Result<void> {
        const Fixture& fixture = fixtures[index];
        const test::TemporaryFolder folder;
        for (const fs::path& file : fixture.files) {
            fs::create_directories((folder.path() / file).parent_path());
            fs::copy_file(fixture.folder / file, folder.path() / file);
            fs::permissions(folder.path() / file, fs::perms::owner_write, fs::perm_options::add);
        }
        for (const fs::path& file : fixture.files) {
            const std::uint64_t size = fs::file_size(fixture.folder / file);
            if (size == 0 || size > largest) continue;
            ++files;
            for (const std::uint64_t length : cutLengths(size, cuts, index)) {
                fs::resize_file(folder.path() / file, length);
                // Both readings are alike in their reach; every other cut is strict.
                const auto strictness = opened++ % 2 == 0 ? Strictness::Lenient : Strictness::Strict;
                const std::string wrong = openedWrongly(folder.path() / fixture.opened, strictness);
                if (!wrong.empty()) failures[index] = file.string() + " cut to " + std::to_string(length) + ": " + wrong;
                fs::remove(folder.path() / file);
                fs::copy_file(fixture.folder / file, folder.path() / file);
                fs::permissions(folder.path() / file, fs::perms::owner_write, fs::perm_options::add);
            }
        }
        return {};
    });
    EXPECT_TRUE(done);
    for (const std::string& failure : failures) EXPECT_EQ(failure, "");
    EXPECT_GE(files, 600u);
    RecordProperty("files", static_cast<int>(files));
    RecordProperty("opened", static_cast<int>(opened));
}

} // namespace
} // namespace wb::formats
