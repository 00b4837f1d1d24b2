import type { Locator, Page } from 'playwright-core';

export type TreeRow = {
  readonly label: string;
  /** What a screen reader announces. */
  readonly spoken: string;
};

/** Shows the view container by the command every container has. */
export async function showView(page: Page, containerTitle: string): Promise<void> {
  await page.locator(`.activitybar .action-item:has([aria-label^="${containerTitle}"])`).click();
}

/** The rows of one view in the side bar, such as `Positions`, or of all, in order. */
export function treeRows(page: Page, view?: string): Locator {
  return viewOf(page, view).locator('.monaco-list-row');
}

function viewOf(page: Page, view: string | undefined): Locator {
  const trees = page.locator('.part.sidebar .tree-explorer-viewlet-tree-view');
  if (view === undefined) return trees;
  const pane = `.pane:has(> .pane-header[aria-label^="${view}"])`;
  return page.locator(`.part.sidebar ${pane} .tree-explorer-viewlet-tree-view`);
}

/** The first row whose visible label starts with `label`. */
export function treeRow(page: Page, label: string): Locator {
  const start = label.replace(/[^\w ]/g, '\\$&');
  const name = page.locator('.label-name').getByText(new RegExp(`^${start}`));
  return treeRows(page).filter({ has: name }).first();
}

/** The sentence above or in place of a view's rows; empty text if there is none. */
export function treeMessage(page: Page, view?: string): Locator {
  return viewOf(page, view).locator('.message');
}

export async function readRows(page: Page, view?: string): Promise<TreeRow[]> {
  const rows = await treeRows(page, view).all();
  return Promise.all(rows.map(readRow));
}

async function readRow(row: Locator): Promise<TreeRow> {
  return {
    label: await row.locator('.label-name').innerText(),
    spoken: (await row.getAttribute('aria-label')) ?? '',
  };
}

/** Chooses from a row's context menu. The fresh menu swallows a click, Enter on the focused item works. */
export async function chooseFromMenu(page: Page, row: Locator, title: string): Promise<void> {
  await row.click({ button: 'right' });
  const item = page.locator('.context-view .monaco-menu .action-item', { hasText: title }).first();
  await item.hover();
  await page.locator('.context-view .monaco-menu .action-item.focused').waitFor();
  await page.keyboard.press('Enter');
}
