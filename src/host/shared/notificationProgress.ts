import * as vscode from 'vscode';

/** Shows the share that is done, from 0 to 1, and says more. The bar does not fall. */
export type ShowProgress = (part: number, message?: string) => void;

/**
 * Runs what a notification shows and can stop. VS Code names the button “Cancel”; it takes another name as text, which
 * its types leave out.
 */
export function withProgress<T>(
  title: string,
  run: (signal: AbortSignal, show: ShowProgress) => Promise<T>,
  stop?: string,
): Promise<T> {
  const cancellable = (stop ?? true) as true;
  const location = vscode.ProgressLocation.Notification;
  const running = vscode.window.withProgress(
    { location, title, cancellable },
    async (report, token) => {
      const abort = new AbortController();
      const subscription = token.onCancellationRequested(() => abort.abort());
      let shown = 0;
      const show: ShowProgress = (part, message) => {
        const increment = Math.max(0, part - shown) * 100;
        report.report(message === undefined ? { increment } : { message, increment });
        shown = Math.max(shown, part);
      };
      try {
        return await run(abort.signal, show);
      } finally {
        subscription.dispose();
      }
    },
  );
  return Promise.resolve(running);
}
