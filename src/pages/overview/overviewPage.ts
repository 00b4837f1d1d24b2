import { render } from 'lit';
import * as v from 'valibot';
import {
  overviewDocumentSchema,
  overviewStateSchema,
  type OverviewAction,
  type OverviewDocument,
  type OverviewEvents,
  type OverviewMethods,
  type OverviewState,
} from '../../protocol/overview.ts';
import type { GridTextName, TableTexts } from '../../protocol/texts.ts';
import { DocumentGrid } from '../document/documentGrid.ts';
import { acquireApi, hostClient } from '../hostClient.ts';
import { startPage } from '../startPage.ts';
import { formatGridTexts } from '../table/state/pageTexts.ts';
import { overviewView } from './overviewView.ts';

/** Draws what the host sends, and passes the buttons on to it. */
function start(root: HTMLElement): void {
  const vscode = acquireApi();
  const client = hostClient<OverviewMethods, OverviewEvents>(vscode, {
    'overview/changed': receive,
    'overview/copied': (selection) => positions.copied(selection),
    'overview/command': (command) => positions.command(command),
  });
  const parsed = v.safeParse(overviewStateSchema, vscode.getState());
  const saved = parsed.success ? parsed.output : undefined;
  const texts = JSON.parse(root.dataset.texts ?? '') as Pick<TableTexts, GridTextName>;
  const positions = new DocumentGrid({
    table: 'positions',
    texts: formatGridTexts(texts, document.documentElement.lang),
    saved: saved?.grid,
    keepLayout: (layout) => void client.request('overview/layout', layout).catch(() => undefined),
    copy: (request) => void client.request('overview/copy', request).catch(() => undefined),
    copyField: (field) => void client.request('overview/copyField', field).catch(() => undefined),
    draw,
    save,
  });
  let shown: OverviewDocument | undefined;
  function receive(received: unknown): void {
    shown = v.parse(overviewDocumentSchema, received);
    receivePositions(shown);
    draw();
  }
  function receivePositions({ sections, account }: OverviewDocument): void {
    const section = sections.find(({ grid }) => grid);
    if (section?.grid) positions.receive(section.title, section.grid, JSON.stringify(account));
  }
  function draw(): void {
    if (shown) render(overviewView(shown, press, positions.template()), root);
  }
  function press(action: OverviewAction): void {
    client.request('overview/press', action).catch(() => undefined);
  }
  function save(): void {
    const { view } = positions;
    const scroll = Math.round(window.scrollY);
    const state: OverviewState = { v: 1, scroll, ...(view && { grid: view }) };
    vscode.setState(state);
  }
  void client.request('overview/open', null).then(({ document, before }) => {
    if (saved && before) receivePositions(v.parse(overviewDocumentSchema, before));
    receive(document);
    if (saved) window.scrollTo({ top: saved.scroll });
    window.addEventListener('scrollend', save);
    save();
  });
}

startPage(start);
