// SPDX-License-Identifier: MIT
#include "core/scan/examine.h"

#include "core/base/text.h"
#include "core/formats/gguf/gguf.h"
#include "core/formats/lfs/pointer.h"
#include "core/formats/safetensors/safetensors.h"
#include "core/formats/tar/tar.h"
#include "core/formats/torch/torch.h"
#include "core/formats/zip/zip.h"

#include <algorithm>
#include <array>

namespace wb::scan {
namespace {

using namespace std::string_view_literals;

constexpr int deepest = 4; // containers in containers

struct Magic {
    std::size_t offset;
    std::string_view bytes;
    const char* format; // as `wb scan` prints it, or empty
    bool isRead = false;
};

// Formats of data alone, by a sign in their first bytes. A format with a reader is checked by it.
constexpr std::array magics = {
    Magic{4, "TFL3"sv, "tflite", true},
    Magic{4, "ORTM"sv, "ort", true},
    Magic{4, "CIR0"sv, "tflite"},
    Magic{0, "\x47\x6B\x30\x01"sv, "ncnn"},
    Magic{0, "lmgg"sv, "ggml", true},
    Magic{0, "fmgg"sv, "ggml", true},
    Magic{0, "tjgg"sv, "ggml", true},
    Magic{0, "algg"sv, "ggml", true},
    Magic{0, "24ka"sv, "llama2c", true},
    Magic{0, "\x0C\xDB\x3A\x2A"sv, "ocdbt", true},
    Magic{0, "\xDD\x85\x76\x00"sv, "ncnn"},
    Magic{0, "LITERTLM"sv, "litertlm", true},
    Magic{0, "<?xml"sv, ""},
};

// Engines of TensorRT: native code with unknown effect.
constexpr std::array engineMagics = {Magic{0, "ptrt"sv, "tensorrt"}, Magic{0, "ftrt"sv, "tensorrt"}};

// The beginning of a program (System V ABI, "ELF Header": class, byte order and version; Microsoft PE format, "MS-DOS Stub": the
// place of the signature). Two letters alone are often the beginning of values.
bool isProgram(std::string_view head) {
    const auto byte = [&](std::size_t at) { return std::uint32_t{static_cast<unsigned char>(head[at])}; };
    if (head.size() >= 16 && head.starts_with("\x7F"
                                              "ELF"sv))
        return (byte(4) == 1 || byte(4) == 2) && (byte(5) == 1 || byte(5) == 2) && byte(6) == 1;
    if (head.size() < 64 || !head.starts_with("MZ"sv)) return false;
    const std::size_t signature = byte(60) | byte(61) << 8 | byte(62) << 16 | byte(63) << 24;
    return signature < head.size() && head.substr(signature).starts_with("PE\0\0"sv);
}

// Names under which an empty file is not a model that was meant.
bool namesWeights(std::string_view name) {
    static constexpr std::array endings = {".bin"sv,  ".pt"sv,   ".pth"sv,    ".ckpt"sv, ".safetensors"sv,
                                           ".gguf"sv, ".onnx"sv, ".h5"sv,     ".hdf5"sv, ".keras"sv,
                                           ".npy"sv,  ".npz"sv,  ".tflite"sv, ".pb"sv,   ".msgpack"sv};
    return namesPickle(name) || std::ranges::any_of(endings, [&](std::string_view end) { return name.ends_with(end); });
}

const Magic* findMagic(std::span<const Magic> known, std::string_view head) {
    const auto found = std::ranges::find_if(
        known, [&](const Magic& m) { return head.size() > m.offset && head.substr(m.offset).starts_with(m.bytes); });
    return found == known.end() ? nullptr : &*found;
}

bool isHdf5(std::string_view head) {
    for (const std::size_t at : {0, 512, 1024, 2048})
        if (head.size() > at && head.substr(at).starts_with("\x89HDF\r\n\x1A\n"sv)) return true;
    return false;
}

bool isText(std::string_view head) {
    const auto isBinary = [](char c) {
        return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f';
    };
    const std::string_view whole = head.size() > 64 ? head.substr(0, head.size() - 4) : head; // may end inside a character
    return std::ranges::none_of(whole, isBinary) && (isUtf8(head) || isUtf8(whole.substr(0, whole.find_last_of('\n'))));
}

} // namespace

ScannedFile Examiner::entry(const Item& item, const char* format) const {
    ScannedFile file;
    file.path = m_file;
    file.member = toUtf8(item.member);
    file.format = format;
    return file;
}

std::uint32_t Examiner::add(const Item& item, ScannedFile file) {
    // A file that nothing loads runs nothing by itself, but a user may be asked to load it.
    if (!item.isLoaded) file.level = std::min(file.level, DangerLevel::C);
    m_danger.files.push_back(std::move(file));
    return static_cast<std::uint32_t>(m_danger.files.size() - 1);
}

void Examiner::find(const Item& item, Severity severity, Reason rule, std::optional<std::uint64_t> offset, const char* sentence,
                    std::vector<std::string> arguments) {
    const std::string name = item.member.empty() ? m_file : m_file + ": " + toUtf8(item.member);
    arguments.insert(arguments.begin(), name);
    m_danger.findings.push_back({Problem{severity, rule, m_file, offset, sentence, std::move(arguments)}, toUtf8(item.member)});
}

void Examiner::takeFindings(const Item& item, formats::Findings& findings) {
    for (Problem& problem : findings.take()) {
        problem.file = m_file;
        // Damage is grave for a reader and no attack by itself.
        const bool isAttack = problem.code == Reason("zip.overlap") || problem.code == Reason("path.traversal");
        if (problem.severity == Severity::Error && !isAttack) problem.severity = Severity::Warning;
        m_danger.findings.push_back({std::move(problem), toUtf8(item.member)});
    }
}

std::string_view Item::name(std::string_view file) const {
    const std::string_view whole = member.empty() ? file : std::string_view(member);
    return whole.substr(whole.rfind('/') + 1);
}

bool namesPickle(std::string_view name) {
    static constexpr std::array endings = {".pkl"sv, ".pickle"sv, ".pck"sv, ".joblib"sv, ".dill"sv};
    return std::ranges::any_of(endings, [&](std::string_view end) { return name.ends_with(end); });
}

void Examiner::data(const Item& item, const char* format, const char* why) {
    ScannedFile file = entry(item, format);
    file.why = why;
    (void)add(item, std::move(file));
}

void Examiner::unchecked(const Item& item, const char* format, Reason rule, const char* sentence) {
    ScannedFile file = entry(item, format);
    file.isUnchecked = true;
    (void)add(item, std::move(file));
    find(item, Severity::Note, rule, std::nullopt, sentence);
}

void Examiner::notRead(const Item& item, const char* format) {
    unchecked(item, format, formatNotRead,
              WB_TEXT("{} is in a format that this program recognizes but does not read, so it was not checked."));
}

void Examiner::unscannable(const Item& item, const char* rule, const char* sentence) {
    ScannedFile file = entry(item, "");
    file.isUnscannable = true;
    (void)add(item, std::move(file));
    const bool isEncrypted = std::string_view(rule) == "archive.encrypted";
    find(item, Severity::Warning, isEncrypted ? Reason("archive.encrypted") : Reason("archive.unscannable"), std::nullopt,
         sentence);
}

void Examiner::malformed(const Item& item, const Error& error) {
    ScannedFile file = entry(item, "");
    file.isMalformed = true;
    (void)add(item, std::move(file));
    m_danger.findings.push_back(
        {Problem{Severity::Warning, error.reason, m_file, std::nullopt, error.format, error.arguments}, toUtf8(item.member)});
}

// Loaders find an archive by its end, whatever it starts with.
void Examiner::examine(const Item& item) {
    const bool isKnown = examineBeginning(item);
    if (endsAsArchive(item)) zip(item);
    else if (!isKnown && item.isEncrypted)
        unscannable(item, "archive.encrypted", WB_TEXT("{} is encrypted and cannot be analyzed."));
    else if (!isKnown && !item.isValues) unknown(item);
}

// A broken beginning may hide a pickle.
void Examiner::unknown(const Item& item) {
    unchecked(item, "", unknownFormat, WB_TEXT("{} is in no format that this program knows, so it was not checked."));
    const auto index = static_cast<std::uint32_t>(m_danger.files.size() - 1);
    if (item.isLoaded) findReferences(item, 0, index, m_danger.files[index]);
}

bool Examiner::endsAsArchive(const Item& item) const {
    constexpr std::uint64_t maxComment = 65'535, endRecord = 22;
    // A long comment hides the end; it is searched in whole files only, since records are many.
    const std::uint64_t most = item.depth == 0 ? maxComment + endRecord : endRecord;
    std::string tail(std::min(item.source->size(), most), '\0');
    if (tail.size() < endRecord || item.depth > deepest) return false;
    if (!item.source->readAt(item.source->size() - tail.size(), std::as_writable_bytes(std::span(tail)))) return false;
    if (tail.find("PK\x05\x06"sv) == std::string::npos) return false;
    std::string head(4, '\0');
    if (!item.source->readAt(0, std::as_writable_bytes(std::span(head))) || zip::sniff(std::as_bytes(std::span(head))))
        return false;
    formats::Findings findings(m_file, formats::Strictness::Lenient);
    formats::OpenOptions options;
    options.limits = m_options.limits;
    const auto archive = zip::readArchive(*item.source, options, findings);
    return archive && !archive->members.empty();
}

bool Examiner::examineBeginning(const Item& item) {
    constexpr std::uint64_t headBytes = 4096;
    std::string head(std::min(item.source->size(), headBytes), '\0');
    if (const auto read = item.source->readAt(0, std::as_writable_bytes(std::span(head))); !read) {
        malformed(item, read.error());
        return true;
    }
    const auto bytes = std::as_bytes(std::span(head));
    if (head.empty()) {
        if (!namesWeights(item.name(m_file))) return data(item, "", "empty"), true;
        malformed(item, makeError(ErrorCode::Malformed, Reason("formats.empty"), About{m_file}, WB_TEXT("{} is empty."), m_file));
        return true;
    }
    if (item.depth > deepest) {
        ScannedFile file = entry(item, "");
        file.isIncomplete = true;
        (void)add(item, std::move(file));
        find(item, Severity::Warning, "archive.depth", std::nullopt,
             WB_TEXT("{} is nested in too many archives and was not scanned."));
        return true;
    }
    if (lfs::readPointer(*item.source)) {
        unchecked(item, "", "file.lfs_pointer", WB_TEXT("{} is a Git LFS pointer and not the file itself."));
        return true;
    }
    const std::string_view text = head;
    if (zip::sniff(bytes)) return zip(item), true;
    if (text.starts_with("7z\xBC\xAF\x27\x1C"sv) || text.starts_with("Rar!"))
        return unscannable(item, "archive.unscannable", WB_TEXT("{} is an unsupported archive and cannot be analyzed.")), true;
    if (torch::sniffLegacy(bytes)) return torchLegacy(item), true;
    if (text.starts_with("\x93NUMPY"sv)) return npy(item), true;
    if (isHdf5(text)) return hdf5(item), true;
    if (tar::sniff(bytes)) return tar(item), true;
    if (const stream::StreamKind kind = stream::sniff(bytes); kind != stream::StreamKind::None && compressed(item, kind))
        return true;
    if (gguf::sniff(bytes)) return gguf(item), true;
    if (safetensors::sniff(bytes, item.source->size())) return safetensors(item), true;
    const bool isPickle = (text.size() > 2 && text[0] == '\x80' && text[1] >= 2 && text[1] <= 5) || namesPickle(item.name(m_file));
    if (isPickle && pickle(item, true)) return true;
    if (indexed(item, text)) return true;
    if (const Magic* magic = findMagic(magics, text)) {
        const char* const format = *magic->format != '\0' ? magic->format : formatName(formats::recognize(bytes, {}));
        if (magic->isRead) data(item, format);
        else notRead(item, format);
        return secrets(item, 0, item.source->size()), true;
    }
    const Magic* const engine = findMagic(engineMagics, text);
    if (engine != nullptr || isProgram(text)) {
        ScannedFile file = entry(item, engine != nullptr ? engine->format : "");
        file.level = DangerLevel::C;
        (void)add(item, std::move(file));
        find(item, Severity::Warning, "file.native_code", 0, WB_TEXT("{} contains native code, which cannot be analyzed."));
        return true;
    }
    if (!isPickle && pickle(item, false)) return true;
    if (isText(text)) return plainText(item), true;
    return graph(item);
}

Danger scanSource(std::shared_ptr<io::ByteSource> source, const Options& options) {
    Examiner examiner(source->name(), options);
    examiner.examine(Item{source, "", 0, true});
    Danger danger = examiner.take();
    giveReasons(danger);
    return danger;
}

} // namespace wb::scan
