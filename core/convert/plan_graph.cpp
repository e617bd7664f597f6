// SPDX-License-Identifier: MIT
#include "core/convert/open_source.h"
#include "core/convert/plan_job.h"
#include "core/convert/source/decoded_model.h"

namespace wb::convert {

Result<GraphPlanned> planGraph(const GraphRequest& request, const Progress& progress) {
    const SourceOptions options{request.isTrusted, request.threads, progress};
    WB_TRY_ASSIGN(ModelPtr graph, openSource(request.graph, options));
    WB_TRY_ASSIGN(ModelPtr weights, openSource(request.source, options));
    WB_TRY_ASSIGN(weights, decodedModel(std::move(weights)));
    WB_TRY_ASSIGN(GraphPlan plan, planGraph(std::move(graph), std::move(weights)));
    GraphPlanned planned{nullptr, std::make_shared<const GraphPlan>(std::move(plan))};
    planned.job = graphJob(planned.plan, {JobKind::Convert, request.source, "onnx", {}, planned.plan->weights});
    return planned;
}

} // namespace wb::convert
