"""Packs heirloom.py as a wheel, which `pip install FILE` takes: build_wheel.py VERSION FOLDER.

The same source makes the same bytes. The module is a package there, whose py.typed says that it has types.
"""

import base64
import hashlib
import sys
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

repository = Path(__file__).resolve().parents[2]
source = repository / "packages/http/python/heirloom.py"


def wheel_files(version: str) -> dict:
    info = f"heirloom-{version}.dist-info"
    metadata = [
        "Metadata-Version: 2.1",
        "Name: heirloom",
        f"Version: {version}",
        "Summary: Agent memory you can own, prove, pass on and trade.",
        "License: MIT",
        "Requires-Python: >=3.9",
    ]
    wheel = ["Wheel-Version: 1.0", "Generator: heirloom", "Root-Is-Purelib: true", "Tag: py3-none-any"]
    return {
        "heirloom/__init__.py": source.read_bytes(),
        "heirloom/py.typed": b"",
        f"{info}/LICENSE": (repository / "LICENSE").read_bytes(),
        f"{info}/METADATA": lines_of(metadata),
        f"{info}/WHEEL": lines_of(wheel),
    }


def lines_of(lines: list) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def record_of(files: dict, name: str) -> bytes:
    """Returns the RECORD: each file with the sha256 and the length of its bytes; none of its own."""
    digests = {it: hashlib.sha256(content).digest() for it, content in files.items()}
    encoded = {it: base64.urlsafe_b64encode(of).rstrip(b"=").decode() for it, of in digests.items()}
    lines = [f"{it},sha256={encoded[it]},{len(content)}" for it, content in files.items()]
    return lines_of([*lines, f"{name},,"])


def build(version: str, folder: Path) -> Path:
    files = wheel_files(version)
    name = f"heirloom-{version}.dist-info/RECORD"
    files[name] = record_of(files, name)
    path = folder / f"heirloom-{version}-py3-none-any.whl"
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = ZipInfo(name)
            entry.external_attr = 0o644 << 16
            entry.compress_type = ZIP_DEFLATED
            archive.writestr(entry, content)
    return path


if __name__ == "__main__":
    print(build(sys.argv[1], Path(sys.argv[2])))
