// SPDX-License-Identifier: MIT
#include "core/stats/stats_json.h"

#include "core/base/text.h"

#include <cmath>
#include <limits>

namespace wb::stats {
namespace {

constexpr std::array<const char*, percentileLevels.size()> percentileNames = {"0.1", "1",  "5",  "25",  "50",
                                                                              "75",  "95", "99", "99.9"};

// A whole number keeps its point, by which it is distinguished from an integer when it is read again.
void write(JsonWriter& out, double value) {
    const std::string text = shortest(value);
    const bool isWhole = text.find_first_not_of("-0123456789") == std::string::npos;
    if (isWhole) out.raw(text + ".0");
    else out.number(value);
}

void write(JsonWriter& out, const Element& element) {
    std::visit(
        [&out](auto value) {
            if constexpr (std::is_same_v<decltype(value), double>) write(out, value);
            else out.integer(value);
        },
        element);
}

template <typename T>
void write(JsonWriter& out, const char* key, const std::optional<T>& value) {
    out.key(key);
    if (value) write(out, *value);
    else out.null();
}

void writeCount(JsonWriter& out, const char* key, std::uint64_t count) {
    out.key(key);
    out.integer(count);
}

void writePercentiles(JsonWriter& out, const TensorStats& stats) {
    out.key("percentiles");
    if (!stats.percentiles) return out.null();
    out.beginObject();
    for (std::size_t i = 0; i < percentileNames.size(); ++i) {
        out.key(percentileNames[i]);
        write(out, (*stats.percentiles)[i]);
    }
    out.endObject();
}

void writeHistogram(JsonWriter& out, const TensorStats& stats) {
    out.key("histogram");
    if (!stats.histogram) return out.null();
    out.beginObject();
    out.key("low");
    write(out, stats.histogram->low);
    out.key("high");
    write(out, stats.histogram->high);
    out.key("counts");
    out.beginArray();
    for (const std::uint64_t count : stats.histogram->counts) out.integer(count);
    out.endArray();
    out.endObject();
}

void writeTop(JsonWriter& out, const TensorStats& stats, const Shape& shape) {
    out.key("top");
    out.beginArray();
    for (const TopElement& element : stats.top) {
        out.beginObject();
        out.key("index");
        out.beginArray();
        for (const std::uint64_t coordinate : shape.coordinates(element.index)) out.integer(coordinate);
        out.endArray();
        out.key("value");
        write(out, element.value);
        out.endObject();
    }
    out.endArray();
}

void writeList(JsonWriter& out, const char* key, const std::vector<double>& values) {
    out.key(key);
    out.beginArray();
    for (const double value : values) {
        if (std::isnan(value)) out.null();
        else write(out, value);
    }
    out.endArray();
}

} // namespace

void writeJson(JsonWriter& out, const Channels& channels) {
    out.beginObject();
    out.key("axis");
    out.string(channels.axis == Axis::Row ? "row" : "column");
    writeList(out, "absmax", channels.absmax);
    writeList(out, "rms", channels.rms);
    out.endObject();
}

void writeJson(JsonWriter& out, const TensorStats& stats, const Shape& shape) {
    out.beginObject();
    writeCount(out, "count", stats.count);
    write(out, "min", stats.min);
    write(out, "max", stats.max);
    write(out, "absmax", stats.absmax);
    write(out, "mean", stats.mean);
    write(out, "std", stats.std);
    write(out, "rms", stats.rms);
    write(out, "skew", stats.skew);
    write(out, "kurtosis", stats.kurtosis);
    writeCount(out, "zeros", stats.zeros);
    writeCount(out, "nan", stats.nan);
    writeCount(out, "inf", stats.inf);
    writeCount(out, "denormal", stats.denormal);
    writeCount(out, "outliers6", stats.outliers6);
    writePercentiles(out, stats);
    writeHistogram(out, stats);
    writeTop(out, stats, shape);
    if (stats.channels) {
        out.key("channels");
        writeJson(out, *stats.channels);
    }
    out.endObject();
}

namespace {

// Reads members of one object. The first that is missing or has another type makes isGood() false; later values are ignored.
class ObjectReader {
public:
    explicit ObjectReader(const Value* value) : m_object(value ? value->object() : nullptr) {
        require(m_object && m_object->complete());
    }

    bool isGood() const { return m_isGood; }
    void require(bool condition) { m_isGood = m_isGood && condition; }

    const Value* find(const char* key) const { return m_isGood ? m_object->find(key) : nullptr; }

    // Null where it is missing, which is an error, and where it is the value null.
    const Value* known(const char* key) {
        const Value* value = find(key);
        require(value != nullptr);
        return value && value->type != ValueType::Null ? value : nullptr;
    }

    std::uint64_t count(const char* key) {
        const Value* value = known(key);
        const auto number = value ? value->unsignedNumber() : std::nullopt;
        require(number.has_value());
        return number.value_or(0);
    }

    double real(const char* key) { return toReal(known(key)); }

    void read(const char* key, std::optional<double>& out) {
        if (const Value* value = known(key)) out = toReal(value);
    }

    void read(const char* key, std::optional<Element>& out) {
        if (const Value* value = known(key)) out = toElement(value);
    }

    std::span<const Value> list(const char* key) { return elements(known(key)); }

    std::span<const Value> elements(const Value* value) {
        const ValueArray* array = value ? value->array() : nullptr;
        require(array && array->complete());
        return m_isGood ? std::span(array->first) : std::span<const Value>();
    }

    double toReal(const Value* value) {
        const double infinity = std::numeric_limits<double>::infinity();
        if (value && value->number()) return *value->number();
        const std::string text = value && value->string() ? *value->string() : std::string();
        require(text == "nan" || text == "inf" || text == "-inf");
        return text == "inf" ? infinity : text == "-inf" ? -infinity : std::numeric_limits<double>::quiet_NaN();
    }

    Element toElement(const Value* value) {
        if (value && value->type == ValueType::I64) return std::get<std::int64_t>(value->data);
        if (!value || value->type != ValueType::U64) return toReal(value);
        const auto number = std::get<std::uint64_t>(value->data);
        if (number > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) return number;
        return static_cast<std::int64_t>(number);
    }

private:
    const ValueObject* m_object;
    bool m_isGood = true;
};

void readPercentiles(ObjectReader& in, TensorStats& stats) {
    const Value* levels = in.known("percentiles");
    if (!levels) return;
    ObjectReader level(levels);
    stats.percentiles.emplace();
    for (std::size_t i = 0; i < percentileNames.size(); ++i)
        (*stats.percentiles)[i] = level.toElement(level.known(percentileNames[i]));
    in.require(level.isGood());
}

void readHistogram(ObjectReader& in, TensorStats& stats) {
    const Value* histogram = in.known("histogram");
    if (!histogram) return;
    ObjectReader bins(histogram);
    stats.histogram = Histogram{bins.real("low"), bins.real("high"), {}};
    for (const Value& count : bins.list("counts")) {
        bins.require(count.unsignedNumber().has_value());
        stats.histogram->counts.push_back(count.unsignedNumber().value_or(0));
    }
    in.require(bins.isGood());
}

std::uint64_t flatIndex(ObjectReader& in, const Shape& shape) {
    const auto coordinates = in.list("index");
    in.require(coordinates.size() == shape.rank());
    std::uint64_t index = 0;
    for (std::size_t axis = 0; in.isGood() && axis < shape.rank(); ++axis) {
        const auto coordinate = coordinates[axis].unsignedNumber();
        in.require(coordinate && *coordinate < shape[axis]);
        index = index * shape[axis] + coordinate.value_or(0);
    }
    return index;
}

void readTop(ObjectReader& in, const Shape& shape, TensorStats& stats) {
    for (const Value& value : in.list("top")) {
        ObjectReader element(&value);
        const std::uint64_t index = flatIndex(element, shape);
        stats.top.push_back({index, element.toElement(element.known("value"))});
        in.require(element.isGood());
    }
}

std::vector<double> readReals(ObjectReader& in, const char* key) {
    std::vector<double> values;
    for (const Value& value : in.list(key))
        values.push_back(value.type == ValueType::Null ? std::numeric_limits<double>::quiet_NaN() : in.toReal(&value));
    return values;
}

void readChannels(ObjectReader& in, TensorStats& stats) {
    const Value* value = in.find("channels");
    if (!value) return;
    ObjectReader channels(value);
    const Value* axis = channels.known("axis");
    channels.require(axis && axis->string() && (*axis->string() == "row" || *axis->string() == "column"));
    const bool isRow = channels.isGood() && *axis->string() == "row";
    stats.channels = Channels{isRow ? Axis::Row : Axis::Column, readReals(channels, "absmax"), readReals(channels, "rms")};
    in.require(channels.isGood());
}

} // namespace

Result<TensorStats> readStats(const Value& json, const Shape& shape) {
    ObjectReader in(&json);
    TensorStats stats;
    stats.count = in.count("count");
    stats.nan = in.count("nan");
    stats.inf = in.count("inf");
    in.require(stats.nan <= stats.count && stats.inf <= stats.count - stats.nan);
    stats.finite = stats.count - stats.nan - stats.inf;
    stats.zeros = in.count("zeros");
    stats.denormal = in.count("denormal");
    stats.outliers6 = in.count("outliers6");
    in.read("min", stats.min);
    in.read("max", stats.max);
    in.read("absmax", stats.absmax);
    in.read("mean", stats.mean);
    in.read("std", stats.std);
    in.read("rms", stats.rms);
    in.read("skew", stats.skew);
    in.read("kurtosis", stats.kurtosis);
    readPercentiles(in, stats);
    readHistogram(in, stats);
    readTop(in, shape, stats);
    readChannels(in, stats);
    if (in.isGood()) return stats;
    return fail(ErrorCode::Malformed, Reason("stats.stored"),
                WB_TEXT("Cannot read the saved statistics; they will be recomputed."));
}

} // namespace wb::stats
