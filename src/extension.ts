import * as vscode from 'vscode';
import type { App } from './host/app.ts';
import { Bootstrap } from './host/bootstrap.ts';

/** What a test run can inspect. */
export type TestAccess = { readonly app: App; readonly context: vscode.ExtensionContext };

/**
 * Called by VS Code once. Builds only the bootstrap; the app is a separate bundle that is loaded on
 * first use. Exports nothing to other extensions, and the app to a test run.
 */
export async function activate(context: vscode.ExtensionContext): Promise<TestAccess | undefined> {
  const bootstrap = new Bootstrap(context, async (positions) => {
    const { App } = await import('./host/app.ts');
    return new App(context, positions);
  });
  context.subscriptions.push(bootstrap);
  if (context.extensionMode !== vscode.ExtensionMode.Test) return undefined;
  return { app: await bootstrap.app(), context };
}
