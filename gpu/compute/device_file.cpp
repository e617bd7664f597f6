// SPDX-License-Identifier: MIT
#include "gpu/compute/device_file.h"

#include "core/formats/json/json.h"
#include "core/io/atomic_writer.h"
#include "gpu/device/instance.h"
#include "gpu/infer/fast_test.h"

namespace wb::gpu::compute {
namespace {

constexpr std::uint64_t version = 1; // of the form of these files

bool isNumber(const ValueObject& object, std::string_view key, std::uint64_t expected) {
    const Value* const value = object.find(key);
    return value && value->unsignedNumber() == expected;
}

bool isText(const ValueObject& object, std::string_view key, const std::string& expected) {
    const Value* const value = object.find(key);
    return value && value->string() && *value->string() == expected;
}

} // namespace

DeviceFile::DeviceFile(std::string_view name, std::string device, std::string driver)
    : m_device(std::move(device)), m_driver(std::move(driver)) {
    const std::filesystem::path& folder = currentSetup().cacheFolder;
    if (!folder.empty()) m_path = folder / (std::string(name) + "-" + m_device + ".json");
}

std::optional<Value> DeviceFile::read() const {
    if (m_path.empty()) return {};
    const auto source = io::FileSource::open(m_path);
    if (!source) return {};
    std::vector<Problem> problems;
    auto value = json::readFile(**source, m_path.filename().string(), {}, problems);
    if (!value || !value->object()) return {};
    const ValueObject& object = *value->object();
    const bool isOurs = isNumber(object, "version", version) && isNumber(object, "shaders", testedShadersHash()) &&
                        isText(object, "device", m_device) && isText(object, "driver", m_driver);
    return isOurs ? std::optional(std::move(*value)) : std::nullopt;
}

Result<void> DeviceFile::save(const std::function<void(JsonWriter&)>& members) const {
    if (m_path.empty())
        return fail(ErrorCode::NotWritable, Reason("device.no_cache"),
                    WB_TEXT("The measurement is not kept: there is no cache folder."));
    std::error_code error;
    std::filesystem::create_directories(m_path.parent_path(), error); // a failure is the writer's
    std::string text;
    JsonWriter json([&](std::string_view piece) { text += piece; });
    json.beginObject();
    json.key("version"), json.integer(version);
    json.key("shaders"), json.integer(testedShadersHash());
    json.key("device"), json.string(m_device);
    json.key("driver"), json.string(m_driver);
    members(json);
    json.endObject();
    json.finish();
    WB_TRY_ASSIGN(io::AtomicWriter writer, io::AtomicWriter::create(m_path));
    WB_TRY(writer.write(text));
    return writer.commit();
}

} // namespace wb::gpu::compute
