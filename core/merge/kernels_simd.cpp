// SPDX-License-Identifier: MIT
#include "core/merge/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/merge/kernels_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace wb::merge::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;
using Words = hn::RebindToSigned<Floats>;
using F = hn::Vec<Floats>;
using W = hn::Vec<Words>;

constexpr Floats floats;
constexpr Words words;

std::size_t Lanes() { return hn::Lanes(floats); }

// Elements in whole vectors; the readable form computes the others.
std::size_t WholeVectors(std::size_t count) { return count - count % Lanes(); }

F Load(const float* from) { return hn::LoadU(floats, from); }
void Store(F values, float* to) { hn::StoreU(values, floats, to); }
W Bits(F values) { return hn::BitCast(words, values); }
W Magnitudes(F values) { return hn::And(Bits(values), hn::Set(words, 0x7FFFFFFF)); }

bool AreFinite(std::span<const float> values) {
    const std::size_t whole = WholeVectors(values.size());
    W largest = hn::Zero(words);
    for (std::size_t i = 0; i < whole; i += Lanes()) largest = hn::Max(largest, Magnitudes(Load(&values[i])));
    const auto isFinite = hn::Lt(largest, hn::Set(words, 0x7F800000));
    return hn::AllTrue(words, isFinite) && scalar::areFinite(values.subspan(whole));
}

void Subtract(std::span<const float> left, const float* right, float* out) {
    const std::size_t whole = WholeVectors(left.size());
    for (std::size_t i = 0; i < whole; i += Lanes()) Store(hn::Sub(Load(&left[i]), Load(right + i)), out + i);
    scalar::subtract(left.subspan(whole), right + whole, out + whole);
}

// Where some of the elements at the threshold stay and others do not, their order counts.
void DropSmall(std::span<float> values, const Kept& kept, std::uint64_t& equalBefore) {
    const std::size_t whole = WholeVectors(values.size());
    const W threshold = hn::Set(words, static_cast<std::int32_t>(kept.threshold));
    for (std::size_t i = 0; i < whole; i += Lanes()) {
        const F value = Load(&values[i]);
        const W magnitude = Magnitudes(value);
        const auto isEqual = hn::Eq(magnitude, threshold);
        const std::uint64_t equal = hn::CountTrue(words, isEqual);
        auto stays = hn::Gt(magnitude, threshold);
        if (equalBefore < kept.equal) {
            if (equalBefore + equal > kept.equal) {
                scalar::dropSmall(values.subspan(i, Lanes()), kept, equalBefore);
                continue;
            }
            stays = hn::Or(stays, isEqual);
        }
        equalBefore += equal;
        Store(hn::IfThenElseZero(hn::RebindMask(floats, stays), value), &values[i]);
    }
    scalar::dropSmall(values.subspan(whole), kept, equalBefore);
}

void Multiply(std::span<float> values, float factor) {
    const std::size_t whole = WholeVectors(values.size());
    const F by = hn::Set(floats, factor);
    for (std::size_t i = 0; i < whole; i += Lanes()) Store(hn::Mul(Load(&values[i]), by), &values[i]);
    scalar::multiply(values.subspan(whole), factor);
}

void DivideByOne(std::span<float> values, float by) {
    const std::size_t whole = WholeVectors(values.size());
    const F divisor = hn::Set(floats, by);
    for (std::size_t i = 0; i < whole; i += Lanes()) Store(hn::Div(Load(&values[i]), divisor), &values[i]);
    scalar::divide(values.subspan(whole), by);
}

void AddScaled(std::span<const float> values, float factor, float* sums) {
    const std::size_t whole = WholeVectors(values.size());
    const F by = hn::Set(floats, factor);
    for (std::size_t i = 0; i < whole; i += Lanes()) Store(hn::Add(Load(sums + i), hn::Mul(by, Load(&values[i]))), sums + i);
    scalar::addScaled(values.subspan(whole), factor, sums + whole);
}

void AddElected(std::span<const float> values, const float* signs, float weight, float* sums, float* weights) {
    const std::size_t whole = WholeVectors(values.size());
    const F zero = hn::Zero(floats), own = hn::Set(floats, weight);
    for (std::size_t i = 0; i < whole; i += Lanes()) {
        const F value = Load(&values[i]);
        const auto isUp = hn::Ge(Load(signs + i), zero);
        const auto counts = hn::Or(hn::And(isUp, hn::Gt(value, zero)), hn::AndNot(isUp, hn::Lt(value, zero)));
        Store(hn::Add(Load(sums + i), hn::IfThenElseZero(counts, value)), sums + i);
        Store(hn::Add(Load(weights + i), hn::IfThenElseZero(counts, own)), weights + i);
    }
    scalar::addElected(values.subspan(whole), signs + whole, weight, sums + whole, weights + whole);
}

void Divide(std::span<float> values, const float* by) {
    const std::size_t whole = WholeVectors(values.size());
    const F zero = hn::Zero(floats), one = hn::Set(floats, 1);
    for (std::size_t i = 0; i < whole; i += Lanes()) {
        const F divisor = Load(by + i);
        Store(hn::Div(Load(&values[i]), hn::IfThenElse(hn::Eq(divisor, zero), one, divisor)), &values[i]);
    }
    scalar::divide(values.subspan(whole), by + whole);
}

// Four vectors of a row at a time stay in registers while the rank goes by.
void AddProduct(std::span<float> values, const ProductRow& row, float factor) {
    constexpr std::size_t together = 4;
    const std::size_t step = together * Lanes(), whole = values.size() - values.size() % step;
    const F by = hn::Set(floats, factor);
    for (std::size_t i = 0; i < whole; i += step) {
        F first = hn::Zero(floats), second = first, third = first, fourth = first;
        const float* right = row.right + i;
        for (const float left : row.left) {
            const F each = hn::Set(floats, left);
            first = hn::Add(first, hn::Mul(each, Load(right)));
            second = hn::Add(second, hn::Mul(each, Load(right + Lanes())));
            third = hn::Add(third, hn::Mul(each, Load(right + 2 * Lanes())));
            fourth = hn::Add(fourth, hn::Mul(each, Load(right + 3 * Lanes())));
            right += row.stride;
        }
        float* const out = &values[i];
        Store(hn::Add(Load(out), hn::Mul(by, first)), out);
        Store(hn::Add(Load(out + Lanes()), hn::Mul(by, second)), out + Lanes());
        Store(hn::Add(Load(out + 2 * Lanes()), hn::Mul(by, third)), out + 2 * Lanes());
        Store(hn::Add(Load(out + 3 * Lanes()), hn::Mul(by, fourth)), out + 3 * Lanes());
    }
    scalar::addProduct(values.subspan(whole), {row.left, row.right + whole, row.stride}, factor);
}

void CountLowBits(std::span<const float> left, const float* right, std::uint32_t high, unsigned lowBits, std::uint32_t* counts) {
    const std::size_t whole = WholeVectors(left.size());
    const W above = hn::Set(words, static_cast<std::int32_t>(~0u << lowBits));
    const W wanted = hn::Set(words, static_cast<std::int32_t>(high << lowBits));
    for (std::size_t i = 0; i < whole; i += Lanes()) {
        const W magnitude = Magnitudes(hn::Sub(Load(right + i), Load(&left[i])));
        if (hn::AllFalse(words, hn::Eq(hn::And(magnitude, above), wanted))) continue;
        scalar::countLowBits(left.subspan(i, Lanes()), right + i, high, lowBits, counts);
    }
    scalar::countLowBits(left.subspan(whole), right + whole, high, lowBits, counts);
}

std::uint64_t CountMagnitude(std::span<const float> left, const float* right, std::uint32_t magnitude) {
    const std::size_t whole = WholeVectors(left.size());
    const W wanted = hn::Set(words, static_cast<std::int32_t>(magnitude));
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < whole; i += Lanes())
        count += hn::CountTrue(words, hn::Eq(Magnitudes(hn::Sub(Load(right + i), Load(&left[i]))), wanted));
    return count + scalar::countMagnitude(left.subspan(whole), right + whole, magnitude);
}

void StoreBf16(std::span<const float> values, std::byte* out) {
    const std::size_t whole = WholeVectors(values.size());
    const hn::RebindToUnsigned<Floats> unsignedWords;
    const hn::Rebind<std::uint16_t, Floats> halves;
    const auto half = hn::Set(unsignedWords, 0x7FFFu), one = hn::Set(unsignedWords, 1u), quiet = hn::Set(unsignedWords, 64u);
    const W infinity = hn::Set(words, 0x7F800000);
    for (std::size_t i = 0; i < whole; i += Lanes()) {
        const F value = Load(&values[i]);
        const auto bits = hn::BitCast(unsignedWords, value);
        const auto upper = hn::ShiftRight<16>(bits);
        const auto rounded = hn::ShiftRight<16>(hn::Add(hn::Add(bits, half), hn::And(upper, one)));
        const auto isNan = hn::RebindMask(unsignedWords, hn::Gt(Magnitudes(value), infinity));
        const auto codes = hn::IfThenElse(isNan, hn::Or(upper, quiet), rounded);
        hn::StoreU(hn::DemoteTo(halves, hn::BitCast(words, codes)), halves, reinterpret_cast<std::uint16_t*>(out + 2 * i));
    }
    scalar::storeBf16(values.subspan(whole), out + 2 * whole);
}

} // namespace
} // namespace wb::merge::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::merge {

HWY_EXPORT(AreFinite);
HWY_EXPORT(Subtract);
HWY_EXPORT(DropSmall);
HWY_EXPORT(Multiply);
HWY_EXPORT(DivideByOne);
HWY_EXPORT(AddScaled);
HWY_EXPORT(AddElected);
HWY_EXPORT(Divide);
HWY_EXPORT(AddProduct);
HWY_EXPORT(CountLowBits);
HWY_EXPORT(CountMagnitude);
HWY_EXPORT(StoreBf16);

bool areFinite(std::span<const float> values) { return HWY_DYNAMIC_DISPATCH(AreFinite)(values); }
void subtract(std::span<const float> left, const float* right, float* out) { HWY_DYNAMIC_DISPATCH(Subtract)(left, right, out); }
void dropSmall(std::span<float> values, const Kept& kept, std::uint64_t& equalBefore) {
    HWY_DYNAMIC_DISPATCH(DropSmall)(values, kept, equalBefore);
}
void multiply(std::span<float> values, float factor) { HWY_DYNAMIC_DISPATCH(Multiply)(values, factor); }
void divide(std::span<float> values, float by) { HWY_DYNAMIC_DISPATCH(DivideByOne)(values, by); }
void addScaled(std::span<const float> values, float factor, float* sums) { HWY_DYNAMIC_DISPATCH(AddScaled)(values, factor, sums); }
void addElected(std::span<const float> values, const float* signs, float weight, float* sums, float* weights) {
    HWY_DYNAMIC_DISPATCH(AddElected)(values, signs, weight, sums, weights);
}
void divide(std::span<float> values, const float* by) { HWY_DYNAMIC_DISPATCH(Divide)(values, by); }
void addProduct(std::span<float> values, const ProductRow& row, float factor) {
    HWY_DYNAMIC_DISPATCH(AddProduct)(values, row, factor);
}
void countLowBits(std::span<const float> left, const float* right, std::uint32_t high, unsigned lowBits, std::uint32_t* counts) {
    HWY_DYNAMIC_DISPATCH(CountLowBits)(left, right, high, lowBits, counts);
}
std::uint64_t countMagnitude(std::span<const float> left, const float* right, std::uint32_t magnitude) {
    return HWY_DYNAMIC_DISPATCH(CountMagnitude)(left, right, magnitude);
}
void storeBf16(std::span<const float> values, std::byte* out) { HWY_DYNAMIC_DISPATCH(StoreBf16)(values, out); }

} // namespace wb::merge
#endif
