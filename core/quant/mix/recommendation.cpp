// SPDX-License-Identifier: MIT
#include "core/quant/mix/recommendation.h"

#include <utility>

namespace wb::quant {

std::optional<TypeAdvice> adviseType(std::span<const TypeOffer> offers, double unnoticed) {
    std::optional<TypeAdvice> best;
    for (std::size_t i = 0; i < offers.size(); ++i) {
        const TypeOffer& offer = offers[i];
        if (!offer.fits || !offer.loss) continue;
        const bool isUnnoticed = *offer.loss <= unnoticed;
        const TypeOffer* chosen = best ? &offers[best->offer] : nullptr;
        const bool isBetter = !chosen                            ? true
                              : isUnnoticed != best->isUnnoticed ? isUnnoticed
                              : isUnnoticed                      ? offer.bytes < chosen->bytes
                                            : std::pair(*offer.loss, offer.bytes) < std::pair(*chosen->loss, chosen->bytes);
        if (isBetter) best = TypeAdvice{i, isUnnoticed};
    }
    return best;
}

} // namespace wb::quant
