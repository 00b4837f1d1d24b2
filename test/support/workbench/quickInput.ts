import type { Locator, Page } from 'playwright-core';

/** The one widget in which VS Code asks: command palette, quick pick and input box. */
export type QuickInput = {
  readonly widget: Locator;
  readonly title: Locator;
  readonly input: Locator;
  /** What an input box says of the text typed so far. */
  readonly message: Locator;
  /** Its aria-label is `label, description, detail`. */
  readonly rows: Locator;
};

export function quickInput(page: Page): QuickInput {
  const widget = page.locator('.quick-input-widget:visible');
  return {
    widget,
    title: widget.locator('.quick-input-title'),
    input: widget.locator('input.input'),
    message: widget.locator('.quick-input-message'),
    rows: widget.locator('.monaco-list-row'),
  };
}

/** Picks the row of an open quick pick whose label is `label`. */
export async function pick(page: Page, label: string): Promise<void> {
  const row = page.locator('.monaco-list-row', {
    has: page.locator('.label-name').getByText(label, { exact: true }),
  });
  await quickInput(page).widget.locator(row).first().click();
}

/** Types into an open input box and accepts. */
export async function answer(page: Page, text: string): Promise<void> {
  const { input } = quickInput(page);
  await input.fill(text);
  await input.press('Enter');
}
