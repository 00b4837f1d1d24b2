import * as vscode from 'vscode';

type Task = (
  progress: vscode.Progress<{ message?: string; increment?: number }>,
  token: vscode.CancellationToken,
) => Thenable<unknown>;

export type ScriptedProgress = {
  readonly titles: string[];
  /** What was reported, in order, of all that runs. */
  readonly messages: string[];
  /** Presses Cancel on what runs. */
  cancel(): void;
  /** Called with each report. */
  onReport: () => void;
};

/** Called in a `describe`: for each test, what shows its progress is kept, and can be cancelled. */
export function scriptedProgress(): ScriptedProgress {
  const window = vscode.window as unknown as Record<string, unknown>;
  const { withProgress } = window;
  let running = new vscode.CancellationTokenSource();
  const script: ScriptedProgress = {
    titles: [],
    messages: [],
    cancel: () => running.cancel(),
    onReport: () => undefined,
  };
  beforeEach(() => {
    script.titles.length = 0;
    script.messages.length = 0;
    script.onReport = () => undefined;
    window.withProgress = ({ title = '' }: vscode.ProgressOptions, task: Task) => {
      running = new vscode.CancellationTokenSource();
      script.titles.push(title);
      const report = ({ message = '' }): void => {
        script.messages.push(message);
        script.onReport();
      };
      return task({ report }, running.token);
    };
  });
  afterEach(() => Object.assign(window, { withProgress }));
  return script;
}
