#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# sign.sh DISK_IMAGE — signs and notarizes the programs of a disk image that cpack made, on macOS. It has never been run: no certificate
# exists yet. The variables name what it needs:
#   MACOS_IDENTITY   name of a "Developer ID Application" certificate in the keychain
#   NOTARY_KEY       path of an API key of App Store Connect (.p8), with NOTARY_KEY_ID and NOTARY_ISSUER
# References: codesign(1), notarytool(1), stapler(1); https://developer.apple.com/documentation/security/notarizing-macos-software-before-distribution
set -euo pipefail

image=$1
: "${MACOS_IDENTITY:?}" "${NOTARY_KEY:?}" "${NOTARY_KEY_ID:?}" "${NOTARY_ISSUER:?}"
here=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d)
trap 'hdiutil detach "$folder/image" 2>/dev/null || true; rm -rf "$folder"' EXIT

mkdir "$folder/image" "$folder/signed"
hdiutil attach -readonly -nobrowse -mountpoint "$folder/image" "$image"
cp -R "$folder/image/"*.app "$folder/image/bin" "$folder/signed/"
hdiutil detach "$folder/image"

sign() { codesign --force --timestamp --options runtime --entitlements "$here/entitlements.plist" --sign "$MACOS_IDENTITY" "$@"; }
# What lies inside is signed first: a signature covers what it finds.
app=$(echo "$folder"/signed/*.app)
find "$app/Contents" \( -name '*.dylib' -o -name '*.so' \) -print0 | while IFS= read -r -d '' library; do sign "$library"; done
find "$app/Contents/Frameworks" -maxdepth 1 -name '*.framework' -print0 2>/dev/null | while IFS= read -r -d '' framework; do sign "$framework"; done
sign "$folder/signed/bin/wb"
sign "$app"
codesign --verify --deep --strict --verbose=2 "$app"

hdiutil create -ov -volname Weighbridge -srcfolder "$folder/signed" -format UDZO "$image"
codesign --force --timestamp --sign "$MACOS_IDENTITY" "$image"
xcrun notarytool submit "$image" --wait --key "$NOTARY_KEY" --key-id "$NOTARY_KEY_ID" --issuer "$NOTARY_ISSUER"
xcrun stapler staple "$image"
