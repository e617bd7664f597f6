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
    const char* format; // of the closed list of docs/reference/command_line.md, or empty
};

// Formats that hold data only, told by their first bytes. Their readers say more about them.
constexpr std::array dataMagics = {
    Magic{4, "TFL3"sv, "tflite"},       Magic{4, "ORTM"sv, "ort"},
    Magic{4, "ET12"sv, "executorch"},   Magic{4, "CIR0"sv, "tflite"},
    Magic{4, "FT01"sv, "executorch"},   Magic{0, "\x47\x6B\x30\x01"sv, "ncnn"},
    Magic{0, "lmgg"sv, "ggml"},         Magic{0, "fmgg"sv, "ggml"},
    Magic{0, "tjgg"sv, "ggml"},         Magic{0, "algg"sv, "ggml"},
    Magic{0, "24ka"sv, "llama2c"},      Magic{0, "\x0C\xDB\x3A\x2A"sv, "ocdbt"},
    Magic{0, "7767517"sv, "ncnn"},      Magic{0, "\xDD\x85\x76\x00"sv, "ncnn"},
    Magic{0, "LITERTLM"sv, "litertlm"}, Magic{0, "<?xml"sv, ""},
    Magic{0, "<net"sv, "openvino"},     Magic{0, "<PMML"sv, "pmml"},
};

// Native code: what it does cannot be told.
constexpr std::array codeMagics = {Magic{0,
                                         "\x7F"
                                         "ELF"sv,
                                         ""},
                                   Magic{0, "MZ"sv, ""}, Magic{0, "ptrt"sv, "tensorrt"}, Magic{0, "ftrt"sv, "tensorrt"}};

const Magic* findMagic(std::span<const Magic> magics, std::string_view head) {
    const auto found = std::ranges::find_if(
        magics, [&](const Magic& m) { return head.size() > m.offset && head.substr(m.offset).starts_with(m.bytes); });
    return found == magics.end() ? nullptr : &*found;
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
    // What nothing loads runs nothing by itself; somebody may still be meant to load it.
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

void Examiner::data(const Item& item, const char* format) { (void)add(item, entry(item, format)); }

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

// Loaders find an archive by its end, whatever it begins with.
bool Examiner::examine(const Item& item) {
    const bool isKnown = examineBeginning(item);
    if (!endsAsArchive(item)) return isKnown;
    zip(item);
    return true;
}

bool Examiner::endsAsArchive(const Item& item) const {
    constexpr std::uint64_t mostComment = 65'535, endRecord = 22;
    // A long comment hides the end; it is looked for in whole files only, since records are many.
    const std::uint64_t most = item.depth == 0 ? mostComment + endRecord : endRecord;
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
        malformed(item, makeError(ErrorCode::Malformed, Reason("formats.empty"), About{m_file}, WB_TEXT("{} is empty."), m_file));
        return true;
    }
    if (item.depth > deepest) {
        ScannedFile file = entry(item, "");
        file.isIncomplete = true;
        (void)add(item, std::move(file));
        find(item, Severity::Warning, "archive.depth", std::nullopt,
             WB_TEXT("{} lies in too many archives inside each other; it was not looked at."));
        return true;
    }
    if (lfs::readPointer(*item.source)) {
        data(item, "");
        find(item, Severity::Note, "file.lfs_pointer", std::nullopt, WB_TEXT("{} is a Git LFS pointer and not the file itself."));
        return true;
    }
    const std::string_view text = head;
    if (zip::sniff(bytes)) return zip(item), true;
    if (text.starts_with("7z\xBC\xAF\x27\x1C"sv) || text.starts_with("Rar!"))
        return unscannable(item, "archive.unscannable",
                           WB_TEXT("{} is an archive that this program cannot look into; nothing is proved about it.")),
               true;
    if (torch::sniffLegacy(bytes)) return torchLegacy(item), true;
    if (text.starts_with("\x93NUMPY"sv)) return npy(item), true;
    if (isHdf5(text)) return hdf5(item), true;
    if (tar::sniff(bytes)) return tar(item), true;
    if (const stream::Kind kind = stream::sniff(bytes); kind != stream::Kind::None) return compressed(item, kind), true;
    if (gguf::sniff(bytes)) return gguf(item), true;
    if (safetensors::sniff(bytes, item.source->size())) return safetensors(item), true;
    const bool isPickle = text.size() > 2 && text[0] == '\x80' && text[1] >= 2 && text[1] <= 5;
    if (isPickle && pickle(item, true)) return true;
    if (const Magic* magic = findMagic(dataMagics, text)) {
        data(item, *magic->format != '\0' ? magic->format : formatName(formats::recognise(bytes, {})));
        return secrets(item, 0, item.source->size()), true;
    }
    if (const Magic* magic = findMagic(codeMagics, text)) {
        ScannedFile file = entry(item, magic->format);
        file.level = DangerLevel::C;
        (void)add(item, std::move(file));
        find(item, Severity::Warning, "file.native_code", 0, WB_TEXT("{} contains native code, which cannot be judged."));
        return true;
    }
    if (!isPickle && pickle(item, false)) return true;
    if (isText(text)) return plainText(item), true;
    return graph(item);
}

// A text may be a configuration or a template.
void Examiner::plainText(const Item& item) {
    std::string text(std::min<std::uint64_t>(item.source->size(), m_options.limits.jsonText), '\0');
    if (const auto read = item.source->readAt(0, std::as_writable_bytes(std::span(text))); !read)
        return malformed(item, read.error());
    secrets(item, text, 0);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const bool isJson = first != std::string::npos && (text[first] == '{' || text[first] == '[');
    if (isJson && json(item, text)) return;
    constexpr std::size_t headBytes = 4096;
    if (!isJson)
        data(item, formatName(formats::recognise(std::as_bytes(std::span(text)).first(std::min(text.size(), headBytes)), {})));
    // A chat template that is not called so must at least look at the messages.
    const bool isNamed = m_file.ends_with(".jinja") || item.member.ends_with(".jinja");
    const bool hasCode = text.find("{%") != std::string::npos || text.find("{{") != std::string::npos;
    if (hasCode && (isNamed || text.find("messages") != std::string::npos)) chatTemplate(item, text);
}

Danger scanSource(std::shared_ptr<io::ByteSource> source, const Options& options) {
    Examiner examiner(source->name(), options);
    const Item item{source, "", 0, true};
    const bool isKnown = examiner.examine(item);
    Danger danger = examiner.take();
    if (isKnown) return danger;
    ScannedFile file;
    file.path = source->name();
    file.isMalformed = true;
    danger.files.push_back(std::move(file));
    return danger;
}

} // namespace wb::scan
