#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The files that installers are made of agree: one version, the same file types on every system, checksums of the files they name."""
import hashlib
import json
import pathlib
import plistlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[2]
INSTALLER = ROOT / "installer"
VERSION = re.search(r"project\(Weighbridge VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)


def extensions_of_linux():
    globs = xml.parse(INSTALLER / "weighbridge-types.xml").iter("{http://www.freedesktop.org/standards/shared-mime-info}glob")
    return {glob.get("pattern").removeprefix("*.") for glob in globs}


def manifests(packages, folder):
    words = [sys.executable, INSTALLER / "manifests.py", packages, "https://example.org/1/", folder]
    return subprocess.run(words, capture_output=True, text=True, check=False)


class Installers(unittest.TestCase):
    def test_the_newest_release_has_the_version_of_the_build(self):
        release = xml.parse(INSTALLER / "org.weighbridge.Weighbridge.metainfo.xml").find("releases/release")
        self.assertEqual(release.get("version"), VERSION)

    def test_macos_knows_the_file_types_of_linux(self):
        info = plistlib.loads((INSTALLER / "macos/Info.plist.in").read_bytes())
        declared = {kind["UTTypeIdentifier"]: kind["UTTypeTagSpecification"]["public.filename-extension"] for kind in info["UTImportedTypeDeclarations"]}
        opened = {name for kind in info["CFBundleDocumentTypes"] for name in kind["LSItemContentTypes"]}
        self.assertEqual(opened - {"public.folder"}, set(declared))
        self.assertEqual({name for names in declared.values() for name in names}, extensions_of_linux())
        self.assertEqual(plistlib.loads((INSTALLER / "macos/entitlements.plist").read_bytes()), {})

    def test_windows_knows_the_file_types_of_linux(self):
        script = (INSTALLER / "windows/associations.nsh").read_text(encoding="utf-8")
        for word in ("OfferFor", "TakeOver", "Withdraw"):
            self.assertEqual(set(re.findall(rf'!insertmacro {word} "\.(\w+)"', script)), extensions_of_linux(), word)

    def test_flatpak_renames_what_is_installed(self):
        manifest = json.loads((INSTALLER / "linux/org.weighbridge.Weighbridge.json").read_text(encoding="utf-8"))
        metadata = xml.parse(INSTALLER / "org.weighbridge.Weighbridge.metainfo.xml")
        self.assertEqual(manifest["id"], metadata.findtext("id"))
        self.assertEqual(manifest["rename-desktop-file"], metadata.findtext("launchable"))
        self.assertIn(manifest["command"], [binary.text for binary in metadata.iter("binary")])
        for file in ("rename-desktop-file", "rename-mime-file"):
            self.assertTrue((INSTALLER / manifest[file]).exists(), file)
        entry = (INSTALLER / manifest["rename-desktop-file"]).read_text(encoding="utf-8")
        self.assertIn(f"Icon={manifest['rename-icon']}\n", entry)
        self.assertIn(manifest["modules"][0]["sources"][0]["path"], (INSTALLER / "linux/appimage.py").read_text(encoding="utf-8"))

    def test_manifests_name_version_and_checksum(self):
        with tempfile.TemporaryDirectory() as name:
            packages, folder = pathlib.Path(name) / "packages", pathlib.Path(name) / "manifests"
            packages.mkdir()
            self.assertEqual(manifests(packages, folder).returncode, 1)
            (packages / "weighbridge-Windows.exe").write_bytes(b"installer")
            (packages / "weighbridge-Darwin-arm64.dmg").write_bytes(b"image")
            self.assertEqual(manifests(packages, folder).returncode, 0)
            files = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
            winget = [text for name, text in files.items() if name.endswith(".yaml")]
            self.assertEqual(len(winget), 3)
            for text in winget:
                self.assertIn(f"PackageVersion: {VERSION}\n", text)
            installer = files["Weighbridge.Weighbridge.installer.yaml"]
            self.assertIn("InstallerUrl: https://example.org/1/weighbridge-Windows.exe\n", installer)
            self.assertIn(hashlib.sha256(b"installer").hexdigest().upper(), installer)
            cask = files["weighbridge.rb"]
            self.assertIn(f'sha256 "{hashlib.sha256(b"image").hexdigest()}"', cask)
            self.assertIn(f'version "{VERSION}"', cask)


if __name__ == "__main__":
    unittest.main()
