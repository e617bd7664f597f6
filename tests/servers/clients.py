#!/usr/bin/env python3
"""clients.py BUILD: the hubs' own clients and curl against the loopback hubs, and against the caches that wb wrote.

The servers of the tests are as good as the clients that they are tested with: where huggingface_hub or modelscope fails here, the server
is wrong. Both come from PyPI into a folder of the build."""
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import venv

PACKAGES = ["huggingface_hub==2.4.0", "modelscope==1.40.2"]

HUGGING_FACE = """
import os, sys
from huggingface_hub import HfApi, scan_cache_dir, snapshot_download
print(snapshot_download('acme/tiny-gguf'))
if not os.environ.get('HF_HUB_OFFLINE'):
    assert [m.id for m in HfApi().list_models(search='tiny')] == ['acme/tiny-gguf']
assert not scan_cache_dir().warnings, scan_cache_dir().warnings
"""
MODELSCOPE = """
import os
from modelscope import snapshot_download
print(snapshot_download('达摩/小模型', local_files_only=bool(os.environ.get('OFFLINE'))))
"""

# A plain folder that wb filled: nothing comes again.
LOCAL_FOLDER = """
import os, sys
from huggingface_hub import snapshot_download
print(snapshot_download('acme/tiny-gguf', local_dir=sys.argv[1]))
"""
MODELSCOPE_LOCAL = """
import sys
from modelscope import snapshot_download
print(snapshot_download('达摩/小模型', local_dir=sys.argv[1]))
"""


def python_of(build):
    folder = build / "clients"
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    return python


def contents(folder):
    files = [path for path in sorted(pathlib.Path(folder).rglob("*")) if path.is_file()]
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def inodes(folder):
    return {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in sorted(folder.glob("**/*")) if path.is_file() and ".cache" not in path.parts}


def last_line(command, environment):
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"clients: {command[0]} failed\n{done.stdout}{done.stderr}")
    return done.stdout.strip().splitlines()[-1]


def run(build, hubs, folder):
    wb, python = build / "bin" / "wb", python_of(build)
    usual = {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config"), "HF_ENDPOINT": hubs["hub"],
             "MODELSCOPE_ENDPOINT": hubs["ms"], "HF_HUB_DISABLE_XET": "1", "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}
    theirs = {**usual, "HF_HOME": str(folder / "their-hf"), "MODELSCOPE_CACHE": str(folder / "their-ms")}
    ours = {**usual, "HF_HOME": str(folder / "our-hf"), "MODELSCOPE_CACHE": str(folder / "our-ms")}
    # Their clients download from the servers.
    by_them = contents(last_line([python, "-c", HUGGING_FACE], theirs))
    by_them_ms = contents(last_line([python, "-c", MODELSCOPE], theirs))
    # wb fills the caches, and their clients find everything there with the hubs out of reach.
    nowhere = {"HF_ENDPOINT": "http://127.0.0.1:9", "MODELSCOPE_ENDPOINT": "http://127.0.0.1:9", "HF_HUB_OFFLINE": "1", "OFFLINE": "1"}
    for name in ("hf:acme/tiny-gguf", "ms:达摩/小模型"):
        subprocess.run([wb, "download", name, "--cache", name[:2], "--quiet"], env=ours, check=True, stdout=subprocess.DEVNULL)
    by_us = contents(last_line([python, "-c", HUGGING_FACE], {**ours, **nowhere}))
    by_us_ms = contents(last_line([python, "-c", MODELSCOPE], {**ours, **nowhere}))
    assert len(by_them) == 4 and by_them == by_us == by_them_ms == by_us_ms, (by_them, by_us, by_them_ms, by_us_ms)
    # And wb finds what they downloaded.
    found = subprocess.run([wb, "download", "hf:acme/tiny-gguf", "--cache", "hf", "--json"], env=theirs, check=True, capture_output=True)
    assert json.loads(found.stdout)["bytes_fetched"] == 0, found.stdout
    # A folder of ours is one of theirs: they find every file there and write none.
    for name, program in (("hf:acme/tiny-gguf", LOCAL_FOLDER), ("ms:达摩/小模型", MODELSCOPE_LOCAL)):
        plain = folder / ("plain-" + name[:2])
        subprocess.run([wb, "download", name, "--to", plain, "--quiet"], env=ours, check=True, stdout=subprocess.DEVNULL)
        before = inodes(plain)
        last_line([python, "-c", program, str(plain)], theirs)
        after = inodes(plain)
        assert len(before) == 4 and {file: after[file] for file in before} == before, (name, before, after)
    # curl follows the redirects to the bytes, whole and in part.
    address = hubs["hub"] + "/acme/large/resolve/main/file-1.bin"
    for extra in ([], ["--range", "1000-1999"]):
        body = subprocess.run(["curl", "--silent", "--fail", "--location", "--noproxy", "*", *extra, address], check=True, capture_output=True)
        assert len(body.stdout) == (1000 if extra else hubs["files"][0]["bytes"])
        if not extra:
            assert hashlib.sha256(body.stdout).hexdigest() == hubs["files"][0]["sha256"]


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    server = subprocess.Popen([build / "bin" / "loopback_hub", "3"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        with tempfile.TemporaryDirectory() as folder:
            run(build, json.loads(server.stdout.readline()), pathlib.Path(folder))
    finally:
        server.stdin.close()
        server.wait()
    print("clients: huggingface_hub, modelscope and curl agree with the servers and with wb")


if __name__ == "__main__":
    main()
