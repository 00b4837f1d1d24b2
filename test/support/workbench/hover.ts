import type { Locator, Page } from 'playwright-core';
import { eventually } from '../eventually.ts';

const patience = { timeout: 3000 };

/** Presses a link of the hover of `target` that has `text`. */
export async function pressInHover(
  page: Page,
  target: Locator,
  text: string,
  link: string,
): Promise<void> {
  await whileHovering(page, target, text, async (hover) => {
    await hover.getByRole('link', { name: link, exact: true }).click(patience);
    return true;
  });
}

/** Moves the mouse to where nothing has a hover, and waits until none is left. */
export async function leaveHover(page: Page): Promise<void> {
  await page.mouse.move(3, 3);
  await page
    .locator('.monaco-hover:visible')
    .first()
    .waitFor({ state: 'detached', ...patience });
}

/**
 * Hovers over `target` and acts on the hover that has `text`. VS Code now and then ignores the mouse, or
 * closes the hover when something is drawn below it: then the mouse leaves and comes back.
 */
export function whileHovering<Value>(
  page: Page,
  target: Locator,
  text: string,
  act: (hover: Locator) => Promise<Value>,
): Promise<NonNullable<Value>> {
  const hover = page.locator('.monaco-hover:visible', { hasText: text }).first();
  return eventually(
    `a hover with ${text}`,
    async () => {
      await leaveHover(page);
      await target.hover(patience);
      await hover.waitFor(patience);
      return act(hover);
    },
    { deadlineMs: 40_000 },
  );
}
