// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb::test {

// The folder of the reference data: the environment variable WEIGHBRIDGE_SHARED, else the place given at configure time. May not
// exist.
std::filesystem::path shared();

// Data that belong to the repository: the environment variable WEIGHBRIDGE_TEST_DATA, else tests/data.
std::filesystem::path data();

// A folder that exists for the life of the object.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    std::filesystem::path file(std::string_view name, std::string_view content) const; // writes it and returns its path

private:
    std::filesystem::path m_path;
};

std::vector<std::byte> readFile(const std::filesystem::path& path);
std::vector<std::byte> toBytes(std::string_view text);
std::vector<float> readFloats(const std::filesystem::path& path);

} // namespace wb::test

// Leaves the test with a message that names the path when reference data are not there.
#define WB_NEED_SHARED(relative)                                                                                                   \
    if (!std::filesystem::exists(wb::test::shared() / (relative)))                                                                 \
    GTEST_SKIP() << "reference data are not here: " << (wb::test::shared() / (relative)).string()
