// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/formats/gguf/gguf.h"
#include "core/text/tokenizer.h"

#include <cstdint>
#include <cstdlib>

namespace {

constexpr std::string_view texts[] = {"", "Hello, world!  It's 12345 o'clock.\n\n\n",
                                      "héllo 你好 \xF0\x9F\x98\x80\t<|im_end|></s> x",
                                      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa \xE2\x96\x81 <0x41>"};

// Ids lie in the vocabulary, with a user's stretch or without, and every token has a text.
void check(const wb::text::Tokenizer& tokenizer, std::string_view text) {
    const wb::text::Stretch whole{0, text.size()};
    for (const bool special : {false, true}) {
        wb::text::EncodeOptions options;
        options.addSpecial = options.parseSpecial = special;
        const auto ids = tokenizer.encode(text, options, special ? std::span(&whole, 1) : std::span<const wb::text::Stretch>());
        if (!ids) std::abort();
        for (const wb::text::TokenId id : *ids)
            if (!tokenizer.vocabulary().isValid(id)) std::abort();
        (void)wb::toUtf8(tokenizer.decode(*ids, special));
    }
}

} // namespace

// The vocabulary of a stranger's file cuts every text into its own tokens, or is refused by a sentence that names the file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto source = std::make_shared<wb::io::MemorySource>("input.gguf", std::vector(bytes.begin(), bytes.end()));
    const auto model = wb::gguf::open(source, {});
    if (!model) return 0;
    const auto tokenizer = wb::text::Tokenizer::open(**model);
    if (!tokenizer) {
        if (tokenizer.error().message().find("input.gguf") == std::string::npos) std::abort();
        return 0;
    }
    for (const std::string_view text : texts) check(**tokenizer, text);
    const auto count = static_cast<wb::text::TokenId>(std::min<std::size_t>((*tokenizer)->vocabulary().tokens.size(), 500));
    for (wb::text::TokenId id = 0; id < count; ++id) check(**tokenizer, wb::toUtf8((*tokenizer)->piece(id, true)));
    return 0;
}
