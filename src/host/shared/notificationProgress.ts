import * as vscode from 'vscode';

/** Runs what a notification shows and can cancel. `show` takes the share that is done, from 0 to 1. */
export function withProgress<T>(
  title: string,
  run: (signal: AbortSignal, show: (part: number) => void) => Promise<T>,
): Promise<T> {
  const location = vscode.ProgressLocation.Notification;
  const running = vscode.window.withProgress(
    { location, title, cancellable: true },
    async (report, token) => {
      const stop = new AbortController();
      const subscription = token.onCancellationRequested(() => stop.abort());
      let shown = 0;
      const show = (part: number): void => {
        report.report({ increment: (part - shown) * 100 });
        shown = part;
      };
      try {
        return await run(stop.signal, show);
      } finally {
        subscription.dispose();
      }
    },
  );
  return Promise.resolve(running);
}
