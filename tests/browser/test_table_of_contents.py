"""The contents stay in sight, list all sections, and mark where the reader is."""

import pytest

WIDE, PHONE = {"width": 1200, "height": 900}, {"width": 390, "height": 780}
MARKED = ".toc a[aria-current=location]"


def go(page, section):
    """Scroll to a section, and wait for its mark."""
    page.evaluate("(id) => document.getElementById(id).scrollIntoView()", section)
    page.wait_for_function(
        "([marked, hash]) => document.querySelector(marked)?.hash === hash", arg=[
            MARKED, f"#{section}"])


def test_every_section_and_chapter_has_one_link_at_the_side(opened):
    wide = opened(viewport=WIDE)
    links = [link.get_attribute("href") for link in wide.locator(".toc a").all()]
    there = [f"#{place}" for place in wide.eval_on_selector_all(
        "main section, main [id^=chapter-]", "(all) => all.map((one) => one.id)")]
    assert len(links) == len(set(links))
    assert set(links) == set(there)
    for section in ("symmetry", "time", "verification"):
        go(wide, section)
        assert wide.locator(MARKED).count() == 1
        box = wide.locator(MARKED).bounding_box()
        assert 0 <= box["y"] <= WIDE["height"]
        assert box["x"] + box["width"] < wide.locator(f"#{section}").bounding_box()["x"]
    assert wide.said == []


@pytest.mark.thorough
def test_on_a_phone_they_are_one_line_that_unfolds(opened):
    page = opened(viewport=PHONE)
    go(page, "symmetry")
    bar = page.locator(".toc summary")
    assert bar.inner_text() == "Contents: Symmetry"
    assert 0 <= bar.bounding_box()["y"] < 20
    assert not page.locator(".toc a").first.is_visible()
    bar.click()
    page.locator(".toc a", has_text="Verification").click()
    assert not page.locator(".toc a").first.is_visible()
    assert page.evaluate("location.hash") == "#verification"
    top = page.locator("#verification").bounding_box()["y"]
    assert bar.bounding_box()["height"] <= top < PHONE["height"] / 2


@pytest.mark.thorough
@pytest.mark.parametrize("viewport", [WIDE, PHONE])
def test_without_javascript_they_are_links(opened, viewport):
    page = opened(java_script_enabled=False, viewport=viewport)
    if viewport == PHONE:
        page.locator(".toc summary").click()
    page.locator(".toc a[href='#symmetry']").click()
    assert page.locator("#symmetry").bounding_box()["y"] < viewport["height"] / 2
    assert page.locator(MARKED).count() == 0
