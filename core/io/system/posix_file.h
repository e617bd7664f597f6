// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <unistd.h>
#include <utility>

namespace wb::io {

// Owns a file descriptor; negative is none.
class Descriptor {
public:
    explicit Descriptor(int value = -1) : m_value(value) {}
    Descriptor(Descriptor&& other) noexcept : m_value(other.release()) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(m_value, other.m_value);
        return *this;
    }
    ~Descriptor() {
        if (m_value >= 0) ::close(m_value);
    }

    int get() const { return m_value; }
    int release() { return std::exchange(m_value, -1); }

private:
    int m_value;
};

// The sentence for a failed open() of `name`, from errno.
std::unexpected<Error> openFailure(int error, const std::string& name);

// The sentence for a file that could not be made or written, from errno: NoRoom or NotWritable.
std::unexpected<Error> writeFailure(int error, const std::filesystem::path& path);

// Whether the name belongs to the opened file itself and not to a link to it.
bool isAt(int handle, const std::filesystem::path& path);

// A file that this process has locked against other runs until the descriptor is closed.
struct HeldFile {
    Descriptor descriptor;
    bool isNew = false; // made by this call
};

// Opens or creates the file for reading and writing, with `flags` added, and locks it. The former holder may have renamed or
// removed it, so the name is checked after locking. NotWritable where another run contains it. File systems without locks always
// succeed.
Result<HeldFile> openHeld(const std::filesystem::path& path, int flags = 0);

} // namespace wb::io
