// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/imgui/plot_drawing.h"

#include <array>
#include <cstdint>

// The colors of numbers in pictures, chosen for eyes that cannot tell red from green: the signed map goes from blue to red through
// a light gray, the map of magnitudes grows evenly in lightness.
namespace wb::ui {

using ColorTable = std::array<std::uint32_t, 256>; // 0xAABBGGRR

// Blue (59, 76, 192) for the least, (221, 221, 221) in the middle, red (180, 4, 38) for the greatest value: interpolated in Msh
// space as K. Moreland describes in "Diverging Color Maps for Scientific Visualization" (2009), from his control points.
const ColorTable& signedColors();

// Black to white by the cubehelix of D. A. Green, "A color scheme for the display of astronomical intensity images" (2011), with
// start 2.0, half a rotation and hue 1.1: its perceived brightness rises all the way.
const ColorTable& magnitudeColors();

// Reserved for elements that are no finite number; they occur in neither map.
inline constexpr std::uint32_t nanColor = 0xFFFF00FF;              // magenta
inline constexpr std::uint32_t positiveInfinityColor = 0xFF00FFFF; // yellow
inline constexpr std::uint32_t negativeInfinityColor = 0xFFFFFF00; // cyan

enum class ValueScale { Linear, SymmetricLog, Clipped };

// The scale for values up to `largest` in magnitude, of both signs or of none. Clipped ends at `clip` instead, symmetric logarithms
// are linear up to a thousandth. A range of nothing is widened to 1.
gpu::imview::ColorScale colorScale(bool isSigned, ValueScale scale, double largest, double clip);

} // namespace wb::ui
