// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>

// Inside the room: one codec.
namespace wb::stream {

class Decoder {
public:
    enum class State : unsigned char { More, End, Damaged };
    struct Step {
        std::size_t read = 0;
        std::size_t written = 0;
        State state = State::More;
    };

    virtual ~Decoder() = default;

    // Unpacks as far as input and room reach. `isLast`: no more input follows `in`.
    virtual Step step(std::span<const std::byte> in, std::span<std::byte> out, bool isLast) = 0;

    // Starts with another member after the end of one; false where the codec knows none.
    virtual bool restart() = 0;
};

std::unique_ptr<Decoder> makeLz4Decoder();

} // namespace wb::stream
