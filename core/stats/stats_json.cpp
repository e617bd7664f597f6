// SPDX-License-Identifier: MIT
#include "core/stats/stats_json.h"

#include <cmath>
#include <limits>

namespace wb::stats {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, percentileLevels.size()> percentileNames = {"0.1", "1", "5", "25", "50", "75", "95", "99", "99.9"};

Json json(double value) {
    if (std::isfinite(value)) return value;
    if (std::isnan(value)) return "nan";
    return value > 0 ? "inf" : "-inf";
}

Json json(const Element& element) {
    return std::visit([](auto value) -> Json {
        if constexpr (std::is_same_v<decltype(value), double>) return json(value);
        else return value;
    }, element);
}

template <typename T>
Json json(const std::optional<T>& value) {
    return value ? json(*value) : Json();
}

Json percentiles(const TensorStats& stats) {
    if (!stats.percentiles) return {};
    Json object = Json::object();
    for (std::size_t i = 0; i < percentileNames.size(); ++i) object[percentileNames[i]] = json((*stats.percentiles)[i]);
    return object;
}

Json histogram(const TensorStats& stats) {
    if (!stats.histogram) return {};
    return {{"low", json(stats.histogram->low)}, {"high", json(stats.histogram->high)}, {"counts", stats.histogram->counts}};
}

Json top(const TensorStats& stats, const Shape& shape) {
    Json list = Json::array();
    for (const TopElement& element : stats.top) {
        Json one;
        one["index"] = shape.coordinates(element.index);
        one["value"] = json(element.value);
        list.push_back(std::move(one));
    }
    return list;
}

Json channelList(const std::vector<double>& values) {
    Json list = Json::array();
    for (const double value : values) list.push_back(std::isnan(value) ? Json() : json(value));
    return list;
}

} // namespace

Json toJson(const TensorStats& stats, const Shape& shape) {
    Json object;
    object["count"] = stats.count;
    object["min"] = json(stats.min);
    object["max"] = json(stats.max);
    object["absmax"] = json(stats.absmax);
    object["mean"] = json(stats.mean);
    object["std"] = json(stats.std);
    object["rms"] = json(stats.rms);
    object["skew"] = json(stats.skew);
    object["kurtosis"] = json(stats.kurtosis);
    object["zeros"] = stats.zeros;
    object["nan"] = stats.nan;
    object["inf"] = stats.inf;
    object["denormal"] = stats.denormal;
    object["outliers6"] = stats.outliers6;
    object["percentiles"] = percentiles(stats);
    object["histogram"] = histogram(stats);
    object["top"] = top(stats, shape);
    if (stats.channels) {
        Json channels;
        channels["axis"] = stats.channels->axis == Axis::Row ? "row" : "column";
        channels["absmax"] = channelList(stats.channels->absmax);
        channels["rms"] = channelList(stats.channels->rms);
        object["channels"] = std::move(channels);
    }
    return object;
}

namespace {

double toDouble(const Json& value) {
    if (value.is_number()) return value.get<double>();
    const double infinity = std::numeric_limits<double>::infinity();
    if (value == "inf") return infinity;
    if (value == "-inf") return -infinity;
    return std::numeric_limits<double>::quiet_NaN();
}

Element toElement(const Json& value) {
    if (!value.is_number_integer()) return toDouble(value);
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
        return value.get<std::uint64_t>();
    return value.get<std::int64_t>();
}

void read(const Json& value, std::optional<double>& out) {
    if (!value.is_null()) out = toDouble(value);
}

void read(const Json& value, std::optional<Element>& out) {
    if (!value.is_null()) out = toElement(value);
}

void readOrder(const Json& object, TensorStats& stats) {
    if (const Json& levels = object.at("percentiles"); !levels.is_null()) {
        stats.percentiles.emplace();
        for (std::size_t i = 0; i < percentileNames.size(); ++i) (*stats.percentiles)[i] = toElement(levels.at(percentileNames[i]));
    }
    if (const Json& bins = object.at("histogram"); !bins.is_null())
        stats.histogram = Histogram{toDouble(bins.at("low")), toDouble(bins.at("high")), bins.at("counts")};
}

std::uint64_t flatIndex(const Json& coordinates, const Shape& shape) {
    std::uint64_t index = 0;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis)
        index = index * shape[axis] + coordinates.at(axis).get<std::uint64_t>();
    return index;
}

std::vector<double> readList(const Json& list) {
    std::vector<double> values;
    for (const Json& value : list) values.push_back(toDouble(value));
    return values;
}

TensorStats readAll(const Json& object, const Shape& shape) {
    TensorStats stats;
    stats.count = object.at("count");
    stats.nan = object.at("nan");
    stats.inf = object.at("inf");
    stats.finite = stats.count - stats.nan - stats.inf;
    stats.zeros = object.at("zeros");
    stats.denormal = object.at("denormal");
    stats.outliers6 = object.at("outliers6");
    read(object.at("min"), stats.min);
    read(object.at("max"), stats.max);
    read(object.at("absmax"), stats.absmax);
    read(object.at("mean"), stats.mean);
    read(object.at("std"), stats.std);
    read(object.at("rms"), stats.rms);
    read(object.at("skew"), stats.skew);
    read(object.at("kurtosis"), stats.kurtosis);
    readOrder(object, stats);
    for (const Json& element : object.at("top"))
        stats.top.push_back({flatIndex(element.at("index"), shape), toElement(element.at("value"))});
    if (const auto channels = object.find("channels"); channels != object.end())
        stats.channels = Channels{channels->at("axis") == "row" ? Axis::Row : Axis::Column, readList(channels->at("absmax")),
                                  readList(channels->at("rms"))};
    return stats;
}

} // namespace

Result<TensorStats> fromJson(const Json& json, const Shape& shape) {
    try {
        return readAll(json, shape);
    } catch (const nlohmann::json::exception& e) {
        Error error = makeError(ErrorCode::Malformed, WB_TEXT("Stored statistics cannot be read; they will be computed again."));
        error.detail = e.what();
        return std::unexpected(std::move(error));
    }
}

} // namespace wb::stats
