// SPDX-License-Identifier: MIT
#include "ui/widgets/font_stems.h"

#include <cstring>

#ifdef __linux__
#include <dlfcn.h>

// Qt switches the darkening of stems on in its own copy of the state of FreeType (qtbase: src/gui/text/freetype/qfontengine_ft.cpp,
// qt_getFreetypeData) and offers no way to leave it off. Light text on a dark ground becomes as heavy as bold text by it, but
// with PostScript outlines only, so that Chinese is bolder than Latin letters next to it. The dynamic linker takes a symbol from
// the program first, so that Qt's request comes here.
extern "C" __attribute__((visibility("default"))) int FT_Property_Set(void* library, const char* module, const char* property,
                                                                      const void* value) {
    using SetProperty = int (*)(void*, const char*, const char*, const void*);
    static const auto setProperty = reinterpret_cast<SetProperty>(::dlsym(RTLD_NEXT, "FT_Property_Set"));
    constexpr int unimplemented = 7; // FT_Err_Unimplemented_Feature
    if (!setProperty) return unimplemented;
    constexpr unsigned char off = 1;
    const bool isDarkening = std::strcmp(property, "no-stem-darkening") == 0;
    return setProperty(library, module, property, isDarkening ? &off : value);
}
#endif

namespace wb::ui {

// A call that is needed makes the linker take this file along.
void keepStemsEven() {}

} // namespace wb::ui
