// SPDX-License-Identifier: MIT
#include "ui/plots/color_map.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace wb::ui {
namespace {

struct Triple {
    double x, y, z;
};

double toLinear(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }
double fromLinear(double c) { return c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055; }

// CIE 1976 with the white of sRGB, D65.
constexpr Triple white = {0.95047, 1.0, 1.08883};

Triple rgbLab(const Triple& rgb) {
    const double r = toLinear(rgb.x), g = toLinear(rgb.y), b = toLinear(rgb.z);
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
    const double x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / white.x);
    const double y = f((0.2126 * r + 0.7152 * g + 0.0722 * b) / white.y);
    const double z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / white.z);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

Triple labRgb(const Triple& lab) {
    const auto inverse = [](double t) { return t > 6.0 / 29 ? t * t * t : (116 * t - 16) * 27 / 24389; };
    const double fy = (lab.x + 16) / 116;
    const double x = inverse(fy + lab.y / 500) * white.x, y = inverse(fy) * white.y, z = inverse(fy - lab.z / 200) * white.z;
    return {fromLinear(3.2406 * x - 1.5372 * y - 0.4986 * z), fromLinear(-0.9689 * x + 1.8758 * y + 0.0415 * z),
            fromLinear(0.0557 * x - 0.2040 * y + 1.0570 * z)};
}

// Lab in polar coordinates: magnitude, saturation, hue.
Triple labMsh(const Triple& lab) {
    const double m = std::hypot(lab.x, lab.y, lab.z);
    return {m, std::acos(lab.x / m), std::atan2(lab.z, lab.y)};
}

Triple labOfMsh(const Triple& msh) {
    return {msh.x * std::cos(msh.y), msh.x * std::sin(msh.y) * std::cos(msh.z), msh.x * std::sin(msh.y) * std::sin(msh.z)};
}

// The hue that the unsaturated middle is given so that the path does not bend.
double spunHue(const Triple& saturated, double middle) {
    if (saturated.x >= middle) return saturated.z;
    const double spin =
        saturated.y * std::sqrt(middle * middle - saturated.x * saturated.x) / (saturated.x * std::sin(saturated.y));
    return saturated.z > -std::numbers::pi / 3 ? saturated.z + spin : saturated.z - spin;
}

std::uint32_t packed(const Triple& rgb) {
    const auto byte = [](double c) { return static_cast<std::uint32_t>(std::lround(std::clamp(c, 0.0, 1.0) * 255)); };
    return 0xFF000000u | byte(rgb.z) << 16 | byte(rgb.y) << 8 | byte(rgb.x);
}

// From a saturated end (at 0) to the middle (at 1).
Triple between(const Triple& end, double middle, double at) {
    const double hue = spunHue(end, middle);
    return labRgb(labOfMsh({end.x + at * (middle - end.x), end.y * (1 - at), end.z + at * (hue - end.z)}));
}

ColorTable makeSigned() {
    const Triple blue = labMsh(rgbLab({59 / 255.0, 76 / 255.0, 192 / 255.0}));
    const Triple red = labMsh(rgbLab({180 / 255.0, 4 / 255.0, 38 / 255.0}));
    const double middle = std::max({blue.x, red.x, 88.0});
    ColorTable table;
    for (std::size_t i = 0; i < table.size(); ++i) {
        const double at = static_cast<double>(i) / 255;
        table[i] = packed(at < 0.5 ? between(blue, middle, 2 * at) : between(red, middle, 2 - 2 * at));
    }
    return table;
}

ColorTable makeMagnitude() {
    constexpr double start = 2.0, rotations = 0.5, hue = 1.1;
    ColorTable table;
    for (std::size_t i = 0; i < table.size(); ++i) {
        const double at = static_cast<double>(i) / 255;
        const double angle = 2 * std::numbers::pi * (start / 3 + 1 + rotations * at);
        const double amplitude = hue * at * (1 - at) / 2;
        const double c = amplitude * std::cos(angle), s = amplitude * std::sin(angle);
        table[i] = packed({at - 0.14861 * c + 1.78277 * s, at - 0.29227 * c - 0.90649 * s, at + 1.97294 * c});
    }
    return table;
}

} // namespace

const ColorTable& signedColors() {
    static const ColorTable table = makeSigned();
    return table;
}

const ColorTable& magnitudeColors() {
    static const ColorTable table = makeMagnitude();
    return table;
}

gpu::imview::ColorScale colorScale(bool isSigned, ValueScale scale, double largest, double clip) {
    double end = scale == ValueScale::Clipped && clip > 0 ? std::min(clip, largest) : largest;
    if (!(end > 0)) end = 1;
    gpu::imview::ColorScale colors;
    colors.high = static_cast<float>(end);
    colors.low = isSigned ? -colors.high : 0;
    colors.curve = scale == ValueScale::SymmetricLog ? gpu::imview::Curve::SymmetricLog : gpu::imview::Curve::Linear;
    colors.linearWidth = std::max(colors.high / 1000, 1e-37F);
    colors.colors = isSigned ? signedColors() : magnitudeColors();
    colors.nan = nanColor;
    colors.positiveInfinity = positiveInfinityColor;
    colors.negativeInfinity = negativeInfinityColor;
    return colors;
}

} // namespace wb::ui
