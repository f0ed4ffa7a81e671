"""A headless Chromium that records the messages, dialogs and requests of a page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from programs import needed_program


@contextmanager
def chromium() -> Iterator[Browser]:
    executable = needed_program("chromium", "chromium-browser", "google-chrome", package="chromium")
    with sync_playwright() as driver:
        # Its sandbox does not start as root, the only user of a bare container.
        browser = driver.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        yield browser
        browser.close()


@dataclass
class Seen:
    """One page and its recorded events."""

    page: Page
    messages: list[str] = field(default_factory=list)  # errors and warnings of the console
    dialogs: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)  # other than the page and its embedded data

    def troubles(self) -> list[str]:
        return self.messages + self.dialogs + self.requests


@contextmanager
def opened(browser: Browser, file: Path, width: int = 1100,
           scheme: str = "light") -> Iterator[Seen]:
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    page.set_default_timeout(300_000)  # ms: a page of megabytes on a machine that is also building
    seen = Seen(page)
    own = file.absolute().as_uri()

    def on_dialog(dialog) -> None:
        seen.dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("console", lambda m: m.type in ("error", "warning") and seen.messages.append(m.text))
    page.on("pageerror", lambda e: seen.messages.append(str(e)))
    page.on("dialog", on_dialog)
    page.on("request", lambda r: r.url != own and not r.url.startswith("data:")
            and seen.requests.append(r.url))
    page.goto(own)
    yield seen
    context.close()
