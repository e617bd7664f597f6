// SPDX-License-Identifier: MIT
#include "gpu/compute/measurement.h"

#include "gpu/compute/device_file.h"

#include <algorithm>
#include <cmath>
#include <limits>

// {"seconds","kernels":[{"type","form","error","speedup","batch_speedup"}],
//  "gpu":{"prompt_tps","generate_tps"},"cpu":{…}}; the type of attention is "attention".
namespace wb::gpu::compute {
namespace {

constexpr std::string_view attention = "attention", packed = "packed", floats = "float";

DeviceFile speedFile(const std::string& device, const std::string& driver) { return {"speed", device, driver}; }

void writeSpeed(JsonWriter& json, std::string_view name, const ModelSpeed& speed) {
    json.key(name), json.beginObject();
    json.key("prompt_tps"), json.number(speed.prompt);
    json.key("generate_tps"), json.number(speed.generate);
    json.endObject();
}

void writeKernel(JsonWriter& json, const FastVerdict& verdict) {
    json.newline();
    json.beginObject();
    json.key("type"), json.string(verdict.dtype == Dtype::Unknown ? attention : std::string_view(name(verdict.dtype)));
    json.key("form"), json.string(verdict.form == FastForm::Packed ? packed : floats);
    json.key("error"), json.number(verdict.error);
    json.key("speedup"), json.number(verdict.speedup);
    json.key("batch_speedup"), json.number(verdict.batchSpeedup);
    json.endObject();
}

double numberIn(const ValueObject& object, std::string_view key) {
    const Value* const value = object.find(key);
    return value ? value->number().value_or(std::numeric_limits<double>::infinity()) : std::numeric_limits<double>::infinity();
}

std::string textIn(const ValueObject& object, std::string_view key) {
    const Value* const value = object.find(key);
    return value && value->string() ? *value->string() : std::string();
}

std::optional<ModelSpeed> speedIn(const ValueObject& object, std::string_view key) {
    const Value* const value = object.find(key);
    if (!value || !value->object()) return {};
    const ModelSpeed speed{numberIn(*value->object(), "prompt_tps"), numberIn(*value->object(), "generate_tps")};
    const auto isRate = [](double rate) { return std::isfinite(rate) && rate > 0; };
    return isRate(speed.prompt) && isRate(speed.generate) ? std::optional(speed) : std::nullopt;
}

// An error that is not a number counts as infinite: wrong.
std::vector<FastVerdict> kernelsIn(const ValueObject& object) {
    std::vector<FastVerdict> verdicts;
    const Value* const list = object.find("kernels");
    if (!list || !list->array()) return verdicts;
    for (const Value& value : list->array()->first) {
        if (!value.object()) continue;
        const std::string type = textIn(*value.object(), "type");
        const auto known = std::ranges::find_if(fastDtypes, [&](Dtype each) { return name(each) == type; });
        if (known == fastDtypes.end() && type != attention) continue;
        verdicts.push_back({known == fastDtypes.end() ? Dtype::Unknown : *known,
                            textIn(*value.object(), "form") == packed ? FastForm::Packed : FastForm::Float,
                            numberIn(*value.object(), "error"), numberIn(*value.object(), "speedup"),
                            numberIn(*value.object(), "batch_speedup")});
    }
    return verdicts;
}

} // namespace

std::optional<Measurement> readMeasurement(const DeviceInfo& device) {
    const std::optional<Value> value = speedFile(device.id, device.driver).read();
    if (!value) return {};
    const ValueObject& object = *value->object();
    const auto gpu = speedIn(object, "gpu"), cpu = speedIn(object, "cpu");
    if (!gpu || !cpu) return {};
    return Measurement{device.id, device.driver, kernelsIn(object), *gpu, *cpu, numberIn(object, "seconds")};
}

Result<void> saveMeasurement(const Measurement& measurement) {
    return speedFile(measurement.device, measurement.driver).save([&measurement](JsonWriter& json) {
        json.key("seconds"), json.number(measurement.seconds);
        json.key("kernels"), json.beginArray();
        for (const FastVerdict& verdict : measurement.kernels) writeKernel(json, verdict);
        json.endArray();
        writeSpeed(json, "gpu", measurement.gpu);
        writeSpeed(json, "cpu", measurement.cpu);
    });
}

} // namespace wb::gpu::compute
