// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

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

} // namespace wb::io
