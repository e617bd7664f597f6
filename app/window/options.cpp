// SPDX-License-Identifier: MIT
#include "app/window/options.h"

#include <QCommandLineParser>
#include <QCoreApplication>

#include <algorithm>
#include <string_view>

namespace wb {

bool wantsOnlyText(int argc, char** argv) {
    return std::any_of(argv + 1, argv + argc, [](std::string_view argument) {
        return argument == "--help" || argument == "-h" || argument == "--version" || argument == "-v" || argument == "--help-all";
    });
}

QStringList parsePaths() {
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Opens any model file, weighs it and shows what is in it."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("paths"), QStringLiteral("Model files or folders to open."),
                                 QStringLiteral("[paths...]"));
    parser.process(*QCoreApplication::instance());
    return parser.positionalArguments();
}

} // namespace wb
