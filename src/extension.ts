import * as vscode from 'vscode';
import type { App } from './host/app.ts';
import { Entrance } from './host/entrance.ts';

/** What a test run gets to look at. */
export type TestAccess = { readonly app: App; readonly context: vscode.ExtensionContext };

/**
 * Called by VS Code once. Only the entrance is built here: the rest is a bundle of its own, loaded
 * when it is first needed. Other extensions get nothing: only a test run may look inside.
 */
export async function activate(context: vscode.ExtensionContext): Promise<TestAccess | undefined> {
  const entrance = new Entrance(context, async (places) => {
    const { App } = await import('./host/app.ts');
    return new App(context, places);
  });
  context.subscriptions.push(entrance);
  if (context.extensionMode !== vscode.ExtensionMode.Test) return undefined;
  return { app: await entrance.app(), context };
}
