// SPDX-License-Identifier: MIT
#include "core/formats/stream/decoder.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

// LZ4 frames (lz4/lz4: doc/lz4_Frame_format.md, doc/lz4_Block_format.md). Checksums are passed over: what is unpacked is parsed as
// hostile anyway.
namespace wb::stream {
namespace {

constexpr std::size_t windowBytes = 64 << 10; // as far back as a copy may reach

class Lz4Decoder final : public Decoder {
public:
    Step step(std::span<const std::byte> in, std::span<std::byte> out, bool) override {
        Step step;
        while (true) {
            step.written += deliver(out.subspan(step.written));
            if (m_delivered < m_ready.size()) return step; // no space left
            if (m_isEnded) {
                step.state = State::End;
                return step;
            }
            const std::size_t used = consume(in.subspan(step.read));
            if (m_isDamaged) return {step.read, step.written, State::Damaged};
            step.read += used;
            if (used == 0 && m_delivered == m_ready.size() && !m_isEnded) return step;
        }
    }

    bool restart() override {
        *this = Lz4Decoder();
        return true;
    }

private:
    static std::uint32_t load32(std::span<const std::byte> bytes) {
        std::uint32_t value = 0;
        for (std::size_t i = 4; i-- > 0;) value = value << 8 | std::to_integer<std::uint32_t>(bytes[i]);
        return value;
    }

    std::size_t deliver(std::span<std::byte> out) {
        const std::size_t run = std::min(out.size(), m_ready.size() - m_delivered);
        if (run != 0) std::memcpy(out.data(), m_ready.data() + m_delivered, run);
        m_delivered += run;
        return run;
    }

    // One part of the frame, if everything is there: the header or a block. Returns how many bytes it took.
    std::size_t consume(std::span<const std::byte> in) {
        const std::size_t held = m_partial.size();
        m_partial.insert(m_partial.end(), in.begin(), in.end());
        const std::size_t needed = m_hasHeader ? blockBytes() : frameHeaderBytes();
        if (m_isDamaged || needed > maxBlockBytes + 16) {
            m_isDamaged = true;
            return 0;
        }
        if (needed == 0 || m_partial.size() < needed) return in.size(); // kept until more is there
        if (m_hasHeader) readBlock(std::span(m_partial).first(needed));
        else readHeader();
        const std::size_t taken = needed > held ? needed - held : 0;
        m_partial.clear();
        return taken;
    }

    std::size_t frameHeaderBytes() const {
        if (m_partial.size() < 6) return 0;
        const auto flags = std::to_integer<unsigned>(m_partial[4]);
        return 7 + ((flags & 8) != 0 ? 8 : 0) + ((flags & 1) != 0 ? 4 : 0);
    }

    void readHeader() {
        constexpr std::uint32_t magic = 0x184D2204;
        const auto flags = std::to_integer<unsigned>(m_partial[4]);
        m_isDamaged = load32(m_partial) != magic || (flags >> 6) != 1 || (flags & 1) != 0; // a dictionary is not known here
        m_hasBlockSums = (flags & 0x10) != 0;
        m_hasContentSum = (flags & 4) != 0;
        m_hasHeader = true;
    }

    // The size of the block with its own four bytes and its checksum; of the end mark with the checksum of the content.
    std::size_t blockBytes() const {
        if (m_partial.size() < 4) return 0;
        const std::uint32_t size = load32(m_partial);
        if (size == 0) return m_hasContentSum ? 8 : 4;
        return 4 + std::size_t{size & 0x7FFFFFFF} + (m_hasBlockSums ? 4 : 0);
    }

    void readBlock(std::span<const std::byte> block) {
        const std::uint32_t size = load32(block);
        if (size == 0) {
            m_isEnded = true;
            return;
        }
        const auto content = block.subspan(4, size & 0x7FFFFFFF);
        // Keeps the last bytes for copies that reach into them.
        const std::size_t keep = std::min(m_ready.size(), windowBytes);
        m_ready.erase(m_ready.begin(), m_ready.end() - static_cast<std::ptrdiff_t>(keep));
        m_delivered = keep;
        if ((size & 0x80000000) != 0) m_ready.insert(m_ready.end(), content.begin(), content.end());
        else m_isDamaged = !expand(content, keep + maxBlockBytes);
    }

    bool length(std::span<const std::byte>& in, std::size_t& value) const {
        if (value != 15) return true;
        while (!in.empty()) {
            const auto more = std::to_integer<std::size_t>(in.front());
            in = in.subspan(1);
            value += more;
            if (more != 255) return true;
        }
        return false;
    }

    bool expand(std::span<const std::byte> in, std::size_t most) {
        while (!in.empty()) {
            const auto token = std::to_integer<std::size_t>(in.front());
            in = in.subspan(1);
            std::size_t literals = token >> 4, copied = token & 15;
            if (!length(in, literals) || literals > in.size() || literals > most - m_ready.size()) return false;
            m_ready.insert(m_ready.end(), in.begin(), in.begin() + static_cast<std::ptrdiff_t>(literals));
            in = in.subspan(literals);
            if (in.empty()) return true; // the last sequence has no copy
            if (in.size() < 2) return false;
            const std::size_t distance = std::to_integer<std::size_t>(in[0]) | std::to_integer<std::size_t>(in[1]) << 8;
            in = in.subspan(2);
            if (!length(in, copied)) return false;
            copied += 4;
            if (distance == 0 || distance > m_ready.size() || copied > most - m_ready.size()) return false;
            for (std::size_t i = 0; i < copied; ++i) m_ready.push_back(m_ready[m_ready.size() - distance]);
        }
        return true;
    }

    static constexpr std::size_t maxBlockBytes = 4 << 20; // the largest that the format has

    std::vector<std::byte> m_partial; // of the frame, not yet complete
    std::vector<std::byte> m_ready;   // unpacked: the window for copies, then undelivered bytes
    std::size_t m_delivered = 0;
    bool m_hasHeader = false;
    bool m_hasBlockSums = false;
    bool m_hasContentSum = false;
    bool m_isEnded = false;
    bool m_isDamaged = false;
};

} // namespace

std::unique_ptr<Decoder> makeLz4Decoder() { return std::make_unique<Lz4Decoder>(); }

} // namespace wb::stream
