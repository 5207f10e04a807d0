"""`make bundle`: both languages as a folder that opens by a double click, with live calculators, in one zip.

In: the repository, the day of the build, the version. Out: dist/gpu-server-guide-offline-<version>.zip, the same bytes for
the same inputs: entries are sorted and dated by `today`.
"""

import argparse
import sys
import zipfile
from collections.abc import Sequence
from datetime import UTC, date, datetime
from importlib import metadata
from pathlib import Path

from catalog.load import CatalogErrors
from sitebuild import build, engine, files, links, publish, python_assets
from sitebuild.layout import Layout

README = """GPU Server Guide {version} - built {today}
GPU 服务器选购指南 {version}，构建于 {today}

Open index.html in a browser (English), or zh/index.html (中文). Nothing is installed and nothing is sent: the
calculators run in your browser from this folder, with no network.
用浏览器打开 index.html（英文）或 zh/index.html（中文）。无需安装，也不会发送任何数据：计算器在浏览器中运行，不需要网络。

Code: Apache-2.0. Text and data: CC BY 4.0. Python in the browser: see assets/python/*/NOTICE.txt.
"""
PACKED = {".png", ".webp", ".jpg", ".woff2", ".gz"}


def folder(layout: Layout, today: date, *, strict: bool = True) -> Path:
    """Build the offline folder; gives its path."""
    inputs = build.prepare(layout, today)
    target = layout.build / "offline"
    with build.step("engine") as said:
        done = engine.build(layout, engine.OFFLINE, today, strict)
        said.extend(f"{name}: {what}" for name, what in done.items())
    with build.step("folder") as said:
        local = layout.build / "python-local"
        python_assets.build(local, inputs.json, http=False, local=True)
        english, chinese = (layout.html / name for name in engine.OFFLINE)
        changes = publish.publish(english, chinese, target, offline=True, runtime=local, finish=links.with_index)
        files.write(target / "README.txt", README.format(version=version(), today=today.isoformat()))
        said.append(f"{len(changes.added)} added, {len(changes.changed)} changed, {len(changes.removed)} removed")
    return target


def version() -> str:
    """The project's version, as pyproject.toml has it."""
    return metadata.version("gpu-server-guide")


def pack(source: Path, archive: Path, today: date) -> None:
    """A deterministic zip of a folder."""
    archive.parent.mkdir(parents=True, exist_ok=True)
    stamp = (today.year, today.month, today.day, 0, 0, 0)
    with zipfile.ZipFile(archive, "w") as zipped:
        for name in files.listing(source):
            entry = zipfile.ZipInfo(f"gpu-server-guide/{name}", stamp)
            entry.compress_type = zipfile.ZIP_STORED if Path(name).suffix in PACKED else zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            entry.create_system = 3
            zipped.writestr(entry, (source / name).read_bytes(), compresslevel=9)


def main(argv: Sequence[str] | None = None) -> int:
    """The command; exit code 1 with the reason where the bundle could not be made."""
    parser = argparse.ArgumentParser(prog="sitebuild.bundle", description="Write the offline bundle to dist/.")
    parser.add_argument("--today", type=build.day, default=datetime.now(UTC).date(), help="the day of the build, YYYY-MM-DD")
    parser.add_argument("--lenient", action="store_true", help="print the engine's warnings and go on")
    asked = parser.parse_args(argv)
    layout = Layout()
    archive = layout.dist / f"gpu-server-guide-offline-{version()}.zip"
    try:
        with files.alone(layout.build):
            source = folder(layout, asked.today, strict=not asked.lenient)
            with build.step("zip") as said:
                pack(source, archive, asked.today)
                said.append(f"{archive.relative_to(layout.root)}, {archive.stat().st_size / 1e6:.1f} MB")
    except CatalogErrors as error:
        for problem in error.errors:
            print(problem, file=sys.stderr)
        return 1
    except build.FAILURES as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
