import * as vscode from 'vscode';
import { eventually } from './eventually.ts';
import { FakePanel } from './fakePanel.ts';
import { documentIn } from './shownDocument.ts';

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

/** Called in a `describe`: the documents that each test opens, in panels without a page. */
export function shownDocuments() {
  const panels = fakePanels();
  const latestPanel = (): Promise<FakePanel> => eventually('a document', () => panels.at(-1));
  return { panels, latestPanel, latest: async () => documentIn(await latestPanel()) };
}
