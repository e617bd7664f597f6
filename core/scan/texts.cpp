// SPDX-License-Identifier: MIT
#include "core/scan/examine.h"

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/formats/pickle/names.h"
#include "core/scan/python_source.h"

#include <algorithm>
#include <array>

// Texts: configurations, templates, and others, which are data only where a rule reports it.
namespace wb::scan {
namespace {

using namespace std::string_view_literals;

// Names of texts that loaders read as data or never load.
bool namesData(std::string_view name) {
    static constexpr std::array endings = {".txt"sv,  ".md"sv,  ".rst"sv, ".csv"sv,  ".tsv"sv, ".jsonl"sv, ".ndjson"sv,
                                           ".toml"sv, ".ini"sv, ".cfg"sv, ".yaml"sv, ".yml"sv, ".bib"sv,   ".cff"sv};
    static constexpr std::array beginnings = {"license"sv, "readme"sv,    "notice"sv,    "copying"sv,
                                              "authors"sv, "changelog"sv, "use_policy"sv};
    static constexpr std::array names = {".gitattributes"sv, ".gitignore"sv, ".gitkeep"sv, "py.typed"sv, "sha256sums"sv};
    std::string lower(name);
    std::ranges::transform(lower, lower.begin(), ascii::lower);
    const auto ends = [&](std::string_view end) { return lower.ends_with(end); };
    const auto begins = [&](std::string_view begin) { return lower.starts_with(begin) && !lower.ends_with(".py"); };
    return std::ranges::any_of(endings, ends) || std::ranges::any_of(beginnings, begins) ||
           std::ranges::find(names, lower) != names.end();
}

// Short texts by which archives mark their version.
bool marksArchive(std::string_view name) {
    static constexpr std::array names = {"version"sv,         "byteorder"sv,      "serialization_id"sv,   ".format_version"sv,
                                         "archive_version"sv, "archive_format"sv, ".storage_alignment"sv, "extern_modules"sv,
                                         "python_version"sv};
    return std::ranges::find(names, name) != names.end();
}

bool isScript(std::string_view text) { return text.starts_with("#!") || text.starts_with('<'); }

} // namespace

void Examiner::plainText(const Item& item) {
    std::string text(std::min<std::uint64_t>(item.source->size(), m_options.limits.jsonText), '\0');
    if (const auto read = item.source->readAt(0, std::as_writable_bytes(std::span(text))); !read)
        return malformed(item, read.error());
    // Blanks instead of a byte order mark keep the positions.
    const std::size_t mark = text.size() - withoutByteOrderMark(text).size();
    text.replace(0, mark, mark, ' ');
    secrets(item, text, 0);
    const std::string_view name = item.name(m_file);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const bool isJson = first != std::string::npos && (text[first] == '{' || text[first] == '[');
    const std::size_t own = m_danger.files.size();
    if (isJson && json(item, text)) return;
    const bool isTemplate = name.ends_with(".jinja");
    const bool isNamed = isTemplate || namesData(name) || (item.depth > 0 && marksArchive(name));
    const bool isOfTorchScript = m_knownModules == "__torch__" && item.member.find("code/") != std::string::npos;
    const char* why = isOfTorchScript ? "TorchScript source" : isNamed && !isScript(text) ? "plain text" : "";
    if (name.ends_with(".py") && !isOfTorchScript) {
        python(item, text);
    } else if (yaml(item, text)) {
        return;
    } else if (isJson) { // earlier findings are kept
        m_danger.files[own].isUnchecked = *why == '\0';
        m_danger.files[own].why = why;
    } else if (*why != '\0') {
        data(item, "", why);
    } else {
        constexpr std::size_t headBytes = 4096;
        const auto head = std::as_bytes(std::span(text)).first(std::min(text.size(), headBytes));
        const char* const format = formatName(formats::recognize(head, {}));
        if (*format != '\0') notRead(item, format);
        else if (!item.isValues) unchecked(item, "", notAModel, WB_TEXT("{} is text and not a model, so it was not checked."));
    }
    // A chat template that is not called so must at least look at the messages.
    const bool hasCode = text.find("{%") != std::string::npos || text.find("{{") != std::string::npos;
    if (hasCode && (isTemplate || text.find("messages") != std::string::npos)) chatTemplate(item, text);
}

// By itself a file of Python is not a model. Its findings are kept for files that name it.
void Examiner::python(const Item& item, std::string_view source) {
    ScannedFile file = entry(item, "python");
    file.isUnchecked = true;
    file.globals = namesOfPython(source);
    (void)add(item, std::move(file));
    find(item, Severity::Note, notAModel, std::nullopt, WB_TEXT("{} is Python source and not a model, so it was not checked."));
}

// PyYAML's tags for objects of Python, in their short and their long form (yaml/pyyaml: lib/yaml/constructor.py). A loader that
// knows them imports or calls what they name.
bool Examiner::yaml(const Item& item, std::string_view text) {
    static constexpr std::array tags = {"!!python/"sv, "tag:yaml.org,2002:python/"sv};
    ScannedFile file = entry(item, "");
    for (const std::string_view tag : tags)
        for (std::size_t at = text.find(tag); at != std::string_view::npos; at = text.find(tag, at + 1)) {
            std::string_view path = text.substr(at + tag.size());
            const std::string_view kind = path.substr(0, path.find(':'));
            path = path.substr(0, path.find_first_of(" \t\r\n[]{},>\"'"));
            const bool isObject = kind.starts_with("object") || kind == "name" || kind == "module";
            if (!isObject || kind.size() >= path.size()) continue;
            path.remove_prefix(kind.size() + 1);
            const std::size_t dot = std::min(path.rfind('.'), path.size());
            const std::string module(path.substr(0, dot)), name(path.substr(std::min(dot + 1, path.size())));
            const DangerLevel level = pickle::globalDangerLevel(module, name);
            nameInText(file, module, name, std::max(level, DangerLevel::C), at);
        }
    if (file.globals.empty()) return false;
    addNamed(item, std::move(file));
    find(item, m_danger.files.back().level == DangerLevel::D ? Severity::Error : Severity::Warning, "yaml.python_object",
         std::nullopt, WB_TEXT("{} names Python objects that an unsafe YAML loader creates: {}."),
         {m_danger.files.back().globals.front().module + "." + m_danger.files.back().globals.front().name});
    return true;
}

} // namespace wb::scan
