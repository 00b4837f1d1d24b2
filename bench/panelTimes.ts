import path from 'node:path';
import type { Page } from 'playwright-core';
import { eventually } from '../test/support/eventually.ts';
import { projectRoot } from '../test/support/project.ts';
import { pageScript } from '../test/support/tableInBrowser.ts';
import { runCommand } from '../test/support/workbench/commands.ts';
import { pressInDialog } from '../test/support/workbench/dialog.ts';
import { clearNotifications, notification } from '../test/support/workbench/notifications.ts';
import { openWorkbench } from '../test/support/workbench/openWorkbench.ts';
import { focused, pick, quickInput } from '../test/support/workbench/quickInput.ts';
import { webview, webviewFrame } from '../test/support/workbench/webview.ts';
import { median, type Figure } from './figures.ts';

/** A panel, by the name of its tab: the command that opens it, and what it shows once it has its content. */
type Panel = {
  readonly tab: string;
  readonly command: string;
  readonly content: readonly string[];
};

type PanelTimes = {
  /** Milliseconds from a command to the content on screen, by tab. */
  readonly open: Readonly<Record<string, number>>;
  /** From the click on a tab to the content on screen. */
  readonly back: Readonly<Record<string, number>>;
};

const turns = 5;
const emptyPanel = 'Empty Panel';

/**
 * What a person waits for in the panels of a real VS Code, beside an empty one; beside another package of
 * this extension, too, if `MARGIN_DESK_OTHER_VSIX` names one. The account shows these trades.
 */
export async function panelTimeFigures(
  settings: Record<string, unknown>,
  trades: readonly string[],
): Promise<Figure[]> {
  const [own, other] = await panelTimes(settings, trades, ownAndOtherVsix());
  const { open, back } = own ?? { open: {}, back: {} };
  const mostMs = Math.max(300, 1.3 * (back[emptyPanel] ?? 0));
  const opened = Object.entries(open).map(([tab, value]): Figure => {
    const otherMs = other?.open[tab];
    const bar = otherMs && tab !== emptyPanel && ({ is: 'at most', value: 0.7 * otherMs } as const);
    const beside = otherMs ? `, other package ${otherMs.toFixed(0)} ms` : '';
    const name = `open ${tab}, command to content on screen${beside}`;
    return { name, value, unit: 'ms', ...(bar && { bar }) };
  });
  const shownAgain = Object.entries(back).map(([tab, value]): Figure => {
    const beside = other ? `, other package ${other.back[tab]?.toFixed(0)} ms` : '';
    const name = `tab switched back to ${tab}, click to content on screen${beside}`;
    return {
      name,
      value,
      unit: 'ms',
      bar: { is: 'at most', value: mostMs, fails: { beyond: 3000 } },
    };
  });
  return [...opened, ...shownAgain];
}

/** Of a window with a profile for this exchange. */
export function settingsFor(exchange: { readonly url: string }): Record<string, unknown> {
  const dialect = { dates: 'epochMs', firstPage: 0, sort: 'newestFirst', lists: 'repeat' };
  const auth = { scheme: 'none' };
  const profile = { baseUrl: exchange.url, environment: 'test', auth, dialect };
  return {
    'marginDesk.timeZone': 'UTC',
    'marginDesk.defaultProfile': 'Bench',
    'marginDesk.profiles': { Bench: profile },
  };
}

/** The package of this checkout, and the other one if there is one. */
export function ownAndOtherVsix(): readonly (string | undefined)[] {
  const other = process.env.MARGIN_DESK_OTHER_VSIX;
  return [undefined, ...(other ? [other] : [])];
}

/** The packages take turns: a busy machine slows all of them. */
async function panelTimes(
  settings: Record<string, unknown>,
  trades: readonly string[],
  vsixes: readonly (string | undefined)[],
): Promise<PanelTimes[]> {
  const panels = panelsWith(trades);
  const beside = path.join(projectRoot, 'bench/host/emptyPanel');
  const workbenches: Awaited<ReturnType<typeof openWorkbench>>[] = [];
  try {
    for (const vsix of vsixes)
      workbenches.push(await openWorkbench({ settings, beside, ...(vsix && { vsix }) }));
    const pages = workbenches.map(({ page }) => page);
    const open = pages.map((): Record<string, number> => ({}));
    for (const page of pages) {
      await page.addInitScript(await pageScript('bench/pages/watch.ts'));
      await page.addInitScript(noteContent(panels));
      await downloadHistory(page);
    }
    for (const panel of [panels.empty, panels.trades, panels.overview, panels.analysis]) {
      const times = await inTurns(pages, (page) => openingMs(page, panel));
      times.forEach((each, index) => Object.assign(open[index] ?? {}, { [panel.tab]: each }));
    }
    const all = Object.values(panels);
    for (const page of pages) {
      await runCommand(page, 'View: Close All Editors');
      for (const panel of all) await openMs(page, panel);
    }
    const back = pages.map((): Record<string, number> => ({}));
    for (const panel of all) {
      const times = await inTurns(pages, (page) => backMs(page, panel, all));
      times.forEach((each, index) => Object.assign(back[index] ?? {}, { [panel.tab]: each }));
    }
    return pages.map((_page, index) => ({ open: open[index] ?? {}, back: back[index] ?? {} }));
  } finally {
    for (const workbench of workbenches) await workbench.close();
  }
}

/** The median of each page. */
async function inTurns(
  pages: readonly Page[],
  measure: (page: Page) => Promise<number>,
): Promise<number[]> {
  const times = pages.map((): number[] => []);
  for (let turn = 0; turn < turns; turn += 1)
    for (const [index, page] of pages.entries()) times[index]?.push(await measure(page));
  return times.map(median);
}

function panelsWith(trades: readonly string[]) {
  const command = (name: string): string => `Margin Desk: ${name}`;
  return {
    empty: { tab: emptyPanel, command: 'Bench: Open Empty Panel', content: ['An empty panel'] },
    trades: { tab: 'Trade History', command: command('Open Trade History'), content: trades },
    overview: {
      tab: 'Overview',
      command: command('Open Account Overview'),
      content: ['Unrealised P&L'],
    },
    report: {
      tab: 'Connection',
      command: command('Show Connection Report'),
      content: ['API conventions'],
    },
    ledger: { tab: 'Ledger', command: command('Open Ledger'), content: ['5,500 rows'] },
    reconciliation: {
      tab: 'Reconciliation',
      command: command('Open Reconciliation'),
      content: ['undecided'],
    },
    analysis: { tab: 'Analysis', command: command('Open Analysis'), content: ['Drawdown'] },
  } satisfies Record<string, Panel>;
}

async function openingMs(page: Page, panel: Panel): Promise<number> {
  await runCommand(page, 'View: Close All Editors');
  return openMs(page, panel);
}

async function openMs(page: Page, panel: Panel): Promise<number> {
  await page.evaluate(notePress('click'));
  await runCommand(page, panel.command);
  return sincePress(page, panel);
}

/** Another panel is in front before it. */
async function backMs(page: Page, panel: Panel, panels: readonly Panel[]): Promise<number> {
  const other = panels[panel.tab === emptyPanel ? 1 : 0];
  const show = async ({ tab, content: [text = ''] }: Panel): Promise<void> => {
    // An older package has the first word alone.
    await page.getByRole('tab', { name: new RegExp(`^${tab.split(' ')[0]}`) }).click();
    await webview(page).getByText(text).first().waitFor();
  };
  if (other) await show(other);
  await page.evaluate(notePress('mousedown'));
  await show(panel);
  return sincePress(page, panel);
}

async function sincePress(page: Page, { content: [text = ''] }: Panel): Promise<number> {
  await webview(page).getByText(text).first().waitFor();
  const shownAt = Number(await (await webviewFrame(page)).evaluate('shownAt'));
  return shownAt - Number(await page.evaluate('pressedAt'));
}

/** When each document of a panel first shows its content. VS Code writes it into a frame that is empty at first. */
function noteContent(panels: Readonly<Record<string, Panel>>): string {
  const contents = JSON.stringify(Object.values(panels).map(({ content }) => content));
  return `if (frameElement) globalThis.shownAt = new Promise((resolve) => {
    const wait = () =>
      document.body?.childElementCount
        ? resolve(watch.shownAny(${contents}, () => -performance.timeOrigin))
        : setTimeout(wait);
    wait();
  });`;
}

function notePress(type: 'click' | 'mousedown'): string {
  return `addEventListener(
    '${type}',
    ({ timeStamp }) => (globalThis.pressedAt = performance.timeOrigin + timeStamp),
    { capture: true, once: true },
  );`;
}

/** 90 days of trades and of the transactions of the futures account. An older package asks in four prompts. */
export async function downloadHistory(page: Page): Promise<void> {
  await runCommand(page, 'Margin Desk: Download History…');
  const button = webview(page).getByRole('button', { name: 'Download', exact: true });
  const way = await eventually('a way to download', async () => {
    if ((await button.count()) > 0) return 'page';
    return (await page.locator('.monaco-dialog-box').count()) > 0 ? 'prompts' : undefined;
  });
  if (way === 'prompts') await answerPrompts(page);
  else await button.click();
  await notification(page, 'is downloaded.').waitFor();
  await clearNotifications(page);
  if (way === 'page') await runCommand(page, 'View: Close Editor');
}

async function answerPrompts(page: Page): Promise<void> {
  await pressInDialog(page, 'Keep History');
  await pick(page, '90 Days');
  const { rows, input } = quickInput(page);
  const row = (label: RegExp) => rows.filter({ hasText: label });
  await focused(page, row(/Liquidation (?:auctions|lots)/i).getByText(/weight \d/));
  await input.press('Enter');
  await pressInDialog(page, 'Download');
}
