import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { onDidChangeSetting } from '../settings/settings.ts';
import { settingValue } from '../settings/settingValues.ts';
import { DocumentIds } from './documentIds.ts';
import { HoveredIds } from './hoveredIds.ts';
import { TerminalIds } from './terminalIds.ts';
import type { IdContext } from './idContext.ts';

/**
 * Makes links of the ids in terminals and editors that the ledger of the open account has. While there is no
 * ledger, the folder is not trusted, or the setting is off, nothing is registered.
 */
export class IdLinks implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly context: IdContext;
  private registered: vscode.Disposable | undefined;

  constructor(context: IdContext) {
    this.context = context;
    const follow = (): void => this.follow();
    this.disposables.add(context.ledger.onDidChange(follow));
    this.disposables.add(onDidChangeSetting(['marginDesk.ledger.linkIds'], follow));
    this.disposables.add(vscode.workspace.onDidGrantWorkspaceTrust(follow));
    this.follow();
  }

  dispose(): void {
    this.disposables.dispose();
    this.registered?.dispose();
  }

  /** Registered again for another ledger: VS Code then asks for the links of open documents. */
  private follow(): void {
    this.registered?.dispose();
    const { current } = this.context.ledger;
    const isWanted = vscode.workspace.isTrusted && settingValue('marginDesk.ledger.linkIds');
    this.registered = current && isWanted ? this.register() : undefined;
  }

  private register(): vscode.Disposable {
    const { context } = this;
    const { registerDocumentLinkProvider, registerHoverProvider } = vscode.languages;
    return vscode.Disposable.from(
      vscode.window.registerTerminalLinkProvider(new TerminalIds(context)),
      registerDocumentLinkProvider('*', new DocumentIds(context)),
      registerHoverProvider('*', new HoveredIds(context)),
    );
  }
}
