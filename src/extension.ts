import * as vscode from 'vscode';
import { App } from './host/app.ts';

/** What a test run gets to look at. */
export type TestAccess = { readonly app: App; readonly context: vscode.ExtensionContext };

/** Called by VS Code once. Other extensions get nothing: only a test run may look inside. */
export function activate(context: vscode.ExtensionContext): TestAccess | undefined {
  const app = new App(context);
  context.subscriptions.push(app);
  return context.extensionMode === vscode.ExtensionMode.Test ? { app, context } : undefined;
}
