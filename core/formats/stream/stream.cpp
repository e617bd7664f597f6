// SPDX-License-Identifier: MIT
#include "core/formats/stream/stream.h"

#include "core/formats/stream/decoder.h"

#include <algorithm>
#include <array>
#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

namespace wb::stream {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t slabBytes = 256 << 10;

class ZlibDecoder final : public Decoder {
public:
    explicit ZlibDecoder(int windowBits) { m_isReady = ::inflateInit2(&m_stream, windowBits) == Z_OK; }
    ~ZlibDecoder() override { ::inflateEnd(&m_stream); }
    ZlibDecoder(const ZlibDecoder&) = delete;
    ZlibDecoder& operator=(const ZlibDecoder&) = delete;

    Step step(std::span<const std::byte> in, std::span<std::byte> out, bool) override {
        m_stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(in.data())); // zlib reads it only
        m_stream.avail_in = static_cast<uInt>(in.size());
        m_stream.next_out = reinterpret_cast<Bytef*>(out.data());
        m_stream.avail_out = static_cast<uInt>(out.size());
        const int status = m_isReady ? ::inflate(&m_stream, Z_NO_FLUSH) : Z_DATA_ERROR;
        const Step step{in.size() - m_stream.avail_in, out.size() - m_stream.avail_out,
                        status == Z_STREAM_END                    ? State::End
                        : status == Z_OK || status == Z_BUF_ERROR ? State::More
                                                                  : State::Damaged};
        return step;
    }
    bool restart() override { return ::inflateReset(&m_stream) == Z_OK; }

private:
    z_stream m_stream{};
    bool m_isReady = false;
};

class Bzip2Decoder final : public Decoder {
public:
    Bzip2Decoder() { m_isReady = ::BZ2_bzDecompressInit(&m_stream, 0, 0) == BZ_OK; }
    ~Bzip2Decoder() override { ::BZ2_bzDecompressEnd(&m_stream); }
    Bzip2Decoder(const Bzip2Decoder&) = delete;
    Bzip2Decoder& operator=(const Bzip2Decoder&) = delete;

    Step step(std::span<const std::byte> in, std::span<std::byte> out, bool) override {
        m_stream.next_in = const_cast<char*>(reinterpret_cast<const char*>(in.data())); // bzip2 reads it only
        m_stream.avail_in = static_cast<unsigned>(in.size());
        m_stream.next_out = reinterpret_cast<char*>(out.data());
        m_stream.avail_out = static_cast<unsigned>(out.size());
        const int status = m_isReady ? ::BZ2_bzDecompress(&m_stream) : BZ_DATA_ERROR;
        return {in.size() - m_stream.avail_in, out.size() - m_stream.avail_out,
                status == BZ_STREAM_END ? State::End
                : status == BZ_OK       ? State::More
                                        : State::Damaged};
    }
    bool restart() override {
        ::BZ2_bzDecompressEnd(&m_stream);
        m_stream = {};
        m_isReady = ::BZ2_bzDecompressInit(&m_stream, 0, 0) == BZ_OK;
        return m_isReady;
    }

private:
    bz_stream m_stream{};
    bool m_isReady = false;
};

class LzmaDecoder final : public Decoder {
public:
    explicit LzmaDecoder(StreamKind kind) {
        constexpr std::uint64_t maxMemory = 256 << 20;
        const auto status = kind == StreamKind::Xz ? ::lzma_stream_decoder(&m_stream, maxMemory, LZMA_CONCATENATED)
                                                   : ::lzma_alone_decoder(&m_stream, maxMemory);
        m_isReady = status == LZMA_OK;
    }
    ~LzmaDecoder() override { ::lzma_end(&m_stream); }
    LzmaDecoder(const LzmaDecoder&) = delete;
    LzmaDecoder& operator=(const LzmaDecoder&) = delete;

    Step step(std::span<const std::byte> in, std::span<std::byte> out, bool isLast) override {
        m_stream.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
        m_stream.avail_in = in.size();
        m_stream.next_out = reinterpret_cast<std::uint8_t*>(out.data());
        m_stream.avail_out = out.size();
        const auto status = m_isReady ? ::lzma_code(&m_stream, isLast ? LZMA_FINISH : LZMA_RUN) : LZMA_DATA_ERROR;
        return {in.size() - m_stream.avail_in, out.size() - m_stream.avail_out,
                status == LZMA_STREAM_END                       ? State::End
                : status == LZMA_OK || status == LZMA_BUF_ERROR ? State::More
                                                                : State::Damaged};
    }
    bool restart() override { return false; } // concatenated streams are one to it

private:
    lzma_stream m_stream = LZMA_STREAM_INIT;
    bool m_isReady = false;
};

class ZstdDecoder final : public Decoder {
public:
    ZstdDecoder() : m_stream(::ZSTD_createDStream(), ::ZSTD_freeDStream) {
        constexpr int maxWindowBits = 27; // a frame may require a window of gigabytes
        m_isReady = m_stream && ::ZSTD_isError(::ZSTD_DCtx_setParameter(m_stream.get(), ZSTD_d_windowLogMax, maxWindowBits)) == 0;
    }

    Step step(std::span<const std::byte> in, std::span<std::byte> out, bool) override {
        ZSTD_inBuffer packed{in.data(), in.size(), 0};
        ZSTD_outBuffer unpacked{out.data(), out.size(), 0};
        if (!m_isReady) return {0, 0, State::Damaged};
        const std::size_t left = ::ZSTD_decompressStream(m_stream.get(), &unpacked, &packed);
        if (::ZSTD_isError(left) != 0) return {packed.pos, unpacked.pos, State::Damaged};
        return {packed.pos, unpacked.pos, left == 0 ? State::End : State::More};
    }
    bool restart() override { return ::ZSTD_isError(::ZSTD_DCtx_reset(m_stream.get(), ZSTD_reset_session_only)) == 0; }

private:
    std::unique_ptr<ZSTD_DStream, decltype(&::ZSTD_freeDStream)> m_stream;
    bool m_isReady = false;
};

std::unique_ptr<Decoder> makeDecoder(StreamKind kind) {
    constexpr int gzipOnly = 31, zlibOnly = 15;
    switch (kind) {
    case StreamKind::Gzip: return std::make_unique<ZlibDecoder>(gzipOnly);
    case StreamKind::Zlib:
    case StreamKind::Joblib: return std::make_unique<ZlibDecoder>(zlibOnly);
    case StreamKind::Bzip2: return std::make_unique<Bzip2Decoder>();
    case StreamKind::Xz:
    case StreamKind::Lzma: return std::make_unique<LzmaDecoder>(kind);
    case StreamKind::Lz4: return makeLz4Decoder();
    case StreamKind::Zstd: return std::make_unique<ZstdDecoder>();
    default: return nullptr;
    }
}

std::unexpected<Error> damaged(const io::ByteSource& source, StreamKind kind) {
    return fail(ErrorCode::Malformed, Reason("stream.damaged"), About{source.name()},
                WB_TEXT("{} is compressed with {}, but its data is corrupted or truncated; download it again."), source.name(),
                name(kind));
}

// "ZF", then 19 characters of a number and in very old files a blank.
std::uint64_t headerBytes(const io::ByteSource& source, StreamKind kind) {
    if (kind != StreamKind::Joblib) return 0;
    constexpr std::uint64_t fixed = 21;
    std::array<std::byte, 1> next{};
    if (source.size() <= fixed || !source.readAt(fixed, next)) return fixed;
    return next[0] == std::byte{' '} ? fixed + 1 : fixed;
}

} // namespace

StreamKind sniff(std::span<const std::byte> head) {
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    if (text.starts_with("\x1F\x8B"sv)) return StreamKind::Gzip;
    if (text.starts_with("BZh"sv)) return StreamKind::Bzip2;
    if (text.starts_with("\xFD\x37zXZ\0"sv)) return StreamKind::Xz;
    if (text.starts_with("\x04\x22\x4D\x18"sv)) return StreamKind::Lz4;
    if (text.starts_with("\x28\xB5\x2F\xFD"sv)) return StreamKind::Zstd;
    if (text.starts_with("\x5D\0\0"sv)) return StreamKind::Lzma;
    if (text.starts_with("ZF0x"sv)) return StreamKind::Joblib;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(text[i])); };
    if (text.size() > 2 && byte(0) == 0x78 && (byte(0) << 8 | byte(1)) % 31 == 0) return StreamKind::Zlib;
    return StreamKind::None;
}

const char* name(StreamKind kind) {
    static constexpr const char* names[] = {"nothing", "gzip", "zlib", "bzip2", "xz", "lzma", "lz4", "zstd", "zlib"};
    return names[static_cast<std::size_t>(kind)];
}

Result<std::vector<std::byte>> unpack(const io::ByteSource& source, StreamKind kind, std::uint64_t most, const Progress& progress) {
    const auto decoder = makeDecoder(kind);
    if (!decoder) return damaged(source, kind);
    std::vector<std::byte> in, out, slab(slabBytes);
    std::uint64_t at = headerBytes(source, kind);
    bool isEnded = false;
    while (at < source.size() && !isEnded) {
        WB_TRY(progress.at(at, source.size()));
        in.resize(std::min<std::uint64_t>(slabBytes, source.size() - at));
        WB_TRY(source.readAt(at, in));
        const bool isLast = at + in.size() == source.size();
        std::span<const std::byte> rest = in;
        while (true) {
            const Decoder::Step step = decoder->step(rest, slab, isLast);
            if (step.state == Decoder::State::Damaged) return damaged(source, kind);
            if (step.written > most - out.size())
                return fail(ErrorCode::TooLarge, Reason("stream.too_large"), About{source.name()},
                            WB_TEXT("{} decompresses to more than {} bytes, which exceeds the limit."), source.name(), most);
            out.insert(out.end(), slab.begin(), slab.begin() + static_cast<std::ptrdiff_t>(step.written));
            rest = rest.subspan(step.read);
            if (step.state == Decoder::State::End) {
                // Another member may follow; other data are padding.
                const bool isMore = !rest.empty() && sniff(rest) == kind && decoder->restart();
                if (!isMore) {
                    isEnded = true;
                    break;
                }
                continue;
            }
            if (step.read == 0 && step.written == 0) break; // wants more input
            if (rest.empty() && step.written < slab.size() && !isLast) break;
        }
        at += in.size();
        if (!isEnded && !rest.empty()) return damaged(source, kind); // a decoder takes all it is given
    }
    if (!isEnded) return damaged(source, kind);
    return out;
}

} // namespace wb::stream
