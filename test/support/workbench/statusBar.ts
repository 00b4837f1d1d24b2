import type { Locator, Page } from 'playwright-core';

/** The extension's status-bar item with this id, such as `marginDesk.equity`. */
export function statusBarItem(page: Page, id: string): Locator {
  return page.locator(`.statusbar-item[id="margin-desk.margin-desk.${id}"]`);
}
