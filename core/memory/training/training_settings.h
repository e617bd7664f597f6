// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace wb::memory {

struct Optimizer;

enum class Method : std::uint8_t { Full, Lora, Qlora, Prompt, Prefix, Dpo };
enum class BaseType : std::uint8_t { Bf16, Fp16, Fp32, Nf4, Int8 };
enum class Targets : std::uint8_t { Attention, All };
enum class Reference : std::uint8_t { Copy, Shared, Precomputed }; // of DPO
enum class Offload : std::uint8_t { None, Optimizer, All };

const char* methodName(Method method); // as typed: "qlora"
const char* baseName(BaseType base);
const char* targetsName(Targets targets);
const char* referenceName(Reference reference);
const char* offloadName(Offload offload);
std::optional<Method> methodFromName(std::string_view name);
std::optional<BaseType> baseFromName(std::string_view name);
std::optional<Targets> targetsFromName(std::string_view name);
std::optional<Reference> referenceFromName(std::string_view name);
std::optional<Offload> offloadFromName(std::string_view name);

// How a model is trained. The defaults are those of transformers and peft with one sequence at a time.
struct TrainingSettings {
    Method method = Method::Lora;
    std::optional<BaseType> base = {}; // empty: nf4 for QLoRA, bf16 else
    std::uint64_t rank = 16;           // of the adapters; of GaLore's space in full training
    Targets targets = Targets::All;
    bool doubleQuantized = false; // the scales of nf4 are quantized again
    bool dora = false;
    bool rslora = false; // changes how adapters are scaled, and no byte
    std::uint64_t virtualTokens = 20;
    Reference reference = Reference::Shared;
    std::uint64_t sequence = 2048;
    std::uint64_t batch = 1;              // sequences of one step on one GPU
    const Optimizer* optimizer = nullptr; // null: AdamW with states of 32 bits
    bool gradientsInFp32 = false;         // of full training in 16 bits
    bool checkpointing = true;            // every layer is computed again in the backward pass
    bool flash = true;                    // scores of attention are never stored
    bool chunkedLoss = false;
    bool averages = false; // an exponential moving average (EMA) of the trained weights is kept, in its type
    Offload offload = Offload::None;
    std::uint64_t zeroStage = 0; // of DeepSpeed; 3 is FSDP's full shard too
    std::uint64_t gpus = 1;

    BaseType baseUsed() const { return base.value_or(method == Method::Qlora ? BaseType::Nf4 : BaseType::Bf16); }
    bool isQuantized() const { return baseUsed() == BaseType::Nf4 || baseUsed() == BaseType::Int8; }
    bool trainsAdapters() const { return method == Method::Lora || method == Method::Qlora || method == Method::Dpo; }
    const Optimizer& optimizerUsed() const;
    std::uint64_t sequences() const { return method == Method::Dpo ? 2 * batch : batch; } // chosen and rejected
};

// Invalid, with the setting's name as subject: numbers out of their range, settings that contradict each other.
Result<void> check(const TrainingSettings& settings);

} // namespace wb::memory
