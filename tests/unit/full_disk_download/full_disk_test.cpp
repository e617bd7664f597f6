// SPDX-License-Identifier: MIT
#include "tests/unit/download/loopback.h"
#include "tests/unit/small_disk/small_disk.h"

#include <algorithm>
#include <csignal>
#include <fstream>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

// A disk that is too small, or becomes full in the middle of a download.
namespace wb::test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t size = 60'000'003;

// One sentence on the standard error that says the way out.
bool saysToFreeSpace(const std::string& err) {
    return std::ranges::count(err, '\n') == 1 && err.find("ree some space") != std::string::npos;
}

void fill(const fs::path& path) {
    std::ofstream out(path, std::ios::binary);
    const std::string page(4096, 'x');
    while (out.write(page.data(), static_cast<std::streamsize>(page.size())).flush()) {
    }
}

class FullDiskDownload : public LoopbackTest {
protected:
    FullDiskDownload() { addLarge(size); }

    void expectOn(std::uint64_t diskBytes, const std::function<void(Findings&)>& body) {
        std::string reason;
        const auto wrong = onSmallDisk(disk.path(), diskBytes, body, reason);
        if (!wrong) GTEST_SKIP() << reason;
        EXPECT_EQ(*wrong, "");
    }

    std::string to() const { return (disk.path() / "to").string(); }
    Ran fetch() const { return wb({"download", "hf:acme/large", "--to", to()}); }

    // Starts the download and kills it as soon as its journal holds something.
    void interrupt() const {
        const pid_t child = ::fork();
        if (child == 0) {
            ::setenv("HF_ENDPOINT", servers.url("HUB").c_str(), 1);
            ::setenv("HOME", folder.path().c_str(), 1);
            ::execl(WB_PROGRAM, "wb", "download", "hf:acme/large", "--quiet", "--to", to().c_str(), "--limit-rate", "10MB",
                    nullptr);
            ::_exit(127);
        }
        const fs::path journal = to() + "/file.bin.part.journal";
        std::error_code error;
        int status = 0;
        for (std::uintmax_t first = 0; ::waitpid(child, &status, WNOHANG) == 0; ::usleep(1000)) {
            const std::uintmax_t bytes = fs::file_size(journal, error);
            if (error || bytes == 0) continue;
            if (first == 0) first = bytes;
            if (bytes > first + 16) break; // a record follows the head
        }
        ::kill(child, SIGKILL);
        ::waitpid(child, &status, 0);
    }

    const TemporaryFolder disk;
};

TEST_F(FullDiskDownload, IsRefusedBeforeTheFirstByte) {
    expectOn(size / 2, [&](Findings& found) {
        const Ran ran = fetch();
        found.need(ran.status == 1 && saysToFreeSpace(ran.err), ran.err);
        found.need(fs::is_empty(disk.path()), "something was left behind");
    });
    EXPECT_EQ(servers.servedBytes("CDN"), 0u);
}

// On a file system that reserves nothing, made from one that does: the second half of the part file gives its room away.
TEST_F(FullDiskDownload, StopsInTheMiddleAndGoesOnLater) {
    expectOn(size + (4 << 20), [&](Findings& found) {
        interrupt();
        const fs::path part = to() + "/file.bin.part", filler = disk.path() / "filler";
        found.need(fs::exists(part), "nothing was downloaded before the kill");
        const int handle = ::open(part.c_str(), O_RDWR | O_CLOEXEC);
        ::fallocate(handle, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, size / 2 / 4096 * 4096, size / 2 + 4096);
        ::close(handle);
        fill(filler);
        const Ran full = fetch();
        found.need(full.status == 1 && saysToFreeSpace(full.err), full.err);
        found.need(fs::exists(part), "what came is lost");
        found.need(!fs::exists(to() + "/file.bin"), "a file that is not whole has its name");
        fs::remove(filler);
        const Ran again = fetch();
        found.need(again.status == 0, again.err);
        std::error_code error;
        found.need(fs::file_size(to() + "/file.bin", error) == size, "the file is not whole");
        found.need(!fs::exists(part), "something was left behind");
    });
}

} // namespace
} // namespace wb::test
