import type { Frame } from 'playwright-core';
import { eventually } from '../eventually.ts';
import { useTheme } from './appearance.ts';
import type { Workbench } from './openWorkbench.ts';
import { webviewFrame } from './webview.ts';

/** What VS Code gives to a page of a panel in one theme: variables and classes. */
export type PageLook = {
  readonly theme: string;
  readonly style: string;
  readonly classes: string;
};

/** Themes that come with VS Code, each kind among them. */
const bundledThemes = [
  'Dark Modern',
  'Light Modern',
  'Default High Contrast',
  'Default High Contrast Light',
  'Dark+',
  'Light+',
  'Monokai',
  'Solarized Dark',
  'Solarized Light',
  'Quiet Light',
] as const;

/** The looks of the bundled themes, from the panel in front. The last theme stays. */
export async function pageLooks(workbench: Workbench): Promise<PageLook[]> {
  const looks: PageLook[] = [];
  for (const theme of bundledThemes) {
    if (theme !== (await shownTheme(workbench))) await useTheme(workbench, theme);
    await eventually(`the page in ${theme}`, async () => (await shownTheme(workbench)) === theme);
    const read = '[document.documentElement.getAttribute("style"), document.body.className]';
    const frame = await webviewFrame(workbench.page);
    const [style = '', classes = ''] = await frame.evaluate<string[]>(read);
    looks.push({ theme, style, classes });
  }
  return looks;
}

/** Shows a page as in another theme, which takes no time. What it shows stays as it is. */
export async function wear(frame: Frame, { style, classes }: PageLook): Promise<void> {
  await frame.evaluate(
    `document.documentElement.style.cssText = ${JSON.stringify(style)};
    document.body.className = ${JSON.stringify(classes)};`,
  );
}

async function shownTheme({ page }: Workbench): Promise<string> {
  const frame = await webviewFrame(page);
  return frame.evaluate<string>('document.body.dataset.vscodeThemeId ?? ""');
}
