// SPDX-License-Identifier: MIT
#include "core/model/tensor_source.h"

#include "core/model/recipe.h"

namespace wb {

TensorSource TensorSource::stored(std::uint32_t file, std::uint64_t offset, std::uint64_t bytes) {
    TensorSource source;
    source.m_place = {file, offset, bytes};
    source.m_form = Stored();
    return source;
}

TensorSource TensorSource::pieces(std::vector<TensorPiece> pieces, std::uint64_t bytes) {
    TensorSource source;
    source.m_place.bytes = bytes;
    if (!pieces.empty()) {
        source.m_place.file = pieces.front().file;
        source.m_place.offset = pieces.front().offset;
    }
    source.m_form = std::make_shared<const std::vector<TensorPiece>>(std::move(pieces));
    return source;
}

TensorSource TensorSource::strided(std::uint32_t file, std::uint64_t offset, std::vector<std::uint64_t> strides,
                                   std::uint64_t bytes) {
    TensorSource source;
    source.m_place = {file, offset, bytes};
    source.m_form = Strides{std::make_shared<const std::vector<std::uint64_t>>(std::move(strides))};
    return source;
}

TensorSource TensorSource::recipe(std::shared_ptr<const Recipe> recipe, std::uint64_t bytes) {
    TensorSource source;
    source.m_place = {noFile, std::nullopt, bytes};
    source.m_form = std::move(recipe);
    return source;
}

TensorSource TensorSource::unavailable(Reason reason, std::string why) {
    TensorSource source;
    source.makeUnavailable(reason, std::move(why));
    return source;
}

void TensorSource::makeUnavailable(Reason reason, std::string why) {
    m_form = std::make_shared<const Unavailable>(reason, std::move(why));
}

void TensorSource::setPlace(const TensorPlace& place) {
    m_place = place;
    if (form() != Form::Unavailable) m_form = Stored();
}

void TensorSource::shiftFiles(std::uint32_t by) {
    if (m_place.file != noFile) m_place.file += by;
    if (form() != Form::Pieces) return;
    std::vector<TensorPiece> shifted = pieces();
    for (TensorPiece& piece : shifted) piece.file += by;
    m_form = std::make_shared<const std::vector<TensorPiece>>(std::move(shifted));
}

const std::vector<TensorPiece>& TensorSource::pieces() const {
    static const std::vector<TensorPiece> none;
    const auto* list = std::get_if<Pieces>(&m_form);
    return list ? **list : none;
}

const std::vector<std::uint64_t>& TensorSource::strides() const {
    static const std::vector<std::uint64_t> none;
    const auto* strides = std::get_if<Strides>(&m_form);
    return strides ? *strides->list : none;
}

const std::shared_ptr<const Recipe>& TensorSource::recipe() const {
    static const std::shared_ptr<const Recipe> none;
    const auto* recipe = std::get_if<std::shared_ptr<const Recipe>>(&m_form);
    return recipe ? *recipe : none;
}

Reason TensorSource::unavailableReason() const {
    const auto* unavailable = std::get_if<std::shared_ptr<const Unavailable>>(&m_form);
    return unavailable && *unavailable ? (*unavailable)->reason : Reason();
}

const std::string& TensorSource::unavailableWhy() const {
    static const std::string none;
    const auto* unavailable = std::get_if<std::shared_ptr<const Unavailable>>(&m_form);
    return unavailable && *unavailable ? (*unavailable)->why : none;
}

} // namespace wb
