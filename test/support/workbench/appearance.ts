import path from 'node:path';
import type { Page } from 'playwright-core';
import { eventually } from '../eventually.ts';
import { changeSettings } from '../userSettings.ts';
import type { Workbench } from './openWorkbench.ts';

/** Switches the window to another theme than its present one, such as `Dark Modern`, and waits for it. */
export async function useTheme(workbench: Workbench, theme: string): Promise<void> {
  const classes = (): Promise<string | null> =>
    workbench.page.locator('.monaco-workbench').first().getAttribute('class');
  const before = await classes();
  // VS Code notices the settings of its folder while it runs.
  const folder = path.join(workbench.folder, '.vscode');
  await changeSettings(folder, { 'workbench.colorTheme': theme });
  await eventually(`the theme ${theme}`, async () => (await classes()) !== before);
}

/** Drags the edge between side bar and editors until the side bar has this width. */
export async function setSideBarWidth(page: Page, widthPx: number): Promise<void> {
  const box = await page.locator('.part.sidebar').boundingBox();
  if (!box) throw new Error('There is no side bar.');
  await page.mouse.move(box.x + box.width, 500);
  await page.mouse.down();
  await page.mouse.move(box.x + widthPx + 50, 500, { steps: 5 });
  await page.mouse.move(box.x + widthPx, 500, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(3, 3);
  await page.locator('.monaco-sash.hover').waitFor({ state: 'detached' });
}
