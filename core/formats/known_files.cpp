// SPDX-License-Identifier: MIT
#include "core/formats/known_files.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace wb::formats {
namespace {

using namespace std::string_view_literals;

struct Magic {
    std::size_t offset;
    std::string_view bytes;
    KnownFile kind;
};

constexpr std::array magics = {
    Magic{0, "\x80\x02\x8A\x0A\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19"sv, {WB_TEXT("a legacy PyTorch checkpoint"), true}},
    Magic{257, "ustar"sv, {WB_TEXT("a tar archive"), false}},
    Magic{0, "\x89HDF\r\n\x1A\n"sv, {WB_TEXT("an HDF5 file (Keras)"), true}},
    Magic{512, "\x89HDF\r\n\x1A\n"sv, {WB_TEXT("an HDF5 file (Keras)"), true}},
    Magic{1024, "\x89HDF\r\n\x1A\n"sv, {WB_TEXT("an HDF5 file (Keras)"), true}},
    Magic{2048, "\x89HDF\r\n\x1A\n"sv, {WB_TEXT("an HDF5 file (Keras)"), true}},
    Magic{4, "TFL3"sv, {WB_TEXT("a TensorFlow Lite model"), true}},
    Magic{4, "PTMF"sv, {WB_TEXT("a PyTorch mobile model"), true}},
    Magic{4, "ORTM"sv, {WB_TEXT("an ONNX Runtime model"), true}},
    Magic{4, "CIR0"sv, {WB_TEXT("a Circle model"), true}},
    Magic{0, "nsgg"sv, {WB_TEXT("a saved inference state"), false}},
    Magic{0, "\x47\x6B\x30\x01"sv, {WB_TEXT("weights of an ncnn network"), true}},
    Magic{0, "binf"sv, {WB_TEXT("an XGBoost model in the old binary form"), true}},
    Magic{0, "PYTORCH1"sv, {WB_TEXT("a PyTorch 0.4 preview file (2018)"), true}},
    Magic{0, "\x89PNG\r\n\x1A\n"sv, {WB_TEXT("a PNG image"), false}},
    Magic{0, "\xFF\xD8\xFF"sv, {WB_TEXT("a JPEG image"), false}},
    Magic{0, "GIF8"sv, {WB_TEXT("a GIF image"), false}},
    Magic{8, "WEBP"sv, {WB_TEXT("a WebP image"), false}},
    Magic{8, "WAVE"sv, {WB_TEXT("a WAV recording"), false}},
    Magic{4, "ftyp"sv, {WB_TEXT("an MP4 video"), false}},
    Magic{0,
          "\x7F"
          "ELF"sv,
          {WB_TEXT("an ELF executable"), false}},
    Magic{0, "MZ"sv, {WB_TEXT("a Windows executable"), false}},
    Magic{0, "%PDF-"sv, {WB_TEXT("a PDF document"), false}},
    Magic{0, "SQLite format 3"sv, {WB_TEXT("an SQLite database"), false}},
    Magic{0, "7z\xBC\xAF\x27\x1C"sv, {WB_TEXT("a 7z archive"), false}},
    Magic{0, "Rar!"sv, {WB_TEXT("a RAR archive"), false}},
    Magic{0, "\x1F\x8B"sv, {WB_TEXT("a gzip-compressed file"), false}},
    Magic{0, "\x28\xB5\x2F\xFD"sv, {WB_TEXT("a Zstandard-compressed file"), false}},
    Magic{0, "BZh"sv, {WB_TEXT("a bzip2-compressed file"), false}},
    Magic{0,
          "\xFD"
          "7zXZ\x00"sv,
          {WB_TEXT("an xz-compressed file"), false}},
    Magic{0, "\x04\x22\x4D\x18"sv, {WB_TEXT("an LZ4-compressed file"), false}},
    Magic{0, "<!DOCTYPE html"sv, {WB_TEXT("a web page"), false}},
    Magic{0, "<!doctype html"sv, {WB_TEXT("a web page"), false}},
    Magic{0, "<html"sv, {WB_TEXT("a web page"), false}},
    Magic{0, "<?xml"sv, {WB_TEXT("an XML file"), false}},
};

std::string_view bytesText(std::span<const std::byte> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// Which program wrote a zip shows in the name of its first member.
KnownFile zipKind(std::string_view head) {
    const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(head[i])); };
    if (head.size() < 30) return {WB_TEXT("a zip archive"), false};
    const std::string_view member = head.substr(30, byte(26) + (byte(27) << 8));
    if (member == "metadata.json" || member == "config.json") return {WB_TEXT("a Keras archive"), true};
    for (const std::string_view end :
         {"/data.pkl"sv, "/constants.pkl"sv, "/version"sv, "/byteorder"sv, "/archive_format"sv, "data.pkl"sv})
        if (member.ends_with(end)) return {WB_TEXT("a PyTorch archive"), true};
    return {WB_TEXT("a zip archive"), false};
}

bool looksLikePickle(std::string_view head) { return head.size() > 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5; }

bool looksLikeText(std::string_view head) {
    // The end of the head may split a character, whose bytes after the first are 0b10xxxxxx.
    std::string_view whole = head;
    if (head.size() > 64) {
        while (head.size() - whole.size() < 3 && (whole.back() & 0xC0) == 0x80) whole.remove_suffix(1);
        if ((whole.back() & 0x80) != 0) whole.remove_suffix(1);
    }
    const auto binary = [](char c) {
        return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f';
    };
    return std::ranges::none_of(whole, binary) && isUtf8(whole);
}

} // namespace

std::optional<KnownFile> recognize(std::span<const std::byte> headBytes, std::span<const std::byte> tailBytes) {
    const std::string_view head = bytesText(headBytes);
    if (head.starts_with("PK\x03\x04") || head.starts_with("PK\x05\x06")) return zipKind(head);
    for (const Magic& magic : magics)
        if (head.size() > magic.offset && head.substr(magic.offset).starts_with(magic.bytes)) return magic.kind;
    if (bytesText(tailBytes).ends_with("\x57\xFB\x80\x8B\x24\x75\x47\xDB"))
        return KnownFile{WB_TEXT("a TensorFlow checkpoint"), true};
    if (looksLikePickle(head)) return KnownFile{WB_TEXT("a Python pickle"), true};
    // A Caffe network in text form; the weights are in another file.
    if (looksLikeText(head) && head.find("layer {") != std::string_view::npos && head.find("type:") != std::string_view::npos)
        return KnownFile{WB_TEXT("a Caffe network description"), true};
    if (looksLikeText(head)) return KnownFile{WB_TEXT("a text file"), false, true};
    return std::nullopt;
}

} // namespace wb::formats
