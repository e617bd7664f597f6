// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/gguf/convert_plan.h"
#include "core/convert/graph/graph_plan.h"
#include "core/convert/job.h"
#include "core/convert/quantize/quantize_plan.h"
#include "core/convert/weights/weights_plan.h"

// The plans of every producer as jobs.
namespace wb::convert {

JobPtr quantizeJob(std::shared_ptr<const quantize::QuantizePlan> plan, JobFacts facts);
JobPtr convertJob(std::shared_ptr<const ConvertPlan> plan, JobFacts facts);
JobPtr weightsJob(std::shared_ptr<const WeightsPlan> plan, JobFacts facts);
JobPtr graphJob(std::shared_ptr<const GraphPlan> plan, JobFacts facts);

} // namespace wb::convert
