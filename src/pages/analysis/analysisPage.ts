import { render } from 'lit';
import * as v from 'valibot';
import { Display } from '../../base/display.ts';
import {
  analysisDocumentSchema,
  analysisStateSchema,
  type AnalysisAction,
  type AnalysisChoices,
  type AnalysisDocument,
  type AnalysisEvents,
  type AnalysisMethods,
  type AnalysisState,
  type AnalysisTexts,
} from '../../protocol/analysisMessages.ts';
import type { GridTextName, TableTexts } from '../../protocol/texts.ts';
import { DocumentGrid } from '../document/documentGrid.ts';
import { acquireApi, hostClient } from '../hostClient.ts';
import { startPage } from '../startPage.ts';
import { formatGridTexts } from '../grid/texts.ts';
import { analysisView } from './analysisView.ts';

import { ChartCache } from './chartOptions.ts';
import { PeriodForm } from './periodForm.ts';

type PageTexts = AnalysisTexts & Pick<TableTexts, GridTextName>;

/** Draws what the host sends, asks it for what is chosen, and passes the buttons on to it. */
function start(root: HTMLElement): void {
  const vscode = acquireApi();
  const client = hostClient<AnalysisMethods, AnalysisEvents>(vscode, {
    'analysis/changed': receive,
    'grid/copied': (selection) => grid.copied(selection),
    'grid/command': (command) => grid.command(command),
  });
  const parsed = v.safeParse(analysisStateSchema, vscode.getState());
  const saved = parsed.success ? parsed.output : undefined;
  const texts = JSON.parse(root.dataset.texts ?? '') as PageTexts;
  const grid = new DocumentGrid({
    table: 'analysis',
    texts: formatGridTexts(texts, document.documentElement.lang),
    saved: saved?.grid,
    keepLayout: (layout) => void client.request('grid/layout', layout).catch(() => undefined),
    copyField: (field) => void client.request('grid/copyField', field).catch(() => undefined),
    copy: (request) => void client.request('grid/copy', request).catch(() => undefined),
    draw,
    save,
  });
  const charts = new ChartCache(texts, (place) => {
    client.request('analysis/show', place).catch(() => undefined);
  });
  const periodForm = new PeriodForm(draw);
  let shown: AnalysisDocument | undefined;
  let chosen: AnalysisChoices | undefined = saved?.choices;
  let running: AbortController | undefined;
  function receive(received: unknown): void {
    shown = v.parse(analysisDocumentSchema, received);
    const { account, choices, result } = shown;
    const owner = JSON.stringify([account, choices]);
    if (result?.grid) grid.receive(titleOf(shown), result.grid, owner);
    draw();
  }
  function draw(): void {
    if (!shown) return;
    const page = { texts, chosen: chosen ?? shown.choices, isLoading: running !== undefined };
    const display = new Display(shown.display);
    const chartOptions = charts.of(shown, display);
    const parts = { choose, press, showRow, periodForm, chartOptions };
    const view = analysisView(shown, { ...page, display }, { ...parts, grid: grid.template() });
    render(view, root);
  }
  function showRow(): void {
    const { active } = grid;
    if (active) client.request('analysis/showRow', active).catch(() => undefined);
  }
  function press(action: AnalysisAction): void {
    client.request('analysis/press', action).catch(() => undefined);
  }
  function choose(changed: Partial<AnalysisChoices>): void {
    if (!shown) return;
    chosen = { ...(chosen ?? shown.choices), ...changed };
    void load();
  }
  /** A newer choice replaces one that is still being computed. */
  async function load(): Promise<void> {
    running?.abort();
    const own = new AbortController();
    running = own;
    draw();
    try {
      const received = await client.request('analysis/open', chosen ?? null, own.signal);
      if (running !== own) return;
      running = undefined;
      receive(received);
      save();
    } catch {
      if (running !== own) return;
      running = undefined;
      draw();
    }
  }
  function save(): void {
    const { view } = grid;
    const choices = chosen ?? shown?.choices;
    if (!choices) return;
    const scroll = Math.round(window.scrollY);
    const state: AnalysisState = { v: 1, scroll, choices, ...(view && { grid: view }) };
    vscode.setState(state);
  }
  void load().then(() => {
    if (saved) window.scrollTo({ top: saved.scroll });
    window.addEventListener('scrollend', save);
  });
}

function titleOf({ title, views, choices }: AnalysisDocument): string {
  return views.find(({ view }) => view === choices.view)?.label ?? title;
}

startPage(start);
