// SPDX-License-Identifier: MIT
#include "core/base/checked.h"
#include "core/base/text.h"
#include "core/formats/pickle/machine.h"
#include "core/formats/pickle/report.h"
#include "core/formats/tar/tar.h"
#include "core/formats/torch/forms.h"
#include "core/formats/torch/lister.h"
#include "core/io/cursor.h"
#include "core/io/range_source.h"

#include <algorithm>
#include <unordered_map>

// The tar archive of PyTorch 0.1.1 to 0.1.9: the members storages, tensors and pickle (torch/serialization.py, legacy_load). Each
// of the first two is a row of small pickles with raw numbers between them.
namespace wb::torch {
namespace {

using pickle::Graph;
using pickle::NodeId;
using pickle::NodeKind;

constexpr std::uint64_t maxEntries = 4'000'000;

struct Stored {
    std::uint64_t offset; // in the file
    std::uint64_t bytes;
    ElementType type;
    std::string root = {};         // of a view: the storage that it is a part of …
    std::uint64_t rootElement = 0; // … and its first element there
};

struct Tensor {
    std::string storage;
    std::vector<std::uint64_t> sizes;
    std::vector<std::uint64_t> strides;
    std::uint64_t offset = 0;
};

std::string keyText(const Graph& graph, NodeId node) {
    if (const auto number = graph.number(node)) return std::to_string(*number);
    return toUtf8(graph.text(node));
}

class TarReader {
public:
    explicit TarReader(Reading& reading) : m_reading(reading) {}

    Result<void> read() {
        WB_TRY_ASSIGN(const auto members, tar::readArchive(*m_reading.source, m_reading.options, m_reading.findings));
        const auto find = [&](std::string_view name) -> const tar::Member* {
            const auto found = std::ranges::find(members, name, &tar::Member::name);
            return found == members.end() ? nullptr : &*found;
        };
        const tar::Member* object = find("pickle");
        if (object == nullptr || find("storages") == nullptr)
            return m_reading.findings.refuse(ErrorCode::Malformed, Reason("torch.no_data"),
                                             WB_TEXT("{} is a tar archive without the PyTorch entries pickle and storages."));
        WB_TRY(readStorages(*find("storages")));
        if (const tar::Member* tensors = find("tensors")) WB_TRY(readTensors(*tensors));
        return readObject(*object);
    }

private:
    // A machine over one member and the numbers between its pickles.
    struct Member {
        Member(Reading& reading, const tar::Member& member)
            : name(member.name), source(std::make_shared<io::RangeSource>(reading.source, member.data, member.name)),
              machine(*source, reading.options.limits), begin(member.data.offset()) {}

        std::string name;
        std::shared_ptr<io::ByteSource> source;
        pickle::Machine machine;
        std::uint64_t begin; // in the file
        std::uint64_t at = 0;
    };

    // The next pickle of a member; empty where it is invalid.
    Result<std::optional<NodeId>> next(Member& member, ScannedFile& file) {
        WB_TRY_ASSIGN(const pickle::Stream stream, member.machine.run(member.at, m_reading.options.progress));
        pickle::addStream(member.machine.graph(), stream, static_cast<std::uint32_t>(m_reading.danger.files.size()), file.streams,
                          keptHarmlessCalls, file, m_reading.danger);
        member.at = stream.end;
        if (!stream.isComplete) return damaged(member);
        return stream.root;
    }

    std::optional<NodeId> damaged(const Member& member) {
        m_reading.findings.add(Severity::Error, "torch.pickle_broken", member.begin + member.at,
                               WB_TEXT("{}: the entry {} is truncated or invalid at byte {}."), formats::shown(member.name),
                               member.at);
        return std::nullopt;
    }

    // A signed number that must not be negative.
    std::optional<std::uint64_t> number(Member& member) {
        io::Cursor cursor(*member.source, member.at);
        const auto value = cursor.read<std::int64_t>();
        if (!value || *value < 0) return std::nullopt;
        member.at = cursor.position();
        return static_cast<std::uint64_t>(*value);
    }

    ScannedFile entry(const Member& member) const {
        ScannedFile file;
        file.path = m_reading.findings.file();
        file.member = member.name;
        file.format = "pickle";
        file.weightsOnlyLoads = 0; // its loader knows this form no more
        return file;
    }

    Result<std::optional<std::uint64_t>> count(Member& member, ScannedFile& file) {
        WB_TRY_ASSIGN(const auto node, next(member, file));
        const auto value = node ? member.machine.graph().number(*node) : std::nullopt;
        if (!value || *value < 0 || static_cast<std::uint64_t>(*value) > maxEntries) {
            damaged(member);
            return std::nullopt;
        }
        return static_cast<std::uint64_t>(*value);
    }

    Result<void> readStorages(const tar::Member& tarMember) {
        Member member(m_reading, tarMember);
        ScannedFile file = entry(member);
        WB_TRY_ASSIGN(const auto total, count(member, file));
        for (std::uint64_t i = 0; i < total.value_or(0); ++i) {
            WB_TRY_ASSIGN(const bool isRead, readStorage(member, file));
            if (!isRead) break;
        }
        if (member.at < member.source->size()) WB_TRY(readViews(member, file));
        m_reading.danger.files.push_back(std::move(file));
        return {};
    }

    // (key, location, class), the count of its elements, their bytes.
    Result<bool> readStorage(Member& member, ScannedFile& file) {
        WB_TRY_ASSIGN(const auto node, next(member, file));
        const Graph& graph = member.machine.graph();
        const auto given = node ? graph.items(*node, 3) : std::vector<NodeId>();
        if (given.size() != 3 || !graph.is(given[2], NodeKind::Global)) return damaged(member).has_value();
        const ElementType type = typeOfStorageClass(graph.global(given[2]).name);
        const auto elements = number(member);
        const auto bytes = elements ? checked::mul(*elements, type.bytes) : std::nullopt;
        if (!bytes || !io::Extent::make(member.source->size(), member.at, *bytes)) return damaged(member).has_value();
        m_storages[keyText(graph, given[0])] = Stored{member.begin + member.at, *bytes, type};
        member.at += *bytes;
        return true;
    }

    // A list of (target, root, offset, count): storages that are parts of others.
    Result<void> readViews(Member& member, ScannedFile& file) {
        WB_TRY_ASSIGN(const auto node, next(member, file));
        if (!node) return {};
        const Graph& graph = member.machine.graph();
        for (const NodeId view : graph.items(*node)) {
            const auto given = graph.items(view, 4);
            const auto offset = given.size() == 4 ? graph.number(given[2]) : std::nullopt;
            const auto length = given.size() == 4 ? graph.number(given[3]) : std::nullopt;
            const auto root = given.size() == 4 ? m_storages.find(keyText(graph, given[1])) : m_storages.end();
            if (!offset || !length || *offset < 0 || *length < 0 || root == m_storages.end()) continue;
            const Stored whole = root->second;
            const auto skipped = checked::mul(static_cast<std::uint64_t>(*offset), whole.type.bytes);
            const auto bytes = checked::mul(static_cast<std::uint64_t>(*length), whole.type.bytes);
            if (!skipped || !bytes || *skipped > whole.bytes || *bytes > whole.bytes - *skipped) continue;
            m_storages[keyText(graph, given[0])] =
                Stored{whole.offset + *skipped, *bytes, whole.type, keyText(graph, given[1]), static_cast<std::uint64_t>(*offset)};
        }
        return {};
    }

    Result<void> readTensors(const tar::Member& tarMember) {
        Member member(m_reading, tarMember);
        ScannedFile file = entry(member);
        WB_TRY_ASSIGN(const auto total, count(member, file));
        for (std::uint64_t i = 0; i < total.value_or(0); ++i) {
            WB_TRY_ASSIGN(const bool isRead, readTensor(member, file));
            if (!isRead) break;
        }
        m_reading.danger.files.push_back(std::move(file));
        return {};
    }

    // (key, storage, class), i32 rank, four bytes, the sizes, the strides and the offset.
    Result<bool> readTensor(Member& member, ScannedFile& file) {
        constexpr std::uint32_t maxDimensions = 64;
        WB_TRY_ASSIGN(const auto node, next(member, file));
        const Graph& graph = member.machine.graph();
        const auto given = node ? graph.items(*node, 3) : std::vector<NodeId>();
        io::Cursor cursor(*member.source, member.at);
        const auto rank = cursor.read<std::uint32_t>();
        if (given.size() != 3 || !rank || *rank > maxDimensions) return damaged(member).has_value();
        member.at = cursor.position() + 4;
        Tensor tensor;
        tensor.storage = keyText(graph, given[1]);
        for (auto* list : {&tensor.sizes, &tensor.strides})
            for (std::uint32_t k = 0; k < *rank; ++k) {
                const auto value = number(member);
                if (!value) return damaged(member).has_value();
                list->push_back(*value);
            }
        const auto offset = number(member);
        if (!offset) return damaged(member).has_value();
        tensor.offset = *offset;
        m_tensors[keyText(graph, given[0])] = std::move(tensor);
        return true;
    }

    std::optional<TensorValue> named(const std::string& key) const {
        const auto found = m_tensors.find(key);
        if (found == m_tensors.end()) return std::nullopt;
        auto storage = m_storages.find(found->second.storage);
        TensorValue value;
        value.kind = TensorKind::Dense;
        value.sizes = found->second.sizes;
        value.strides = found->second.strides;
        value.offset = found->second.offset;
        value.storage.key = found->second.storage;
        if (storage == m_storages.end()) return value;
        value.type = value.storage.type = storage->second.type;
        if (const auto root = m_storages.find(storage->second.root); root != m_storages.end()) {
            value.storage.key = root->first;
            value.offset = checked::add(value.offset, storage->second.rootElement).value_or(~0ull);
            storage = root;
        }
        value.storage.count = storage->second.bytes / std::max<std::uint64_t>(storage->second.type.bytes, 1);
        return value;
    }

    Result<void> readObject(const tar::Member& tarMember) {
        Member member(m_reading, tarMember);
        ScannedFile file = entry(member);
        WB_TRY_ASSIGN(const auto root, next(member, file));
        m_reading.danger.files.push_back(std::move(file));
        if (!root) return {};
        const Graph& graph = member.machine.graph();
        TensorReading tensors(graph);
        tensors.setPersistentTensors([&](NodeId pid) { return named(keyText(graph, pid)); });
        Lister lister(*m_reading.source, m_reading.model, m_reading.findings, m_reading.options.limits,
                      [&](const Storage& storage) {
                          const auto found = m_storages.find(storage.key);
                          if (found == m_storages.end())
                              return StoragePlace{std::nullopt, 0, "", WB_TEXT("its storage is not in the archive")};
                          return StoragePlace{found->second.offset, found->second.bytes, "storages", ""};
                      });
        const auto plain = listGraph(graph, *root, tensors, lister, m_reading.model, m_reading.findings, m_reading.options.limits);
        lister.finish();
        if (m_reading.visit && *root != pickle::unknownNode) m_reading.visit(graph, *root, plain);
        return {};
    }

    Reading& m_reading;
    std::unordered_map<std::string, Stored> m_storages;
    std::unordered_map<std::string, Tensor> m_tensors;
};

} // namespace

Result<void> loadTar(Reading& reading) {
    reading.model.format = FormatId::PyTorch;
    reading.model.version = "tar";
    return TarReader(reading).read();
}

} // namespace wb::torch
