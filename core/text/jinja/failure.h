// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

namespace wb::text::jinja {

// The four classes in which a template fails; those of Jinja2 and Python that transformers' users know.
enum class FailureClass { Template, Undefined, Type, Security };

// "TemplateError", "UndefinedError", "TypeError", "SecurityError".
const char* name(FailureClass failureClass);

// Thrown and caught inside core/text only: an interpreter that returns each step's error as a value hides its rules after the
// checks.
struct Failure {
    FailureClass failureClass = FailureClass::Template;
    std::string message;
    std::size_t line = 0; // of the template, from 1; 0: not known yet
};

[[noreturn]] inline void failTemplate(std::string message, std::size_t line = 0) {
    throw Failure{FailureClass::Template, std::move(message), line};
}
[[noreturn]] inline void failUndefined(std::string message) { throw Failure{FailureClass::Undefined, std::move(message), 0}; }
[[noreturn]] inline void failType(std::string message) { throw Failure{FailureClass::Type, std::move(message), 0}; }
[[noreturn]] inline void failSecurity(std::string message) { throw Failure{FailureClass::Security, std::move(message), 0}; }

} // namespace wb::text::jinja
