// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/base/counts.h"
#include "core/formats/hdf5/file.h"

#include <algorithm>
#include <bit>
#include <set>

namespace wb::hdf5 {
namespace {

enum AttributeMessageType : std::uint16_t { AttributeMessage = 0x0C, AttributeInfoMessage = 0x15 };

// A text of the global heap: length, the collection's address, the number of the object in it.
std::optional<std::string> heapText(File& file, std::uint64_t at, std::uint64_t& bytesLeft) {
    const std::uint64_t length = file.take(at, 4);
    const std::uint64_t address = file.takeAddress(at);
    const std::uint64_t wanted = file.take(at, 4);
    if (length == 0) return std::string();
    if (address == undefined || length > bytesLeft) return std::nullopt;
    std::uint64_t object = file.filePosition(address);
    if (!file.reader().hasText(object, "GCOL")) return std::nullopt;
    object += 8;
    const std::uint64_t bytes = file.takeLength(object);
    if (!file.reader().canHold(file.filePosition(address), bytes, 1)) return std::nullopt;
    const std::uint64_t end = file.filePosition(address) + bytes;
    while (object + 16 <= end && file.reader().good()) {
        const std::uint64_t number = file.take(object, 2);
        object += 2 + 4; // references, reserved
        const std::uint64_t held = file.takeLength(object);
        if (held > end - object) return std::nullopt;
        if (number == wanted) {
            if (length > held) return std::nullopt;
            bytesLeft -= length;
            return file.reader().text(object, length, length);
        }
        if (number == 0) return std::nullopt;
        object += (held + 7) / 8 * 8;
    }
    return std::nullopt;
}

Value numberValue(File& file, const Type& type, std::uint64_t at) {
    std::array<std::byte, 8> bytes{};
    const std::size_t width = std::min<std::uint64_t>(type.bytes, bytes.size());
    file.reader().fill(at, std::span(bytes).first(width));
    if (type.isBigEndian) std::ranges::reverse(std::span(bytes).first(width));
    std::uint64_t bits = 0;
    for (std::size_t i = width; i-- > 0;) bits = bits << 8 | std::to_integer<std::uint64_t>(bytes[i]);
    const auto widened = [&] { return static_cast<std::int64_t>(bits << (64 - 8 * width)) >> (64 - 8 * width); };
    switch (type.dtype) {
    case Dtype::F64: return Value::ofFloat(ValueType::F64, std::bit_cast<double>(bits));
    case Dtype::F32: return Value::ofFloat(ValueType::F32, double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))});
    case Dtype::Bool: return Value::of(bits != 0);
    case Dtype::I8:
    case Dtype::I16:
    case Dtype::I32:
    case Dtype::I64: return Value::ofSigned(ValueType::I64, widened());
    case Dtype::U8:
    case Dtype::U16:
    case Dtype::U32:
    case Dtype::U64: return Value::ofUnsigned(ValueType::U64, bits);
    default: return Value::of(std::string("(") + (type.text.empty() ? name(type.dtype) : type.text) + ")");
    }
}

Value elementValue(File& file, const Type& type, std::uint64_t at, std::uint64_t& bytesLeft) {
    if (type.isLongText) {
        auto text = heapText(file, at, bytesLeft);
        return Value::of(text ? toUtf8(*text) : std::string("(not readable)"));
    }
    if (type.isText) {
        if (type.bytes > bytesLeft) return Value::of(std::string("(too long)"));
        bytesLeft -= type.bytes;
        const std::string text = file.reader().text(at, type.bytes, type.bytes);
        return Value::of(toUtf8(std::string_view(text).substr(0, text.find('\0'))));
    }
    return numberValue(file, type, at);
}

class Walker {
public:
    Walker(const io::ByteSource& source, formats::Findings& findings, const Caps& caps, const Progress& progress,
           const std::function<void(const Object& object)>& visit)
        : m_file(source), m_findings(findings), m_caps(caps), m_progress(progress), m_visit(visit), m_chunksLeft(caps.chunks),
          m_linksLeft(caps.objects) {}

    Result<void> walk() {
        const auto root = m_file.open();
        if (!root)
            return m_findings.refuse(ErrorCode::Malformed, "hdf5.superblock",
                                     WB_TEXT("{} is corrupted: its HDF5 superblock cannot be read; download it again."));
        if (m_file.end() > m_file.reader().size())
            WB_TRY(m_findings.defect(Severity::Error, "hdf5.cut_short", m_file.reader().size(),
                                     WB_TEXT("{} is truncated: it has {} of the {} bytes declared in its superblock."),
                                     grouped(m_file.reader().size()), grouped(m_file.end())));
        m_attributeBytes = m_caps.attributeBytes;
        m_open.push_back({"", *root, 0});
        while (!m_open.empty()) {
            if (m_progress.stop.stop_requested()) return std::unexpected(canceled());
            const Open next = std::move(m_open.back());
            m_open.pop_back();
            WB_TRY(visitObject(next));
        }
        return {};
    }

private:
    struct Open {
        std::string path;
        std::uint64_t address = 0;
        unsigned depth = 0;
    };

    Result<void> visitObject(const Open& open) {
        if (++m_visited > m_caps.objects)
            return m_findings.refuse(ErrorCode::TooLarge, "hdf5.object_count", WB_TEXT("{} contains more than {} objects."),
                                     m_caps.objects);
        const auto messages = readMessages(m_file, open.address);
        Object object;
        object.path = open.path;
        object.address = open.address;
        object.isGroup = !readDataset(m_file, messages, object.dataset, m_chunksLeft);
        if (m_file.reader().failure()) return std::unexpected(*m_file.reader().failure());
        if (m_file.reader().takeFault() || messages.empty()) {
            m_findings.add(Severity::Error, "hdf5.object", m_file.filePosition(open.address),
                           WB_TEXT("{}: the object {} is corrupted and is not listed."),
                           formats::shown(open.path.empty() ? "/" : open.path));
            if (open.path.empty() && messages.empty())
                return m_findings.refuse(ErrorCode::Malformed, "hdf5.root",
                                         WB_TEXT("{} is corrupted: its HDF5 root group cannot be read; download it again."));
            return {};
        }
        readAttributes(messages, object);
        m_visit(object);
        if (object.isGroup && m_groups.insert(open.address).second) follow(open, messages);
        if (m_file.reader().takeFault())
            m_findings.add(Severity::Error, "hdf5.group", m_file.filePosition(open.address),
                           WB_TEXT("{}: part of {} is corrupted."), formats::shown(open.path.empty() ? "/" : open.path));
        return {};
    }

    void follow(const Open& group, const std::vector<Message>& messages) {
        std::vector<Link> links = readLinks(m_file, messages, m_linksLeft);
        for (auto link = links.rbegin(); link != links.rend(); ++link) { // the first is taken next
            const std::string path = group.path.empty() ? toUtf8(link->name) : group.path + "/" + toUtf8(link->name);
            if (!link->isHard)
                m_findings.add(Severity::Note, "hdf5.link", std::nullopt,
                               WB_TEXT("{}: {} is only a link to another location and is not followed."), formats::shown(path));
            else if (group.depth >= m_caps.depth)
                m_findings.add(Severity::Error, "hdf5.depth", std::nullopt, WB_TEXT("{}: the groups at {} are nested too deeply."),
                               formats::shown(path));
            else if (link->address != undefined) m_open.push_back({path, link->address, group.depth + 1});
            else
                m_findings.add(Severity::Error, "hdf5.object", std::nullopt,
                               WB_TEXT("{}: the object {} is corrupted and is not listed."), formats::shown(path));
        }
    }

    void readAttributes(const std::vector<Message>& messages, Object& object) {
        const auto take = [&](std::uint64_t begin, std::uint64_t bytes) {
            if (object.attributes.size() >= m_caps.attributes) return;
            if (auto attribute = readAttribute(m_file, begin, bytes, m_attributeBytes))
                object.attributes.push_back(std::move(*attribute));
        };
        for (const Message& message : messages) {
            if (message.type == AttributeMessage) {
                if (const auto whole = resolved(m_file, message)) take(whole->begin, whole->bytes);
            } else if (message.type == AttributeInfoMessage) {
                std::uint64_t at = message.begin + 1;
                const auto flags = static_cast<unsigned>(m_file.take(at, 1));
                if ((flags & 1) != 0) at += 2; // highest creation index
                const std::uint64_t heap = m_file.takeAddress(at), tree = m_file.takeAddress(at);
                if (heap != undefined && tree != undefined) eachHeapObject(m_file, heap, tree, 0, take);
            }
        }
        if (m_file.reader().takeFault())
            m_findings.add(Severity::Warning, "hdf5.attributes", m_file.filePosition(object.address),
                           WB_TEXT("{}: cannot read attributes of {}."), formats::shown(object.path.empty() ? "/" : object.path));
    }

    File m_file;
    formats::Findings& m_findings;
    const Caps& m_caps;
    const Progress& m_progress;
    const std::function<void(const Object& object)>& m_visit;
    std::vector<Open> m_open;
    std::set<std::uint64_t> m_groups;
    std::uint64_t m_chunksLeft;
    std::uint64_t m_linksLeft;
    std::uint64_t m_attributeBytes = 0;
    std::uint64_t m_visited = 0;
};

} // namespace

std::optional<Attribute> readAttribute(File& file, std::uint64_t begin, std::uint64_t bytes, std::uint64_t& bytesLeft) {
    constexpr std::uint64_t maxElements = 65'536;
    std::uint64_t at = begin;
    const std::uint64_t version = file.take(at, 1);
    const auto flags = static_cast<unsigned>(file.take(at, 1));
    const std::uint64_t nameBytes = file.take(at, 2), typeBytes = file.take(at, 2), spaceBytes = file.take(at, 2);
    if (version == 3) at += 1;                                                // character set
    if (version == 0 || version > 3 || (flags & 3) != 0) return std::nullopt; // a shared type: no known writer uses one here
    const auto padded = [&](std::uint64_t n) { return version == 1 ? (n + 7) / 8 * 8 : n; };
    Attribute attribute;
    const std::string name = file.reader().text(at, nameBytes, 64 << 10);
    attribute.name = toUtf8(std::string_view(name).substr(0, name.find('\0')));
    at += padded(nameBytes);
    std::uint64_t typeAt = at;
    const Type type = readType(file, typeAt);
    at += padded(typeBytes);
    const auto shape = readDataspace(file, at);
    at += padded(spaceBytes);
    std::uint64_t count = shape ? 1 : 0;
    if (shape)
        for (const std::uint64_t side : *shape)
            count = side == 0 ? 0 : (count > maxElements / side ? maxElements + 1 : count * side);
    const std::uint64_t element = std::max<std::uint64_t>(type.bytes, 1);
    if (!file.reader().good() || count > maxElements || at < begin || at - begin > bytes ||
        count > (bytes - (at - begin)) / element)
        return std::nullopt;
    if (shape && shape->empty()) {
        attribute.value = elementValue(file, type, at, bytesLeft);
        return attribute;
    }
    ValueArray list;
    for (std::uint64_t i = 0; i < count && file.reader().good(); ++i)
        list.first.push_back(elementValue(file, type, at + i * type.bytes, bytesLeft));
    list.count = list.first.size();
    if (!list.first.empty()) list.elementType = list.first.front().type;
    attribute.value = Value::of(std::move(list));
    return attribute;
}

Result<void> walk(const io::ByteSource& source, formats::Findings& findings, const Caps& caps, const Progress& progress,
                  const std::function<void(const Object& object)>& visit) {
    return Walker(source, findings, caps, progress, visit).walk();
}

} // namespace wb::hdf5
