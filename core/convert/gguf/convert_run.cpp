// SPDX-License-Identifier: MIT
#include "core/convert/gguf/convert_run.h"

#include "core/convert/gguf/convert_item.h"
#include "core/convert/gguf/tensor_inputs.h"
#include "core/formats/gguf/part.h"
#include "core/io/sha256.h"

#include <algorithm>
#include <cstring>

namespace wb::convert {
namespace {

// The count of overflows of an item as a journal keeps it, of this machine's byte order.
std::string recordOf(std::uint64_t overflows) { return {reinterpret_cast<const char*>(&overflows), sizeof overflows}; }

bool readRecord(std::string_view record, std::uint64_t& overflows) {
    if (record.size() != sizeof overflows) return false;
    std::memcpy(&overflows, record.data(), sizeof overflows);
    return true;
}

class ConvertProducer : public run::Producer {
public:
    ConvertProducer(const ConvertPlan& plan, std::shared_ptr<const TensorInputs> inputs, std::span<const WorkItem> items)
        : m_plan(plan), m_inputs(std::move(inputs)), m_items(items), m_workerBytes(bufferBytes(items)), m_overflows(items.size()) {}

    Result<void> begin() override { return {}; }
    std::unique_ptr<Worker> makeWorker() override;
    std::uint64_t workerBytes() const override { return m_workerBytes; }
    bool resume(std::uint64_t item, std::string_view record) override { return readRecord(record, m_overflows[item]); }
    Result<void> checkSources() override { return m_inputs->checkUnchanged(); }

    // What is to be said of values that became infinite, one a tensor.
    std::vector<Problem> remarks() const;

private:
    class ItemWorker;

    const ConvertPlan& m_plan;
    std::shared_ptr<const TensorInputs> m_inputs;
    std::span<const WorkItem> m_items;
    std::uint64_t m_workerBytes;
    std::vector<std::uint64_t> m_overflows; // one an item
};

class ConvertProducer::ItemWorker : public Worker {
public:
    explicit ItemWorker(ConvertProducer& producer) : m_producer(producer) {}

    Result<std::string> compute(std::uint64_t index, std::span<std::byte> bytes) override {
        const WorkItem& item = m_producer.m_items[index];
        WB_TRY_ASSIGN(const std::uint64_t overflows, convertItem(m_producer.m_plan.tensors[item.tensor], item,
                                                                 m_producer.m_inputs->of(item.tensor), bytes, m_buffers));
        m_producer.m_overflows[index] = overflows;
        return recordOf(overflows);
    }

private:
    ConvertProducer& m_producer;
    ItemBuffers m_buffers;
};

std::unique_ptr<run::Producer::Worker> ConvertProducer::makeWorker() { return std::make_unique<ItemWorker>(*this); }

std::vector<Problem> ConvertProducer::remarks() const {
    std::vector<std::uint64_t> counts(m_plan.tensors.size());
    for (std::size_t i = 0; i < m_items.size(); ++i) counts[m_items[i].tensor] += m_overflows[i];
    std::vector<Problem> remarks;
    for (std::size_t t = 0; t < counts.size(); ++t)
        if (counts[t] > 0)
            remarks.push_back(makeProblem(Severity::Warning, "convert.overflow", {}, std::nullopt,
                                          WB_TEXT("{} values of {} are beyond the range of {} and became infinite."), counts[t],
                                          m_plan.tensors[t].name, name(m_plan.tensors[t].to)));
    return remarks;
}

// What is needed to look at the written file again.
struct Check {
    const ConvertPlan& plan;
    std::shared_ptr<const TensorInputs> inputs;
    std::span<const WorkItem> items;
    run::Verify verify;
    std::stop_token stop;
};

// An error names the first tensor whose bytes are not those that the source gives once more.
Result<void> compareWithSource(const Check& check, const io::ByteSource& written) {
    ItemBuffers buffers;
    std::vector<std::byte> computed, stored;
    for (const WorkItem& item : check.items) {
        const PlannedTensor& tensor = check.plan.tensors[item.tensor];
        const bool isEnd = item.first == 0 || item.first + item.elements == tensor.shape.elements();
        if (check.verify == run::Verify::Sample && !isEnd) continue;
        if (check.stop.stop_requested()) return std::unexpected(cancelled());
        computed.resize(*rowBytes(tensor.to, item.elements));
        stored.resize(computed.size());
        WB_TRY(convertItem(tensor, item, check.inputs->of(item.tensor), computed, buffers));
        WB_TRY(written.readAt(tensor.offset + *rowBytes(tensor.to, item.first), stored));
        if (computed != stored) return std::unexpected(run::differsFromSource(written.name(), tensor.name));
    }
    return {};
}

// Whether the file reads back strictly with the planned tensors in their places.
Result<bool> isAsPlanned(const Check& check, const io::ByteSource& written) {
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    WB_TRY_ASSIGN(const gguf::Part part, gguf::readPart(written, written.name(), options));
    const auto isSame = [](const TensorInfo& tensor, const PlannedTensor& wanted) {
        return tensor.name == wanted.name && tensor.dtype == wanted.to && tensor.offset() == wanted.offset &&
               tensor.bytes() == wanted.bytes;
    };
    if (!std::ranges::equal(part.tensors, check.plan.tensors, isSame)) return false;
    WB_TRY(compareWithSource(check, written));
    return true;
}

void update(io::Sha256& hash, std::string_view text) { hash.update(std::as_bytes(std::span(text))); }

// The header holds what was read of the small files; the tensors' files are told by number, size and time, or by name where the
// file system gives no numbers.
Result<std::string> hashOf(const ConvertPlan& plan) {
    io::Sha256 hash;
    update(hash, plan.header);
    for (const ModelFile& file : plan.folder.model->files) {
        const io::Identity& id = file.identity;
        update(hash, fmt::format("{} {} {} {}\n", id.inode == 0 ? file.name : "", id.inode, id.bytes, id.modifiedNs));
    }
    for (const PlannedTensor& tensor : plan.tensors) {
        update(hash, fmt::format("{} {} {}", transformName(tensor.transform), tensor.heads, tensor.sources.size()));
        for (const std::size_t source : tensor.sources) {
            const TensorInfo& stored = plan.folder.model->tensors[source];
            update(hash, fmt::format(" {} {} {}", stored.file(), stored.offset().value_or(0), name(stored.dtype)));
            if (stored.details) update(hash, " " + stored.details->scheme); // how it is computed where it is
        }
        update(hash, "\n");
    }
    WB_TRY_ASSIGN(const io::Sha256Digest digest, hash.finish());
    return io::hexText(digest);
}

Result<run::OutputPlan> outputPlan(const Check& check, const std::filesystem::path& target) {
    const ConvertPlan& plan = check.plan;
    run::OutputPlan output{target, {}, {}, {}, plan.folder.files};
    WB_TRY_ASSIGN(std::string fingerprint, fingerprintOf(plan));
    output.job = {"convert", check.items.size(), std::move(fingerprint)};
    for (const WorkItem& item : check.items) {
        const PlannedTensor& tensor = plan.tensors[item.tensor];
        output.items.push_back(
            {0, tensor.offset + *rowBytes(tensor.to, item.first), *rowBytes(tensor.to, item.elements), item.elements});
    }
    output.files.push_back(
        {target, plan.header, plan.fileBytes, [&check](const io::ByteSource& written) { return isAsPlanned(check, written); }});
    return output;
}

} // namespace

Result<std::string> fingerprintOf(const ConvertPlan& plan) { return hashOf(plan); }

Result<ConvertOutcome> runConvert(const ConvertPlan& plan, const std::filesystem::path& target, const run::RunOptions& options,
                                  const Progress& progress, run::Verify verify) {
    const auto items = workItems(plan.tensors);
    WB_TRY_ASSIGN(auto inputs, TensorInputs::open(plan));
    const Check check{plan, inputs, items, verify, progress.stop};
    ConvertProducer producer(plan, std::move(inputs), items);
    WB_TRY_ASSIGN(const run::OutputPlan output, outputPlan(check, target));
    WB_TRY_ASSIGN(const run::RunOutcome done, run::execute(output, producer, options, progress));
    ConvertOutcome outcome{done.resumedItems, done.seconds, producer.remarks()};
    if (done.hasDropped)
        outcome.remarks.push_back(makeProblem(Severity::Note, "convert.dropped", {}, std::nullopt,
                                              WB_TEXT("The unfinished work of another job on {} was dropped."),
                                              io::baseName(target)));
    return outcome;
}

} // namespace wb::convert
