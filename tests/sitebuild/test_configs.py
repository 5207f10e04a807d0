"""Every further configuration inherits mkdocs.yml, in its own language."""

import pytest

from calculators import registry
from sitebuild import configs
from sitebuild.layout import Layout

BASE = configs.read(Layout().config)


def titles(node: object) -> list[str]:
    """All titles of a navigation, in order."""
    match node:
        case list():
            return [title for item in node for title in titles(item)]
        case dict():
            return [title for key, value in node.items() for title in (key, *titles(value))]
        case _:
            return []


def paths(node: object) -> list[str]:
    """All pages of a navigation, in order."""
    match node:
        case list():
            return [path for item in node for path in paths(item)]
        case dict():
            return [path for value in node.values() for path in paths(value)]
        case _:
            return [str(node)]


def test_the_chinese_navigation_names_the_same_pages_in_chinese() -> None:
    chinese = configs.chinese(BASE)
    assert paths(chinese["nav"]) == paths(BASE["nav"])
    assert not set(titles(chinese["nav"])) & set(titles(BASE["nav"]))


def test_every_translation_is_used() -> None:
    words = BASE["extra"]["translations"]["zh"]
    toggles = {entry["toggle"]["name"] for entry in BASE["theme"]["palette"]}
    used = {*titles(BASE["nav"]), BASE["site_name"], BASE["site_description"], *toggles}
    assert set(words) == used


def test_a_missing_word_is_named() -> None:
    base = {**BASE, "nav": [{"New room": "new/index.md"}]}
    with pytest.raises(configs.TranslationMissing, match=r"New room.*extra\.translations"):
        configs.chinese(base)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_offline_links_end_in_html(lang: str) -> None:
    assert configs.offline(lang)["use_directory_urls"] is False
    assert configs.offline(lang)["extra"]["guide"]["offline"] is True


def test_a_site_address_gives_the_chinese_one() -> None:
    assert configs.chinese({**BASE, "site_url": "https://example.org/guide/"})["site_url"] == "https://example.org/guide/zh/"
    assert "site_url" not in configs.chinese(BASE)


def test_every_calculator_stands_in_the_navigation_of_both_languages() -> None:
    whole = configs.complete(BASE)
    added = [path for path in paths(whole["nav"]) if path not in paths(BASE["nav"])]
    assert added == [f"calculators/{id}/index.md" for id in configs.calculators()]
    assert set(configs.calculators()) == set(registry.ids())
    assert paths(configs.chinese(whole)["nav"]) == paths(whole["nav"])
    assert configs.complete({**BASE, "nav": [{"Home": "index.md"}]})["nav"] == [{"Home": "index.md"}]
