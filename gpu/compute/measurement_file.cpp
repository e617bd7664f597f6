// SPDX-License-Identifier: MIT
#include "gpu/compute/measurement.h"

#include "core/base/json_writer.h"
#include "core/formats/json/json.h"
#include "core/io/atomic_writer.h"
#include "gpu/device/instance.h"

#include <algorithm>
#include <cmath>
#include <limits>

// {"version","shaders","device","driver","seconds","kernels":[{"type","form","error","speedup","batch_speedup"}],
//  "gpu":{"prompt_tps","generate_tps"},"cpu":{…}}; the type of attention is "attention".
namespace wb::gpu::compute {
namespace {

constexpr std::uint64_t version = 1; // of the form of the file
constexpr std::string_view attention = "attention", packed = "packed", floats = "float";

std::filesystem::path fileName(const std::string& device) {
    const std::filesystem::path& folder = currentSetup().cacheFolder;
    return folder.empty() ? folder : folder / ("speed-" + device + ".json");
}

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
    const std::filesystem::path path = fileName(device.id);
    if (path.empty()) return {};
    const auto source = io::FileSource::open(path);
    if (!source) return {};
    std::vector<Problem> problems;
    const auto value = json::readFile(**source, path.filename().string(), {}, problems);
    if (!value || !value->object()) return {};
    const ValueObject& object = *value->object();
    const Value* const written = object.find("version");
    const Value* const shaders = object.find("shaders");
    if (!written || written->unsignedNumber() != version || !shaders || shaders->unsignedNumber() != fastShadersHash()) return {};
    const auto gpu = speedIn(object, "gpu"), cpu = speedIn(object, "cpu");
    Measurement measurement{textIn(object, "device"),   textIn(object, "driver"), kernelsIn(object), {}, {},
                            numberIn(object, "seconds")};
    if (!gpu || !cpu || measurement.device != device.id || measurement.driver != device.driver) return {};
    measurement.gpu = *gpu;
    measurement.cpu = *cpu;
    return measurement;
}

Result<void> saveMeasurement(const Measurement& measurement) {
    const std::filesystem::path path = fileName(measurement.device);
    if (path.empty())
        return fail(ErrorCode::NotWritable, Reason("device.no_cache"),
                    WB_TEXT("The measurement is not kept: there is no cache folder."));
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error); // a failure is the writer's
    std::string text;
    JsonWriter json([&](std::string_view piece) { text += piece; });
    json.beginObject();
    json.key("version"), json.integer(version);
    json.key("shaders"), json.integer(fastShadersHash());
    json.key("device"), json.string(measurement.device);
    json.key("driver"), json.string(measurement.driver);
    json.key("seconds"), json.number(measurement.seconds);
    json.key("kernels"), json.beginArray();
    for (const FastVerdict& verdict : measurement.kernels) writeKernel(json, verdict);
    json.endArray();
    writeSpeed(json, "gpu", measurement.gpu);
    writeSpeed(json, "cpu", measurement.cpu);
    json.endObject();
    json.finish();
    WB_TRY_ASSIGN(io::AtomicWriter writer, io::AtomicWriter::create(path));
    WB_TRY(writer.write(text));
    return writer.commit();
}

} // namespace wb::gpu::compute
