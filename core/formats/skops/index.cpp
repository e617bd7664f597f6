// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/formats/findings/findings.h"
#include "core/formats/json/json.h"
#include "core/formats/npy/array.h"
#include "core/formats/skops/skops.h"
#include "core/formats/zip/zip.h"
#include "core/model/danger.h"
#include "core/tensor/bytes.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>

namespace wb::skops {
namespace {

using json::Scanner;
using json::Token;

constexpr std::uint64_t maxUnpacked = 1ull << 30; // of one member

// The tree of nodes, read once from front to back; Scanner limits its depth.
class SchemaReader {
public:
    // An array was named; `id` is that of the object.
    using Found = std::function<Result<void>(const std::string& path, const std::string& member, const std::string& id)>;
    // The object of a node that was written before is here again.
    using Again = std::function<void(const std::string& path, const std::string& id)>;

    SchemaReader(std::string_view schema, Found found, Again again)
        : m_scanner(schema, Scanner::greatestDepth), m_found(std::move(found)), m_again(std::move(again)) {}

    Result<bool> read() {
        m_scanner.next();
        if (m_scanner.token() != Token::BeginObject) return false;
        WB_TRY(node("", ""));
        return m_scanner.token() != Token::Bad;
    }

private:
    static std::string joined(const std::string& path, std::string_view key) {
        return path.empty() ? std::string(key) : path + "." + std::string(key);
    }

    // Leaves the scanner at the last token of the value that starts with the present one.
    void skip() {
        const unsigned depth = m_scanner.depth();
        const Token token = m_scanner.token();
        if (token != Token::BeginObject && token != Token::BeginArray) return;
        while (m_scanner.token() != Token::Bad && m_scanner.depth() >= depth) m_scanner.next();
    }

    // A node at its BeginObject. `owner`: the object whose attribute it is, or a list in it; the steps of a pipeline are named
    // below that. Returns the text of a node that is one.
    Result<std::string> node(const std::string& path, const std::string& owner) {
        std::string loader, file, id, text;
        while (m_scanner.next() == Token::Key) {
            const std::string key(m_scanner.text());
            const Token token = m_scanner.next();
            if (token == Token::String && key == "__loader__") loader = m_scanner.text();
            else if (token == Token::String && key == "file") file = m_scanner.text();
            else if (key == "__id__" && (token == Token::Number || token == Token::String)) id = m_scanner.text();
            else if (key == "content" && token == Token::String) text = m_scanner.text();
            else if (key == "content" && token == Token::BeginArray) WB_TRY(items(path, owner, loader == "TupleNode"));
            else if (key == "content" && token == Token::BeginObject && loader.ends_with("DictNode")) WB_TRY(map(path));
            else if (token == Token::BeginObject && key == "content") WB_TRY(node(path, path));
            else if (token == Token::BeginObject && key != "key_types") WB_TRY(node(joined(path, key), path));
            else skip();
        }
        if (loader == "CachedNode") m_again(path, id);
        if (!file.empty()) WB_TRY(m_found(path, file, id));
        return loader == "JsonNode" ? plainText(text) : std::string();
    }

    Result<void> map(const std::string& path) {
        while (m_scanner.next() == Token::Key) {
            const std::string key = toUtf8(m_scanner.text());
            if (m_scanner.next() == Token::BeginObject) WB_TRY(node(joined(path, key), path));
            else skip();
        }
        return {};
    }

    // A pair of a text and an object in a list of an object is a step under its own name.
    Result<void> items(const std::string& path, const std::string& owner, bool isTuple) {
        std::string first;
        for (std::size_t i = 0; m_scanner.next() != Token::EndArray && m_scanner.token() != Token::Bad; ++i) {
            if (m_scanner.token() != Token::BeginObject) {
                skip();
                continue;
            }
            const bool isStep = isTuple && i == 1 && !first.empty();
            WB_TRY_ASSIGN(std::string text, node(isStep ? joined(owner, first) : joined(path, std::to_string(i)), owner));
            if (i == 0) first = std::move(text);
        }
        return {};
    }

    // A JsonNode holds JSON inside a string.
    static std::string plainText(const std::string& json) {
        Scanner inner(json);
        return inner.next() == Token::String ? toUtf8(inner.text()) : std::string();
    }

    Scanner m_scanner;
    Found m_found;
    Again m_again;
};

class Reader {
public:
    Reader(const io::ByteSource& source, const formats::OpenOptions& options)
        : m_source(source), m_options(options), m_findings(source.name(), options.strictness) {}

    Result<formats::Index> read() {
        WB_TRY_ASSIGN(m_archive, zip::readArchive(m_source, m_options, m_findings));
        const zip::Member* schema = m_archive.find("schema.json");
        if (schema == nullptr) return noSchema();
        WB_TRY_ASSIGN(const auto bytes, zip::readMember(m_source, *schema, m_options.limits.jsonText, m_findings));
        std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        json::takePythonNumbers(text);
        const auto add = [this](const std::string& path, const std::string& member, const std::string& id) {
            return addArray(path, member, id);
        };
        SchemaReader reader(text, add, [this](const std::string& path, const std::string& id) { addAlias(path, id); });
        WB_TRY_ASSIGN(const bool isWhole, reader.read());
        if (!isWhole)
            WB_TRY(m_findings.defect(
                Severity::Error, "skops.schema", schema->header,
                WB_TEXT("{}: its schema.json is truncated or not valid JSON; entries after the error are missing.")));
        m_index.model.format = FormatId::Skops;
        readHead(text);
        noteDanger(std::move(text));
        finishAliases();
        m_index.model.metadata.count = m_index.model.metadata.members.size();
        m_index.model.problems = m_findings.take();
        return std::move(m_index);
    }

private:
    std::unexpected<Error> noSchema() {
        return m_findings.refuse(ErrorCode::Malformed, "skops.no_schema",
                                 WB_TEXT("{} has no schema.json and is not a skops archive; download it again."));
    }

    // The class of the whole and the versions, which are in the outermost object.
    void readHead(const std::string& text) {
        Scanner scanner(text, Scanner::greatestDepth);
        std::string key, module, name;
        auto& members = m_index.model.metadata.members;
        for (Token token = scanner.next(); token != Token::End && token != Token::Bad; token = scanner.next()) {
            if (token == Token::String && scanner.depth() == 1) {
                if (key == "__class__") name = toUtf8(scanner.text());
                if (key == "__module__") module = toUtf8(scanner.text());
                if (key == "_skops_version") members.push_back({"skops_version", Value::of(toUtf8(scanner.text()))});
            }
            if (token == Token::Number && scanner.depth() == 1 && key == "protocol")
                m_index.model.version = "protocol " + std::string(scanner.text());
            if (token == Token::Key && scanner.depth() == 1) key = scanner.text();
        }
        if (!name.empty()) members.push_back({"class", Value::of(module + "." + name)});
    }

    void noteDanger(std::string text) {
        Danger danger;
        ScannedFile file;
        file.path = m_source.name();
        file.format = "skops";
        judge(std::move(text), file);
        for (const DangerousName& name : file.globals)
            if (name.level > DangerLevel::B)
                danger.calls.push_back({0, 0, name.position, name.module, name.name, name.level, "import", "", false});
        danger.files.push_back(std::move(file));
        m_index.model.danger = std::make_shared<const Danger>(std::move(danger));
    }

    Result<void> addArray(const std::string& path, const std::string& file, const std::string& id) {
        if (m_options.progress.stop.stop_requested()) return std::unexpected(canceled());
        if (m_index.model.tensors.size() >= m_options.limits.tensorsPerFile)
            return m_findings.refuse(ErrorCode::TooLarge, "skops.tensor_count", WB_TEXT("{} lists more than {} arrays."),
                                     m_options.limits.tensorsPerFile);
        const zip::Member* member = m_archive.find(file);
        if (member == nullptr || !member->data)
            return m_findings.defect(Severity::Error, "skops.member", std::nullopt,
                                     WB_TEXT("{}: {} should be in {}, which is missing from the archive."), formats::shown(path),
                                     formats::shown(file));
        if (!file.ends_with(".npy")) {
            m_findings.add(Severity::Warning, "skops.sparse", member->header,
                           WB_TEXT("{}: {} is a sparse matrix in {}, whose components are not listed."), formats::shown(path),
                           formats::shown(file));
            return {};
        }
        std::vector<std::byte> content;
        if (member->isStored()) {
            content.resize(std::min<std::uint64_t>(member->bytes, npy::maxHeaderBytes));
            WB_TRY(m_source.readAt(member->data->offset(), content));
        } else if (auto unpacked = zip::readMember(m_source, *member, maxUnpacked, m_findings)) {
            content = std::move(*unpacked);
        }
        const auto header = npy::parseHeader(content, m_source.name());
        if (!header)
            return m_findings.defect(Severity::Error, "skops.array", member->header,
                                     WB_TEXT("{}: {} is in {}, which is not a supported NumPy array."), formats::shown(path),
                                     formats::shown(file));
        const auto place = memberPlace(*member, *header, content);
        WB_TRY_ASSIGN(auto tensor, npy::makeTensor(*header, path.empty() ? "array" : toUtf8(path), place, m_findings));
        if (!tensor) return {};
        TensorDetails details;
        details.member = toUtf8(file);
        tensor->details = std::make_shared<const TensorDetails>(std::move(details));
        m_byId.emplace(id, m_index.model.tensors.size());
        m_index.model.tensors.push_back(std::move(*tensor));
        return {};
    }

    npy::ArrayPlace memberPlace(const zip::Member& member, const npy::Header& header, std::span<const std::byte> content) {
        const DtypeInfo& type = info(header.dtype);
        const std::uint64_t width = type.kind == DtypeKind::Complex ? type.blockBytes / 2u : type.blockBytes;
        const bool isSwapped = header.isBigEndian && width > 1;
        if (member.isStored()) {
            const std::uint64_t begin = member.data->offset();
            const std::uint32_t file =
                isSwapped ? m_index.addSwapped(0, begin + header.bytes, begin + member.bytes, width) : std::uint32_t{0};
            return {file, begin, member.bytes};
        }
        if (isSwapped) {
            std::vector<std::byte> turned(content.begin(), content.end());
            for (std::size_t i = header.bytes; i + width <= turned.size(); i += width)
                std::ranges::reverse(std::span(turned).subspan(i, width));
            if (const auto copied = m_index.copy(turned)) return {copied->place().file, *copied->place().offset, turned.size()};
        }
        std::vector<std::byte> spec(sizeof member.header);
        std::memcpy(spec.data(), &member.header, sizeof member.header);
        return {m_index.addUnpacked(0, std::move(spec), content.size()), 0, content.size()};
    }

    void addAlias(const std::string& path, const std::string& id) {
        if (const auto found = m_byId.find(id); found != m_byId.end()) m_aliases[found->second].push_back(toUtf8(path));
    }

    void finishAliases() {
        constexpr std::size_t most = 64;
        for (auto& [index, names] : m_aliases) {
            TensorInfo& tensor = m_index.model.tensors[index];
            TensorDetails details = *tensor.details;
            names.resize(std::min(names.size(), most));
            details.aliases = std::move(names);
            tensor.details = std::make_shared<const TensorDetails>(std::move(details));
        }
    }

    const io::ByteSource& m_source;
    const formats::OpenOptions& m_options;
    formats::Findings m_findings;
    formats::Index m_index{1};
    zip::Archive m_archive;
    std::map<std::string, std::size_t> m_byId;
    std::map<std::size_t, std::vector<std::string>> m_aliases;
};

} // namespace

bool isArchive(std::span<const std::string> memberNames) {
    return std::ranges::find(memberNames, "schema.json") != memberNames.end();
}

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view, const formats::OpenOptions& options) {
    return Reader(*sources.at(0), options).read();
}

Result<void> unpack(const io::ByteSource& source, std::span<const std::byte> spec, std::uint64_t offset, std::span<std::byte> out) {
    const auto changed = [&] {
        return fail(ErrorCode::Changed, Reason("skops.unpacked"), About{source.name()},
                    WB_TEXT("{} decompresses to less data than when it was opened."), source.name());
    };
    std::uint64_t position = 0;
    if (spec.size() != sizeof position) return changed();
    std::memcpy(&position, spec.data(), sizeof position);
    formats::Findings findings(source.name(), formats::Strictness::Lenient);
    WB_TRY_ASSIGN(const zip::Archive archive, zip::readArchive(source, {}, findings));
    const auto member = std::ranges::find(archive.members, position, &zip::Member::header);
    if (member == archive.members.end()) return changed();
    WB_TRY_ASSIGN(const auto bytes, zip::readMember(source, *member, maxUnpacked, findings));
    if (!io::Extent::make(bytes.size(), offset, out.size())) return changed();
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
    return {};
}

} // namespace wb::skops
