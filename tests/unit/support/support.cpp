// SPDX-License-Identifier: MIT
#include "tests/unit/support/support.h"

#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

namespace wb::test {

std::filesystem::path shared() {
    const char* set = std::getenv("WEIGHBRIDGE_SHARED");
    return set ? set : WEIGHBRIDGE_SHARED_DEFAULT;
}

std::filesystem::path data() {
    const char* set = std::getenv("WEIGHBRIDGE_TEST_DATA");
    return set ? set : WEIGHBRIDGE_TEST_DATA;
}

TemporaryFolder::TemporaryFolder() {
    static std::atomic<unsigned> next{0};
    m_path = std::filesystem::temp_directory_path() / fmt::format("weighbridge-test-{:x}-{}", std::random_device{}(), next++);
    std::filesystem::create_directories(m_path);
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
}

std::filesystem::path TemporaryFolder::file(std::string_view name, std::string_view content) const {
    const auto path = m_path / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
    return path;
}

std::vector<std::byte> readFile(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    return toBytes(text);
}

std::vector<std::byte> toBytes(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

std::vector<float> readFloats(const std::filesystem::path& path) {
    const auto bytes = readFile(path);
    std::vector<float> floats(bytes.size() / sizeof(float));
    // An empty vector may have no address, which memcpy may not be given.
    if (!floats.empty()) std::memcpy(floats.data(), bytes.data(), floats.size() * sizeof(float));
    return floats;
}

} // namespace wb::test
