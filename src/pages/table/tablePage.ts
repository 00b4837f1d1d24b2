import { render, type ReactiveElement } from 'lit';
import { minuteMs, systemClock } from '../../base/time.ts';
import type { TableEvents, TableMethods } from '../../protocol/table.ts';
import type { TableTexts } from '../../protocol/texts.ts';
import { acquireApi, hostClient } from '../hostClient.ts';
import { startPage } from '../startPage.ts';
import { formatTexts } from './state/pageTexts.ts';
import { TableController } from './state/tableController.ts';
import { pageView } from './view/pageView.ts';

/** Rows have no deadline here, because the host has one for each request to the exchange. */
const deadlineMs = (name: keyof TableMethods): number | null =>
  name === 'table/page' || name === 'table/synchronise' ? null : minuteMs;

function start(root: HTMLElement): void {
  const vscode = acquireApi<unknown>();
  const { table, scope } = root.dataset;
  const texts = JSON.parse(root.dataset.texts ?? '') as TableTexts;
  const rowsFocus = new RowsFocus();
  const client = hostClient<TableMethods, TableEvents>(
    vscode,
    {
      'table/context': (context) => controller.dispatch({ kind: 'contextChanged', context }),
      'table/display': (shown) => controller.dispatch({ kind: 'displayChanged', ...shown }),
      'grid/copied': (selection) =>
        controller.dispatch({ kind: 'grid', action: { kind: 'copied', selection } }),
      'grid/command': (command) => controller.command(command),
      'table/newer': ({ pageId }) => controller.dispatch({ kind: 'newerRowsAvailable', pageId }),
      'table/changed': ({ pageId }) => controller.dispatch({ kind: 'ledgerChanged', pageId }),
      'table/reopen': () => controller.dispatch({ kind: 'reopenRequested' }),
    },
    deadlineMs,
  );
  // The host answers while this prepares the texts.
  const description = client.request('table/open', null);
  const controller = new TableController({
    client,
    texts: formatTexts(texts, document.documentElement.lang),
    clock: systemClock,
    draw: (state, now) => {
      render(pageView(state, now, controller.dispatch), root);
      rowsFocus.afterDraw();
    },
  });
  vscode.setState({ v: 1, table, scope });
  window.addEventListener('blur', controller.keep);
  document.addEventListener('visibilitychange', controller.keep);
  controller.start(description);
}

/**
 * Moves the focus into the rows when they appear, when the panel gets the focus, or when what had the
 * focus is gone, such as the button of a banner. What was in the toolbar leaves it there.
 */
class RowsFocus {
  private isAwaited = true;
  private last: Element | undefined;
  private toolbar: Element | null = null;

  constructor() {
    window.addEventListener('focus', () => void this.focusRows());
    document.addEventListener('focusin', ({ target }) => {
      if (!(target instanceof Element)) return;
      this.last = target;
      this.toolbar = target.closest('margin-toolbar');
    });
  }

  afterDraw(): void {
    if (this.last && isGone(this.last)) {
      this.isAwaited = true;
      this.last = undefined;
    }
    if (!this.isAwaited || !(this.toolbar ?? document.querySelector('margin-grid'))) return;
    this.isAwaited = false;
    void this.focusRows();
  }

  private async focusRows(): Promise<void> {
    const grid = document.querySelector<ReactiveElement>('margin-grid');
    await grid?.updateComplete;
    const { activeElement: active, body } = document;
    if (!document.hasFocus() || (active && active !== body && !isGone(active))) return;
    const tool = this.toolbar?.querySelector<HTMLElement>('[data-stop]');
    (tool ?? grid?.querySelector<HTMLElement>('[role=grid]'))?.focus();
  }
}

function isGone(element: Element): boolean {
  return !element.isConnected || element.matches(':disabled, [disabled]');
}

startPage(start);
