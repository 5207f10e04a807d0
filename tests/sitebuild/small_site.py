"""A site of a few pages in both languages, for tests of the engine's side: real theme, real scripts, small content.

In: a folder. Out: a `Layout` there whose pages stand rendered, with mkdocs.yml cut down to them.
"""

import shutil
from pathlib import Path

import yaml

from sitebuild import configs, search, theme
from sitebuild.layout import Layout

REPOSITORY = Layout()
FORM = (
    '<form id="demo" data-calculator="demo" data-state="static" data-search-exclude>'
    '<label>a <input type="number" name="a" value="2"></label><output data-output="twice" data-value="4">4</output></form>'
)
PAGES = {
    "en/index.md": "---\ntitle: Home\ndescription: A small guide.\n---\n# A small guide\n\nRent or buy. [Memory](guide/memory/index.md#weights)\n",
    "zh/index.md": "---\ntitle: 首页\ndescription: 小指南。\n---\n# 小指南\n\n租用还是购买。[显存](guide/memory/index.md#weights)\n",
    "en/guide/memory/index.md": (
        f"---\ntitle: Memory\ncalculators: [demo]\n---\n# Memory\n\nWords.\n\n{FORM}\n\n## Weights {{#weights}}\n\nQuantisation of weights.\n"
    ),
    "zh/guide/memory/index.md": (
        f"---\ntitle: 显存\ncalculators: [demo]\n---\n# 显存\n\n显存大小由权重决定。\n\n{FORM}\n\n## 权重 {{#weights}}\n\n张量并行把权重分到多张卡。\n"
    ),
    "en/accelerators/ascend/index.md": "---\ntitle: Ascend\nup: {title: Home, url: ''}\n---\n# Ascend 910B\n\nBare metal.\n",
    "en/about/licence/index.md": "---\ntitle: Licence\n---\n# Licence\n\nCC BY 4.0.\n",
    "zh/about/licence/index.md": "---\ntitle: 许可\n---\n# 许可\n\nCC BY 4.0。\n",
    "en/about/report/index.md": "---\ntitle: Report\n---\n# Report\n\nSay which number.\n",
    "zh/about/report/index.md": "---\ntitle: 报告\n---\n# 报告\n\n说明是哪个数字。\n",
    "zh/accelerators/ascend/index.md": "---\ntitle: 昇腾\nup: {title: 首页, url: ''}\n---\n# 昇腾 910B\n\n裸金属服务器。\n",
}
NAV = [{"Home": "index.md"}, {"Guide": [{"What decides memory": "guide/memory/index.md"}]}]


def make(root: Path) -> Layout:
    """The layout, ready for `engine.build`."""
    layout = Layout(root)
    text = REPOSITORY.config.read_text(encoding="utf-8")
    before, rest = text.split("\nnav:\n")
    after = rest[rest.index("\nplugins:") :]
    layout.config.write_text(f"{before}\n{yaml.safe_dump({'nav': NAV}, allow_unicode=True)}{after}", encoding="utf-8")
    shutil.copytree(REPOSITORY.docs / "theme", layout.docs / "theme")
    shutil.copy(REPOSITORY.docs / "terms.yaml", layout.docs / "terms.yaml")
    shutil.copytree(REPOSITORY.browser, layout.browser)
    layout.packages.symlink_to(REPOSITORY.packages)
    for name, content in PAGES.items():
        path = layout.pages / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    theme.build(layout, "assets/python/none/", "2026-11-30")
    search.write_dictionary(layout, ["昇腾 910B"])
    configs.write(layout)
    return layout
