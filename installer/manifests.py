#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the manifests of winget and Homebrew for packages that cpack made.

manifests.py PACKAGES URL FOLDER: PACKAGES holds the installer of Windows (.exe), the disk image of macOS (.dmg) or both, which are to be
published beneath URL; the version is that of CMakeLists.txt, the checksums are those of the files. FOLDER then holds winget's three files
and the cask. References: https://learn.microsoft.com/windows/package-manager/package/manifest (schema 1.6.0) and
https://docs.brew.sh/Cask-Cookbook. Neither has been submitted yet.
"""
import hashlib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
IDENTIFIER = "Weighbridge.Weighbridge"
SCHEMA = "1.6.0"
SUMMARY = "Workbench for model files: inspect, measure, convert, quantize and chat offline"


def version():
    return re.search(r"project\(Weighbridge VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)


def sha256(path):
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def winget(installer, url):
    """Name and text of each file; the installer is NSIS, for all users, and lists itself under its name among the programs."""
    head = f"PackageIdentifier: {IDENTIFIER}\nPackageVersion: {version()}\n"
    return {
        f"{IDENTIFIER}.yaml": f"{head}DefaultLocale: en-US\nManifestType: version\nManifestVersion: {SCHEMA}\n",
        f"{IDENTIFIER}.locale.en-US.yaml": f"{head}PackageLocale: en-US\nPublisher: The Weighbridge authors\nPackageName: Weighbridge\n"
                                           f"License: MIT\nShortDescription: '{SUMMARY}'\nManifestType: defaultLocale\nManifestVersion: {SCHEMA}\n",
        f"{IDENTIFIER}.installer.yaml": f"{head}InstallerType: nullsoft\nScope: machine\nUpgradeBehavior: install\nInstallers:\n"
                                        f"- Architecture: x64\n  InstallerUrl: {url}/{installer.name}\n  InstallerSha256: {sha256(installer).upper()}\n"
                                        f"ManifestType: installer\nManifestVersion: {SCHEMA}\n",
    }


def cask(image, url):
    architecture = "arm64" if "arm64" in image.name else "x86_64"
    return {"weighbridge.rb": f'''cask "weighbridge" do
  version "{version()}"
  sha256 "{sha256(image)}"

  url "{url}/{image.name}"
  name "Weighbridge"
  desc "{SUMMARY}"
  homepage "{url}"

  depends_on arch: :{architecture}
  depends_on macos: ">= :ventura"

  app "weighbridge.app", target: "Weighbridge.app"
  binary "bin/wb"

  zap trash: [
    "~/Library/Caches/weighbridge",
    "~/Library/Preferences/weighbridge",
  ]
end
'''}


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    packages, url, folder = pathlib.Path(sys.argv[1]), sys.argv[2].rstrip("/"), pathlib.Path(sys.argv[3])
    files = {}
    for installer in packages.glob("weighbridge-*.exe"):
        files.update(winget(installer, url))
    for image in packages.glob("weighbridge-*.dmg"):
        files.update(cask(image, url))
    if not files:
        sys.exit(f"manifests: {packages} holds neither an installer (weighbridge-*.exe) nor a disk image (weighbridge-*.dmg)")
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    print(*(folder / name for name in sorted(files)), sep="\n")


if __name__ == "__main__":
    main()
