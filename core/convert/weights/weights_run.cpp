// SPDX-License-Identifier: MIT
#include "core/convert/weights/weights_run.h"

#include "core/convert/weights/weights_item.h"
#include "core/formats/options.h"
#include "core/formats/safetensors/safetensors.h"
#include "core/io/sha256.h"

#include <algorithm>
#include <cstring>

namespace wb::convert {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t usualElements = 1 << 18; // of an item; a multiple of every block
constexpr std::uint64_t workerBytes = usualElements * (sizeof(float) + sizeof(double));

struct WeightItem {
    std::uint32_t tensor = 0; // index into WeightsPlan::tensors
    std::uint64_t first = 0;  // element
    std::uint64_t elements = 0;
};

std::vector<WeightItem> itemsOf(const WeightsPlan& plan) {
    std::vector<WeightItem> items;
    for (std::uint32_t t = 0; t < plan.tensors.size(); ++t) {
        const std::uint64_t elements = plan.tensors[t].shape.elements();
        for (std::uint64_t first = 0; first < elements; first += usualElements)
            items.push_back({t, first, std::min(usualElements, elements - first)});
    }
    return items;
}

// The model's files, each opened once, and a reader of every tensor that is written. Thread-safe.
struct Inputs {
    Model model;
    std::vector<TensorReader> readers; // one a planned tensor

    static Result<std::shared_ptr<const Inputs>> open(const WeightsPlan& plan) {
        auto inputs = std::make_shared<Inputs>();
        inputs->model = *plan.model;
        for (std::uint32_t i = 0; i < inputs->model.files.size(); ++i) {
            WB_TRY_ASSIGN(inputs->model.files[i].source, openFile(*plan.model, i));
        }
        for (const PlannedWeight& weight : plan.tensors) {
            WB_TRY_ASSIGN(TensorReader reader, TensorReader::open(inputs->model, plan.model->tensors[weight.source]));
            inputs->readers.push_back(std::move(reader));
        }
        return inputs;
    }

    Result<void> checkUnchanged() const {
        for (const ModelFile& file : model.files) WB_TRY(file.source->checkUnchanged());
        return {};
    }
};

class WeightsProducer : public run::Producer {
public:
    WeightsProducer(const WeightsPlan& plan, std::shared_ptr<const Inputs> inputs, std::span<const WeightItem> items)
        : m_plan(plan), m_inputs(std::move(inputs)), m_items(items), m_losses(items.size()) {}

    Result<void> begin() override { return {}; }
    std::unique_ptr<Worker> makeWorker() override;
    std::uint64_t workerBytes() const override { return convert::workerBytes; }
    Result<void> checkSources() override { return m_inputs->checkUnchanged(); }

    bool resume(std::uint64_t item, std::string_view record) override {
        if (record.size() != sizeof(CastLoss)) return false;
        std::memcpy(&m_losses[item], record.data(), sizeof(CastLoss));
        return true;
    }

    std::vector<Problem> remarks() const {
        std::vector<CastLoss> losses(m_plan.tensors.size());
        for (std::size_t i = 0; i < m_items.size(); ++i) losses[m_items[i].tensor] += m_losses[i];
        std::vector<Problem> remarks;
        for (std::size_t t = 0; t < losses.size(); ++t) {
            const PlannedWeight& weight = m_plan.tensors[t];
            if (losses[t].overflows > 0)
                remarks.push_back(makeProblem(Severity::Warning, "convert.overflow", {}, std::nullopt,
                                              WB_TEXT("{} values of {} are beyond the range of {} and became infinite."),
                                              losses[t].overflows, weight.name, name(weight.to)));
            if (losses[t].underflows > 0)
                remarks.push_back(makeProblem(Severity::Note, "convert.underflow", {}, std::nullopt,
                                              WB_TEXT("{} values of {} are too small for {} and became zero."),
                                              losses[t].underflows, weight.name, name(weight.to)));
            if (losses[t].notFinite > 0)
                remarks.push_back(makeProblem(Severity::Warning, "convert.not_finite", {}, std::nullopt,
                                              WB_TEXT("{} values of {} are NaN or infinite: what it is computed from holds such "
                                                      "values, or the result is beyond the range of {}."),
                                              losses[t].notFinite, weight.name, name(weight.to)));
        }
        return remarks;
    }

private:
    class ItemWorker;

    const WeightsPlan& m_plan;
    std::shared_ptr<const Inputs> m_inputs;
    std::span<const WeightItem> m_items;
    std::vector<CastLoss> m_losses; // one an item
};

class WeightsProducer::ItemWorker : public Worker {
public:
    explicit ItemWorker(WeightsProducer& producer) : m_producer(producer) {}

    Result<std::string> compute(std::uint64_t index, std::span<std::byte> bytes) override {
        const WeightItem& item = m_producer.m_items[index];
        const PlannedWeight& weight = m_producer.m_plan.tensors[item.tensor];
        WB_TRY_ASSIGN(CastLoss loss, castElements(m_producer.m_inputs->readers[item.tensor], item.first, item.elements, weight.to,
                                                  bytes, m_buffers));
        const bool isComputed = m_producer.m_plan.model->tensors[weight.source].source.form() == TensorSource::Form::Recipe;
        if (isComputed) loss.notFinite = countNotFinite(weight.to, bytes);
        m_producer.m_losses[index] = loss;
        return std::string(reinterpret_cast<const char*>(&loss), sizeof loss);
    }

private:
    WeightsProducer& m_producer;
    CastBuffers m_buffers;
};

std::unique_ptr<run::Producer::Worker> WeightsProducer::makeWorker() { return std::make_unique<ItemWorker>(*this); }

// What is needed to look at a written file again.
struct Check {
    const WeightsPlan& plan;
    std::shared_ptr<const Inputs> inputs;
    std::span<const WeightItem> items;
    run::Verify verify;
    std::stop_token stop;
};

bool isSampled(const Check& check, const WeightItem& item) {
    const std::uint64_t elements = check.plan.tensors[item.tensor].shape.elements();
    return check.verify == run::Verify::All || item.first == 0 || item.first + item.elements == elements;
}

// Whether the file reads back with the planned tensors in their places. An error names the first one whose bytes are not those that
// the source gives once more.
Result<bool> isAsPlanned(const Check& check, std::size_t file, const io::ByteSource& written) {
    std::string header(check.plan.weights[file].header.size(), '\0');
    WB_TRY(written.readAt(0, std::as_writable_bytes(std::span(header))));
    if (header != check.plan.weights[file].header) return false;
    CastBuffers buffers;
    std::vector<std::byte> computed, stored;
    for (const WeightItem& item : check.items) {
        const PlannedWeight& weight = check.plan.tensors[item.tensor];
        if (weight.file != file || !isSampled(check, item)) continue;
        if (check.stop.stop_requested()) return std::unexpected(cancelled());
        computed.resize(*rowBytes(weight.to, item.elements));
        stored.resize(computed.size());
        WB_TRY(castElements(check.inputs->readers[item.tensor], item.first, item.elements, weight.to, computed, buffers));
        WB_TRY(written.readAt(weight.offset + *rowBytes(weight.to, item.first), stored));
        if (computed != stored) return std::unexpected(run::differsFromSource(written.name(), weight.name));
    }
    return true;
}

void update(io::Sha256& hash, std::string_view text) { hash.update(std::as_bytes(std::span(text))); }

std::vector<run::Item> outputItems(const WeightsPlan& plan, std::span<const WeightItem> items) {
    std::vector<run::Item> outputs;
    for (const WeightItem& item : items) {
        const PlannedWeight& weight = plan.tensors[item.tensor];
        outputs.push_back({static_cast<std::uint32_t>(plan.texts.size() + weight.file),
                           weight.offset + *rowBytes(weight.to, item.first), *rowBytes(weight.to, item.elements), item.elements});
    }
    return outputs;
}

run::OutputPlan outputPlan(const Check& check, const fs::path& target, run::JobId job) {
    const WeightsPlan& plan = check.plan;
    run::OutputPlan output{target, std::move(job), {}, outputItems(plan, check.items), plan.sources};
    const auto paths = plan.paths(target);
    for (std::size_t i = 0; i < plan.texts.size(); ++i)
        output.files.push_back({paths[i], plan.texts[i].text, plan.texts[i].text.size(), {}});
    for (std::size_t i = 0; i < plan.weights.size(); ++i)
        output.files.push_back({paths[plan.texts.size() + i], plan.weights[i].header, plan.weights[i].bytes,
                                [&check, i](const io::ByteSource& written) { return isAsPlanned(check, i, written); }});
    return output;
}

// Makes the folder of a run, and takes it away again where nothing came of it.
class TargetFolder {
public:
    static Result<TargetFolder> make(const WeightsPlan& plan, const fs::path& target) {
        TargetFolder folder;
        if (!plan.isFolder) return folder;
        std::error_code error;
        if (fs::create_directory(target, error)) folder.m_made = target;
        if (error || !fs::is_directory(target, error))
            return fail(ErrorCode::NotWritable, Reason("convert.target_folder"), About{io::baseName(target)},
                        WB_TEXT("The folder {} cannot be made; choose another place or name."), io::baseName(target));
        return folder;
    }

    void keep() { m_made.clear(); }
    TargetFolder(TargetFolder&& other) noexcept : m_made(std::exchange(other.m_made, {})) {}
    TargetFolder& operator=(TargetFolder&&) = delete;
    ~TargetFolder() {
        std::error_code ignored;
        if (!m_made.empty()) fs::remove(m_made, ignored); // fails where work lies in it
    }

private:
    TargetFolder() = default;
    fs::path m_made;
};

} // namespace

// Headers and texts hold names, types, shapes and places; the files that are read are told by number, size and time, and how a
// value is made of them by the scheme of its tensor.
Result<std::string> fingerprintOf(const WeightsPlan& plan) {
    io::Sha256 hash;
    for (const WeightsFile& file : plan.weights) update(hash, file.header);
    for (const TextFile& file : plan.texts) update(hash, fmt::format("{}\n{}\n", file.name, file.text));
    for (const ModelFile& file : plan.model->files) {
        const io::Identity& id = file.identity;
        update(hash, fmt::format("{} {} {} {}\n", id.inode == 0 ? file.name : "", id.inode, id.bytes, id.modifiedNs));
    }
    for (const PlannedWeight& weight : plan.tensors) {
        const TensorInfo& tensor = plan.model->tensors[weight.source];
        update(hash, fmt::format("{} {} {} {}", weight.name, tensor.file(), tensor.offset().value_or(0), name(tensor.dtype)));
        for (const std::string& source : weight.sources) update(hash, " " + source);
        for (const std::string& transform : weight.transforms) update(hash, " " + transform);
        update(hash, "\n");
    }
    WB_TRY_ASSIGN(const io::Sha256Digest digest, hash.finish());
    return io::hexText(digest);
}

std::uint64_t peakMemory(const WeightsPlan& plan, unsigned threads) {
    const auto items = itemsOf(plan);
    std::uint64_t bytes = run::peakBytes(outputItems(plan, items), workerBytes, threads) + items.size() * sizeof(WeightItem);
    for (const WeightsFile& file : plan.weights) bytes += file.header.size() * 2; // as planned, and as read back for the check
    for (const TextFile& file : plan.texts) bytes += file.text.size();
    return bytes;
}

Result<double> estimateSeconds(const WeightsPlan& plan, unsigned threads, const std::stop_token& stop) {
    constexpr double seconds = 0.5;
    const auto items = itemsOf(plan);
    WB_TRY_ASSIGN(auto inputs, Inputs::open(plan));
    WeightsProducer producer(plan, std::move(inputs), items);
    return run::estimateSeconds(outputItems(plan, items), producer, threads, seconds, stop);
}

Result<WeightsOutcome> runWeights(const WeightsPlan& plan, const fs::path& target, const WeightsOptions& options,
                                  const Progress& progress) {
    const auto items = itemsOf(plan);
    WB_TRY_ASSIGN(auto inputs, Inputs::open(plan));
    const Check check{plan, inputs, items, options.verify, progress.stop};
    WeightsProducer producer(plan, std::move(inputs), items);
    WB_TRY_ASSIGN(std::string fingerprint, fingerprintOf(plan));
    WB_TRY_ASSIGN(TargetFolder folder, TargetFolder::make(plan, target));
    const run::OutputPlan output = outputPlan(check, target, {options.kind, items.size(), std::move(fingerprint)});
    WB_TRY_ASSIGN(const run::RunOutcome done, run::execute(output, producer, options.run, progress));
    folder.keep();
    WeightsOutcome outcome{done.resumedItems, done.seconds, producer.remarks()};
    if (done.hasDropped)
        outcome.remarks.push_back(makeProblem(Severity::Note, "convert.dropped", {}, std::nullopt,
                                              WB_TEXT("The unfinished work of another job on {} was dropped."),
                                              io::baseName(target)));
    return outcome;
}

} // namespace wb::convert
