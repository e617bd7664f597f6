// SPDX-License-Identifier: MIT
#include "core/worker/model_wire.h"

#include "core/base/text.h"
#include "core/model/danger.h"

namespace wb::worker {
namespace {

constexpr std::uint64_t smallest = 8; // every text, list and tensor takes at least the bytes of one count

void writeNumbers(WireWriter& out, std::span<const std::uint64_t> numbers) {
    out.u64(numbers.size());
    for (const std::uint64_t number : numbers) out.u64(number);
}

std::vector<std::uint64_t> readNumbers(WireReader& in) {
    std::vector<std::uint64_t> numbers(in.count(smallest));
    for (std::uint64_t& number : numbers) number = in.u64();
    return numbers;
}

void writeTexts(WireWriter& out, const std::vector<std::string>& texts) {
    out.u64(texts.size());
    for (const std::string& text : texts) out.text(text);
}

std::vector<std::string> readTexts(WireReader& in) {
    std::vector<std::string> texts(in.count(smallest));
    for (std::string& text : texts) text = toUtf8(in.text());
    return texts;
}

template <class T>
void writeOptional(WireWriter& out, const std::optional<T>& value, void (WireWriter::*write)(T)) {
    out.flag(value.has_value());
    if (value) (out.*write)(*value);
}

template <class T>
std::optional<T> readOptional(WireReader& in, T (WireReader::*read)()) {
    return in.flag() ? std::optional((in.*read)()) : std::nullopt;
}

void writeDetails(WireWriter& out, const std::shared_ptr<const TensorDetails>& details) {
    out.flag(details != nullptr);
    if (!details) return;
    out.text(details->member);
    out.text(details->group);
    writeOptional(out, details->storageOffset, &WireWriter::u64);
    writeTexts(out, details->aliases);
    writeTexts(out, details->notes);
    out.flag(details->isRepeated);
    out.text(details->scheme);
    writeTexts(out, details->parts);
    writeOptional(out, details->bitsPerWeight, &WireWriter::f64);
}

std::shared_ptr<const TensorDetails> readDetails(WireReader& in) {
    if (!in.flag()) return nullptr;
    TensorDetails details;
    details.member = toUtf8(in.text());
    details.group = toUtf8(in.text());
    details.storageOffset = readOptional(in, &WireReader::u64);
    details.aliases = readTexts(in);
    details.notes = readTexts(in);
    details.isRepeated = in.flag();
    details.scheme = toUtf8(in.text());
    details.parts = readTexts(in);
    details.bitsPerWeight = readOptional(in, &WireReader::f64);
    return std::make_shared<const TensorDetails>(std::move(details));
}

void writePieces(WireWriter& out, const std::vector<TensorPiece>& pieces) {
    out.u64(pieces.size());
    for (const TensorPiece& piece : pieces) {
        out.u32(piece.file);
        out.u64(piece.offset);
        out.u64(piece.elements);
    }
}

std::vector<TensorPiece> readPieces(WireReader& in, std::uint32_t files) {
    constexpr std::uint64_t pieceBytes = 20;
    std::vector<TensorPiece> pieces(in.count(pieceBytes));
    for (TensorPiece& piece : pieces) {
        piece = {in.u32(), in.u64(), in.u64()};
        if (piece.file >= files) in.reject();
    }
    return pieces;
}

Result<void> writeSource(WireWriter& out, const TensorSource& source, const RecipeWire& recipes) {
    out.u8(static_cast<std::uint8_t>(source.form()));
    const TensorPlace& place = source.place();
    out.u32(place.file);
    writeOptional(out, place.offset, &WireWriter::u64);
    out.u64(place.bytes);
    switch (source.form()) {
    case TensorSource::Form::Unavailable:
        out.text(source.unavailableReason().id());
        out.text(source.unavailableWhy());
        break;
    case TensorSource::Form::Pieces: writePieces(out, source.pieces()); break;
    case TensorSource::Form::Strided: writeNumbers(out, source.strides()); break;
    case TensorSource::Form::Recipe:
        if (recipes.write == nullptr || !recipes.write(out, *source.recipe()))
            return fail(ErrorCode::Internal, Reason("worker.recipe"), WB_TEXT("Tensors of this form cannot be transferred."));
        break;
    case TensorSource::Form::Stored: break;
    }
    return {};
}

TensorSource readUnavailable(WireReader& in, const TensorPlace& place) {
    const Reason reason = keptReason(in.text());
    TensorSource source = TensorSource::unavailable(reason, toUtf8(in.text()));
    source.setPlace(place);
    return source;
}

TensorSource readRecipe(WireReader& in, const TensorPlace& place, const RecipeWire& recipes) {
    auto recipe = recipes.read != nullptr ? recipes.read(in) : nullptr;
    if (!recipe) in.reject();
    return recipe ? TensorSource::recipe(std::move(recipe), place.bytes) : TensorSource();
}

TensorSource readSource(WireReader& in, std::uint32_t files, const RecipeWire& recipes) {
    const std::uint8_t form = in.u8();
    TensorPlace place{in.u32(), readOptional(in, &WireReader::u64), 0};
    place.bytes = in.u64();
    if (place.file >= files && place.file != noFile) in.reject();
    switch (static_cast<TensorSource::Form>(form)) {
    case TensorSource::Form::Unavailable: return readUnavailable(in, place);
    case TensorSource::Form::Stored: return TensorSource::stored(place.file, place.offset.value_or(0), place.bytes);
    case TensorSource::Form::Pieces: return TensorSource::pieces(readPieces(in, files), place.bytes);
    case TensorSource::Form::Strided:
        return TensorSource::strided(place.file, place.offset.value_or(0), readNumbers(in), place.bytes);
    case TensorSource::Form::Recipe: return readRecipe(in, place, recipes);
    }
    in.reject();
    return {};
}

Result<void> writeTensor(WireWriter& out, const TensorInfo& tensor, const RecipeWire& recipes) {
    out.text(tensor.name);
    out.u8(static_cast<std::uint8_t>(tensor.dtype));
    writeNumbers(out, tensor.shape.dimensions());
    out.flag(tensor.logical);
    out.text(tensor.typeText);
    out.text(tensor.rawName);
    writeDetails(out, tensor.details);
    return writeSource(out, tensor.source, recipes);
}

TensorInfo readTensor(WireReader& in, std::uint32_t files, const RecipeWire& recipes) {
    TensorInfo tensor;
    tensor.name = toUtf8(in.text());
    const std::uint8_t dtype = in.u8();
    const auto shape = Shape::make(readNumbers(in));
    if (dtype >= static_cast<std::uint8_t>(Dtype::Count) || !shape) in.reject();
    else {
        tensor.dtype = static_cast<Dtype>(dtype);
        tensor.shape = *shape;
    }
    tensor.logical = in.flag();
    tensor.typeText = toUtf8(in.text());
    tensor.rawName = std::string(in.text());
    tensor.details = readDetails(in);
    tensor.source = readSource(in, files, recipes);
    return tensor;
}

} // namespace

Result<void> writeModel(WireWriter& out, const Model& model, const RecipeWire& recipes) {
    out.text(formatName(model.format));
    out.flag(model.version.has_value());
    out.text(model.version.value_or(""));
    out.flag(model.architecture.has_value());
    out.text(model.architecture.value_or(""));
    out.flag(model.bigEndian);
    writeValue(out, Value::of(model.metadata));
    out.u64(model.problems.size());
    for (const Problem& problem : model.problems) writeProblem(out, problem);
    out.flag(model.danger != nullptr);
    if (model.danger) writeDanger(out, *model.danger);
    out.flag(model.checkpoint != nullptr);
    if (model.checkpoint) writeCheckpoint(out, *model.checkpoint);
    out.u64(model.tensors.size());
    for (const TensorInfo& tensor : model.tensors) WB_TRY(writeTensor(out, tensor, recipes));
    return {};
}

std::optional<Model> readModel(WireReader& in, std::uint32_t files, const RecipeWire& recipes, const ModelCaps& caps) {
    Model model;
    const auto text = [&in] { return toUtf8(in.text()); };
    model.format = formatFromName(in.text()).value_or(FormatId::Unknown);
    const bool hasVersion = in.flag();
    std::string version = text();
    if (hasVersion) model.version = std::move(version);
    const bool hasArchitecture = in.flag();
    std::string architecture = text();
    if (hasArchitecture) model.architecture = std::move(architecture);
    model.bigEndian = in.flag();
    const Value metadata = readValue(in, caps.depth);
    if (metadata.object() == nullptr) return std::nullopt;
    model.metadata = *metadata.object();
    const std::uint64_t problems = in.count(smallest);
    if (problems > caps.problems) return std::nullopt;
    for (std::uint64_t i = 0; i < problems && in.good(); ++i) model.problems.push_back(readProblem(in));
    if (in.flag()) model.danger = readDanger(in);
    if (in.flag()) model.checkpoint = readCheckpoint(in, caps.depth);
    const std::uint64_t tensors = in.count(smallest);
    if (tensors > caps.tensors) return std::nullopt;
    model.tensors.reserve(tensors);
    for (std::uint64_t i = 0; i < tensors && in.good(); ++i) model.tensors.push_back(readTensor(in, files, recipes));
    if (!in.good()) return std::nullopt;
    sortProblems(model.problems);
    return model;
}

std::unexpected<Error> garbledModel(const std::string& subject) {
    return fail(ErrorCode::Malformed, Reason("worker.garbled"), About{subject},
                WB_TEXT("The process that reads {} returned invalid data; the file may be malicious."), subject);
}

} // namespace wb::worker
