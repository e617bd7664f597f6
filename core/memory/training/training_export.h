// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/exports.h"

namespace wb::memory {

// The YAML file of hiyouga/LLaMA-Factory (src/llamafactory/hparams) and that of DeepSpeed next to it.
Result<std::vector<ExportedFile>> llamaFactoryFiles(const ExportedModel& model, const TrainingSettings& settings);

// The YAML file of axolotl-ai-cloud/axolotl (src/axolotl/utils/schemas) and that of DeepSpeed next to it.
Result<std::vector<ExportedFile>> axolotlFiles(const ExportedModel& model, const TrainingSettings& settings);

} // namespace wb::memory
