// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"

#include <expected>

namespace wb {

// What every fallible function across a room edge returns. No exception crosses a room.
template <typename T>
using Result = std::expected<T, Error>;

// `return fail(ErrorCode::Malformed, Reason("json.empty"), About{name}, WB_TEXT("{} is empty."), name);`
template <typename... Args>
std::unexpected<Error> fail(ErrorCode code, Reason reason, About about, const char* format, Args&&... args) {
    return std::unexpected(makeError(code, reason, std::move(about), format, std::forward<Args>(args)...));
}

// `return fail(ErrorCode::Invalid, Reason("query.too_deep"), WB_TEXT("The search is nested more than {} levels deep."),
// maximumDepth);`
template <typename... Args>
std::unexpected<Error> fail(ErrorCode code, Reason reason, const char* format, Args&&... args) {
    return std::unexpected(makeError(code, reason, format, std::forward<Args>(args)...));
}

template <typename... Args>
std::unexpected<Error> fail(ErrorCode code, const char* format, Args&&... args) {
    return std::unexpected(makeError(code, format, std::forward<Args>(args)...));
}

} // namespace wb

#define WB_CONCAT_2(a, b) a##b
#define WB_CONCAT(a, b) WB_CONCAT_2(a, b)

// WB_TRY(expression) leaves the function with the error of a Result<void>; WB_TRY_ASSIGN(auto x, expression) also takes the value.
#define WB_TRY(expression)                                                                                                         \
    do {                                                                                                                           \
        auto wbTryResult = (expression);                                                                                           \
        if (!wbTryResult) return std::unexpected(std::move(wbTryResult).error());                                                  \
    } while (false)
#define WB_TRY_ASSIGN_2(temporary, declaration, expression)                                                                        \
    auto temporary = (expression);                                                                                                 \
    if (!temporary) return std::unexpected(std::move(temporary).error());                                                          \
    declaration = std::move(*temporary)
#define WB_TRY_ASSIGN(declaration, expression) WB_TRY_ASSIGN_2(WB_CONCAT(wbTry, __LINE__), declaration, expression)
