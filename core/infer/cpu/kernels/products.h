// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cpu/inputs.h"
#include "core/infer/cpu/steps.h"
#include "core/jobs/team.h"

#include <algorithm>
#include <array>

// Matrices in panels times the rows of a batch. A worker multiplies the panels of its range; what it does with the numbers is up to
// the caller, tile by tile, so that a product needs no extra memory.
namespace wb::infer::cpu {

// Tokens of a batch of activations: `count` of them from the beginning of group `firstGroup`.
struct TokenRun {
    std::size_t firstGroup, count;
};

// Results of one call of a kernel: several panels of one token, or groups of one panel.
using Tile = std::array<float, panelRows * groupTokens * maxGroups>;
static_assert(widePanels <= groupTokens * maxGroups);

// A part of a product: `rows` numbers from row `row` on, of each of `tokens` tokens from `token` on.
struct ProductTile {
    std::size_t row, rows, token, tokens;
    const float* numbers; // [tokens][stride]
    std::size_t stride;

    const float* of(std::size_t t) const { return numbers + t * stride; }
};

// Of several panels and one token, or of one panel and several groups.
inline void multiplyTile(const Kernels& kernels, const PanelMatrix& matrix, const Inputs& inputs, std::size_t panel,
                         std::size_t panels, std::size_t group, std::size_t groups, float* out) {
    const auto type = static_cast<std::size_t>(matrix.format->type);
    const bool integer = matrix.format->integer;
    const std::size_t groupBytes =
        integer ? integerGroupBytes(inputs.columns, inputs.width) : floatGroupBytes(inputs.columns, inputs.width);
    const Product product{matrix.panel(panel),
                          matrix.panelBytes(),
                          matrix.blocks(),
                          integer ? inputs.integerGroup(group) : inputs.floatGroup(group),
                          out,
                          panels * panelRows,
                          matrix.panel(matrix.panels()),
                          groups,
                          groupBytes};
    if (inputs.width > 1) kernels.multiplyGroups[type](product);
    else (panels == widePanels ? kernels.multiplyWide : kernels.multiply)[type](product);
}

// W x: calls sink(ProductTile) for every tile of the panels in the range.
template <class Sink>
void multiply(const Kernels& kernels, const PanelMatrix& matrix, const Inputs& inputs, TokenRun run, jobs::Range range, Sink sink) {
    alignas(64) Tile tile;
    const auto emit = [&](std::size_t panel, std::size_t panels, std::size_t group, std::size_t groups) {
        multiplyTile(kernels, matrix, inputs, panel, panels, run.firstGroup + group, groups, tile.data());
        const std::size_t row = panel * panelRows, first = group * inputs.width;
        sink(ProductTile{row, std::min<std::size_t>(panels * panelRows, matrix.rows - row), first,
                         std::min(groups * inputs.width, run.count - first), tile.data(), panels * panelRows});
    };
    if (inputs.width == 1) {
        for (std::size_t p = range.begin; p < range.end;) {
            const std::size_t panels = p + widePanels <= range.end ? widePanels : 1;
            emit(p, panels, 0, 1);
            p += panels;
        }
        return;
    }
    // A few panels at a time, so that the activations stay in the cache.
    const std::size_t count = groupCount(run.count, inputs.width);
    const std::size_t side = !matrix.format->integer ? 1 : isLattice(matrix.format->type) ? maxGroups : kernels.groupsAtOnce;
    for (std::size_t p = range.begin; p < range.end; p += widePanels)
        for (std::size_t group = 0; group < count; group += side)
            for (std::size_t i = p; i < std::min(p + widePanels, range.end); ++i) emit(i, 1, group, std::min(side, count - group));
}

// to(token) = W x + b.
template <class To>
void multiplyAddBias(const Kernels& kernels, const Matrix& matrix, const Inputs& inputs, TokenRun run, jobs::Range panels, To to) {
    multiply(kernels, *matrix.panels, inputs, run, panels, [&](const ProductTile& tile) {
        for (std::size_t t = 0; t < tile.tokens; ++t) {
            float* const row = to(tile.token + t) + tile.row;
            std::copy_n(tile.of(t), tile.rows, row);
            if (matrix.bias) kernels.addScaled(row, matrix.bias + tile.row, 1, tile.rows);
        }
    });
}

// to(token) = act(W_gate x + b) * (W_up x + b), or act(W_up x + b) without a gate, where x is that of the inputs times
// factor(token).
template <class To, class Factor>
void multiplyGateUp(const Kernels& kernels, Activate activate, const Matrix& gate, const Matrix& up, const Inputs& inputs,
                    TokenRun run, jobs::Range panels, To to, Factor factor) {
    alignas(64) Tile upTile;
    const Matrix& first = gate ? gate : up;
    multiply(kernels, *first.panels, inputs, run, panels, [&](const ProductTile& tile) {
        if (gate)
            multiplyTile(kernels, *up.panels, inputs, tile.row / panelRows, tile.stride / panelRows,
                         run.firstGroup + tile.token / inputs.width, groupCount(tile.tokens, inputs.width), upTile.data());
        for (std::size_t t = 0; t < tile.tokens; ++t) {
            float* const row = to(tile.token + t) + tile.row;
            float* const upRow = upTile.data() + t * tile.stride;
            std::copy_n(tile.of(t), tile.rows, row);
            if (const float scale = factor(tile.token + t); scale != 1)
                for (std::size_t i = 0; i < tile.rows; ++i) {
                    row[i] *= scale;
                    if (gate) upRow[i] *= scale;
                }
            if (first.bias) kernels.addScaled(row, first.bias + tile.row, 1, tile.rows);
            if (gate && up.bias) kernels.addScaled(upRow, up.bias + tile.row, 1, tile.rows);
            activate(row, gate ? upRow : nullptr, tile.rows);
        }
    });
}

} // namespace wb::infer::cpu
