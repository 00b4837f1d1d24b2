import * as vscode from 'vscode';
import { App } from './host/app.ts';

/** Called by VS Code once. Only a test run gets the app to look at; other extensions get nothing. */
export function activate(context: vscode.ExtensionContext): App | undefined {
  const app = new App(context);
  context.subscriptions.push(app);
  return context.extensionMode === vscode.ExtensionMode.Test ? app : undefined;
}
