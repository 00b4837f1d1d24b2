import * as vscode from 'vscode';
import type { TestAccess } from '../../src/extension.ts';
import type { Log } from '../../src/host/shared/log.ts';
import { storedTableChoices } from '../../src/host/webview/tableChoices.ts';
import { TablePanels } from '../../src/host/tables/panels.ts';
import { OpeningSnapshots } from '../../src/host/webview/snapshot.ts';
import { createRealValuesConfirmation } from '../../src/host/settings/displayState.ts';
import { noLedger } from './panelLedger.ts';
import { fakePanels } from './shownReceipts.ts';

type Options = Partial<
  Pick<ConstructorParameters<typeof TablePanels>[0], 'confirmRealValues' | 'exportRows' | 'ledger'>
>;

/** Called in a `describe`: what each test copies, into a clipboard that only the test sees. */
export function copiedTexts(): string[] {
  const { clipboard } = vscode.env;
  const copied: string[] = [];
  const replace = (value: object) =>
    Object.defineProperty(vscode.env, 'clipboard', { configurable: true, value });
  beforeEach(() => {
    copied.length = 0;
    replace({ writeText: (text: string) => Promise.resolve(copied.push(text) > 0) });
  });
  afterEach(() => replace(clipboard));
  return copied;
}

/** For each test: table panels without pages, and what is copied. */
export function tablePanelsUnderTest(access: TestAccess, options: Options = {}) {
  const window = vscode.window as unknown as Record<string, unknown>;
  const { registerWebviewPanelSerializer } = vscode.window;
  const created = fakePanels();
  const copied = copiedTexts();
  let panels: TablePanels;
  beforeEach(() => {
    window.registerWebviewPanelSerializer = () => new vscode.Disposable(() => undefined);
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
    Object.assign(window, { registerWebviewPanelSerializer });
  });
  return {
    created,
    copied,
    get panels() {
      return panels;
    },
  };
}
