import * as vscode from 'vscode';
import type { Document, OpenedDocument } from '../../src/protocol/document.ts';
import { blockOf } from './shownDocument.ts';
import { eventually } from './eventually.ts';
import { FakePanel } from './fakePanel.ts';

/** What the page of a receipt shows after it has loaded. */
export async function receiptIn(panel: FakePanel): Promise<Document> {
  return ((await panel.ask('document/open', null)).body as OpenedDocument).document;
}

/** The outcome in a receipt, in a word or two. */
export function wordOf(receipt: Document): string | undefined {
  return blockOf(receipt, 'notice').outcome?.word;
}

/** Called in a `describe`: the panels that each test opens, newest last, without a page. */
export function fakePanels(): FakePanel[] {
  const panels: FakePanel[] = [];
  const window = vscode.window as unknown as Record<string, unknown>;
  const { createWebviewPanel } = vscode.window;
  beforeEach(() => {
    panels.length = 0;
    window.createWebviewPanel = () => {
      const panel = new FakePanel();
      panels.push(panel);
      return panel;
    };
  });
  afterEach(() => {
    for (const panel of panels) panel.dispose();
    Object.assign(window, { createWebviewPanel });
  });
  return panels;
}

/** Called in a `describe`: the receipts that each test opens. */
export function shownReceipts(): {
  readonly panels: FakePanel[];
  readonly latest: () => Promise<Document>;
} {
  const panels = fakePanels();
  return {
    panels,
    latest: async () => receiptIn(await eventually('a receipt', () => panels.at(-1))),
  };
}
