// SPDX-License-Identifier: MIT
#include "core/convert/quantize/budget_plan.h"

#include "core/base/text.h"
#include "core/jobs/thread_pool.h"
#include "core/quant/mix/tensor_category.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <numeric>
#include <utility>

namespace wb::quantize {
namespace {

using enum quant::FileType;
constexpr std::array mixes = {F16,   Q8_0,   Q6_K,   Q5_K_M,  Q5_K_S, Q4_K_M, Q4_K_S, IQ4_NL, IQ4_XS, Q3_K_L,  IQ3_M, Q3_K_M,
                              IQ3_S, Q3_K_S, IQ3_XS, IQ3_XXS, Q2_K,   Q2_K_S, IQ2_M,  IQ2_S,  IQ2_XS, IQ2_XXS, IQ1_M, IQ1_S};

using Costs = std::vector<std::vector<quant::TypeCost>>;

QuantizeRequest ofMix(QuantizeRequest request, quant::FileType type) {
    request.mix.fileType = type;
    request.mix.rules.clear();
    request.types.clear();
    return request;
}

Result<QuantizePlan> modelPlan(const ModelPtr& model, const QuantizeRequest& request, quant::FileType type) {
    return planQuantize(model, ofMix(request, type));
}

// Adds up how far several tensors are, each by its own threads.
class ElementCount {
public:
    ElementCount(const Progress& progress, std::uint64_t total) : m_progress(progress), m_total(total) {}

    // `seen` is what of this tensor was counted so far.
    void advance(std::uint64_t& seen, std::uint64_t now) {
        std::unique_lock lock(m_mutex);
        if (now <= seen) return;
        m_done += now - std::exchange(seen, now);
        const std::uint64_t done = m_done;
        lock.unlock(); // a report may wait for as long as the job is paused
        if (m_progress.report) m_progress.report(done, m_total);
    }

private:
    const Progress& m_progress;
    std::uint64_t m_total;
    std::mutex m_mutex;
    std::uint64_t m_done = 0;
};

using Candidates = std::vector<std::vector<Dtype>>;

// What each tensor may become, the type of the plan first. Those that are never quantized, and those whose type was asked for, stay
// what the plan says.
Candidates mixCandidates(const QuantizePlan& plan, const quant::MixOptions& mix) {
    Candidates candidates;
    for (const PlannedTensor& planned : plan.tensors) {
        const TensorInfo& tensor = plan.model->tensors[planned.source];
        const quant::Category category = quant::tensorCategory(tensor.name);
        const bool isChosen = (category == quant::Category::Output && mix.outputType) ||
                              (category == quant::Category::TokenEmbedding && mix.tokenEmbeddingType);
        if (planned.kept || isChosen) candidates.push_back({planned.to});
        else candidates.push_back(quant::tensorBudgetTypes(tensor, !planned.weights.empty(), planned.to));
    }
    return candidates;
}

// All tensors of a plan, each measured as what it may become.
Result<Costs> measureAll(const QuantizePlan& plan, const Candidates& candidates, const quant::BudgetOptions& options,
                         const Progress& progress) {
    const Model& model = *plan.model;
    Costs costs(plan.tensors.size());
    ElementCount count(progress, plan.parameters());
    // Samples are too small to share; whole tensors are shared by all threads, one after the other.
    quant::BudgetOptions perTensor = options;
    if (!options.isExact()) perTensor.threads = 1;
    const auto body = [&](std::uint64_t i) -> Result<void> {
        const PlannedTensor& planned = plan.tensors[i];
        const TensorInfo& tensor = model.tensors[planned.source];
        std::uint64_t seen = 0;
        if (planned.kept) {
            costs[i] = {{planned.to, quant::paddedBytes(tensor, planned.to), 0}};
        } else {
            const Progress part{progress.stop, [&](std::uint64_t done, std::uint64_t) { count.advance(seen, done); }};
            WB_TRY_ASSIGN(costs[i], quant::measureTypes(model, tensor, planned.weights, candidates[i], perTensor, part));
        }
        count.advance(seen, tensor.shape.elements());
        return {};
    };
    WB_TRY(jobs::parallelFor(plan.tensors.size(), options.isExact() ? 1 : options.threads, progress.stop, body));
    return costs;
}

// Leaves out types that cannot hold the values of a tensor.
Costs onlyPossible(Costs costs) {
    for (auto& list : costs) std::erase_if(list, [](const quant::TypeCost& cost) { return !cost.isPossible(); });
    return costs;
}

Costs withFloors(const QuantizePlan& plan, Costs costs) {
    for (std::size_t i = 0; i < costs.size(); ++i) quant::dropLowTypes(plan.model->tensors[plan.tensors[i].source], costs[i]);
    return costs;
}

double costsError(const Costs& costs, const std::vector<std::size_t>& choice) {
    double sum = 0;
    for (std::size_t i = 0; i < costs.size(); ++i) sum += costs[i][choice[i]].error;
    return sum;
}

// The stock mix' own type is the first entry of every list.
double costsStockError(const Costs& costs) { return costsError(costs, std::vector<std::size_t>(costs.size(), 0)); }

void setTypes(const QuantizePlan& plan, const Costs& costs, const std::vector<std::size_t>& choice, BudgetPlan& result) {
    std::vector<std::pair<std::string, Dtype>> changed;
    result.request.types.clear();
    for (std::size_t i = 0; i < costs.size(); ++i) {
        const TensorInfo& tensor = plan.model->tensors[plan.tensors[i].source];
        const Dtype type = costs[i][choice[i]].type;
        result.request.types[tensor.name] = type;
        if (!plan.tensors[i].kept) changed.emplace_back(tensor.storedName(), type); // which patterns are matched with
    }
    result.rules = quant::rulesFor(changed);
    result.error = costsError(costs, choice);
}

// The name of the file type. One that has the very types of the mix is that mix; any other is called after the type of most bytes,
// because other programs show this name.
quant::FileType resultFileType(const QuantizePlan& plan, const BudgetPlan& result) {
    const auto typeOf = [&](const PlannedTensor& planned) {
        return result.request.types.at(plan.model->tensors[planned.source].name);
    };
    const auto isOfMix = [&](const PlannedTensor& planned) { return typeOf(planned) == planned.to; };
    if (result.stock && std::ranges::all_of(plan.tensors, isOfMix)) return result.stock->type;
    std::map<Dtype, std::uint64_t> bytes;
    for (const PlannedTensor& planned : plan.tensors)
        bytes[typeOf(planned)] += quant::paddedBytes(plan.model->tensors[planned.source], typeOf(planned));
    std::erase_if(bytes, [](const auto& row) { return !quant::fileTypeAround(row.first); });
    const auto heaviest = std::ranges::max_element(bytes, {}, [](const auto& row) { return row.second; });
    return heaviest == bytes.end() ? plan.fileType : *quant::fileTypeAround(heaviest->first);
}

std::uint64_t headerBytes(const QuantizePlan& plan) {
    return std::accumulate(plan.files.begin(), plan.files.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const PlannedFile& file) { return sum + file.header.size(); });
}

// With the padding.
std::uint64_t tensorBytes(const QuantizePlan& plan) {
    std::uint64_t sum = 0;
    for (const PlannedTensor& planned : plan.tensors) sum += quant::paddedBytes(plan.model->tensors[planned.source], planned.to);
    return sum;
}

// The largest mix whose whole file has at most `bytes` bytes; those that need importance data count only with a matrix. Metadata
// can be large: they are read for one mix, as the headers of all are equally long.
Result<std::optional<StockMix>> stockMixWithin(const ModelPtr& model, const QuantizeRequest& request, std::uint64_t bytes,
                                               const std::stop_token& stop) {
    std::optional<StockMix> best;
    std::optional<std::uint64_t> headers;
    for (const quant::FileType type : mixes) {
        if (stop.stop_requested()) return std::unexpected(canceled());
        const auto plan = planTypes(model, ofMix(request, type));
        if (!plan || !plan->canExecute()) continue;
        if (!headers) {
            WB_TRY_ASSIGN(const QuantizePlan whole, modelPlan(model, request, type));
            headers = headerBytes(whole);
        }
        const std::uint64_t size = *headers + tensorBytes(*plan);
        if (size <= bytes && (!best || size > best->bytes)) best = StockMix{type, size};
    }
    return best;
}

// Of a file whose every tensor becomes the smallest of its types.
std::uint64_t minBytes(const QuantizePlan& plan, const Candidates& candidates) {
    std::uint64_t sum = headerBytes(plan);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const TensorInfo& tensor = plan.model->tensors[plan.tensors[i].source];
        const auto bytes = [&](Dtype type) { return quant::paddedBytes(tensor, type); };
        sum += bytes(std::ranges::min(candidates[i], {}, bytes));
    }
    return sum;
}

// The same once the types that can represent the values are determined.
std::uint64_t minBytes(const QuantizePlan& plan, const Costs& possible) {
    std::uint64_t sum = headerBytes(plan);
    for (const auto& list : possible) sum += std::ranges::min(list, {}, &quant::TypeCost::bytes).bytes;
    return sum;
}

Result<void> checkBudget(const QuantizePlan& plan, std::uint64_t minimum, std::uint64_t budget) {
    if (budget >= minimum) return {};
    const std::string& name = plan.model->files[0].name;
    if (plan.matrix)
        return fail(ErrorCode::Invalid, Reason("budget.too_small"), About{name},
                    WB_TEXT("{} cannot be quantized to {}; the smallest available types need {}."), name, humanBytes(budget),
                    humanBytes(minimum));
    return fail(ErrorCode::Invalid, Reason("budget.too_small"), About{name},
                WB_TEXT("{} cannot be quantized to {}; the smallest available types need {}. With an importance matrix, smaller "
                        "types are available."),
                name, humanBytes(budget), humanBytes(minimum));
}

} // namespace

std::span<const quant::FileType> commonMixes() { return mixes; }

Result<BudgetPlan> planBudget(const ModelPtr& model, QuantizeRequest request, std::uint64_t budget,
                              const quant::BudgetOptions& options, const Progress& progress) {
    BudgetPlan result;
    result.exact = options.isExact();
    request.mix.pure = false;
    request.mix.copy = false;
    request.copies = CopyMode::None;
    WB_TRY_ASSIGN(result.stock, stockMixWithin(model, request, budget, progress.stop));
    WB_TRY_ASSIGN(const QuantizePlan base, modelPlan(model, request, result.stock ? result.stock->type : quant::FileType::Q2_K));
    request.mix.fileType = base.fileType;
    const Candidates candidates = mixCandidates(base, request.mix);
    WB_TRY(checkBudget(base, minBytes(base, candidates), budget));
    WB_TRY_ASSIGN(const Costs costs, measureAll(base, candidates, options, progress));
    const Costs possible = onlyPossible(costs);
    WB_TRY(checkBudget(base, minBytes(base, possible), budget));
    const std::uint64_t dataBytes = budget - std::min(budget, headerBytes(base));
    Costs offered = withFloors(base, possible);
    auto choice = quant::solveBudget(offered, dataBytes);
    if (choice.empty()) {
        offered = possible;
        choice = quant::solveBudget(offered, dataBytes);
    }
    result.request = std::move(request);
    if (result.stock) result.stockError = costsStockError(costs);
    if (result.stock && result.stockError < costsError(offered, choice)) {
        offered = costs;
        choice.assign(costs.size(), 0);
    }
    setTypes(base, offered, choice, result);
    result.request.mix.fileType = resultFileType(base, result);
    WB_TRY_ASSIGN(result.plan, planQuantize(model, result.request));
    return result;
}

} // namespace wb::quantize
