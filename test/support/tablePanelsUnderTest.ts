import * as vscode from 'vscode';
import type { TestAccess } from '../../src/extension.ts';
import type { Log } from '../../src/host/shared/log.ts';
import { storedTableChoices } from '../../src/host/webview/tableChoices.ts';
import { TablePanels } from '../../src/host/tables/panels.ts';
import { OpeningSnapshots } from '../../src/host/webview/snapshot.ts';
import { createRealValuesConfirmation } from '../../src/host/settings/displayState.ts';
import { FakePanel } from './fakePanel.ts';
import { noLedger } from './panelLedger.ts';

type Options = Partial<
  Pick<ConstructorParameters<typeof TablePanels>[0], 'confirmRealValues' | 'exportRows' | 'ledger'>
>;

/** For each test: table panels without pages, and a clipboard that only the test sees. */
export function tablePanelsUnderTest(access: TestAccess, options: Options = {}) {
  const window = vscode.window as unknown as Record<string, unknown>;
  const env = vscode.env as unknown as Record<string, unknown>;
  const { createWebviewPanel, registerWebviewPanelSerializer } = vscode.window;
  const { clipboard } = vscode.env;
  const created: FakePanel[] = [];
  const copied: string[] = [];
  let panels: TablePanels;
  beforeEach(() => {
    created.length = 0;
    copied.length = 0;
    window.registerWebviewPanelSerializer = () => new vscode.Disposable(() => undefined);
    window.createWebviewPanel = () => {
      const panel = new FakePanel();
      created.push(panel);
      return panel;
    };
    Object.defineProperty(env, 'clipboard', {
      configurable: true,
      value: { writeText: (text: string) => Promise.resolve(copied.push(text) > 0) },
    });
    const { display, active } = access.app;
    panels = new TablePanels({
      extensionUri: access.context.extensionUri,
      active,
      display,
      openings: new OpeningSnapshots({ display, active }),
      ledger: noLedger,
      confirmRealValues: createRealValuesConfirmation(display),
      log: { failure: () => undefined } as unknown as Log,
      exportRows: () => undefined,
      openPosition: () => undefined,
      choices: storedTableChoices(access.context.globalState, access.context.workspaceState),
      ...options,
    });
  });
  afterEach(() => {
    panels.dispose();
    Object.assign(window, { createWebviewPanel, registerWebviewPanelSerializer });
    Object.defineProperty(env, 'clipboard', { configurable: true, value: clipboard });
  });
  return {
    created,
    copied,
    get panels() {
      return panels;
    },
  };
}
