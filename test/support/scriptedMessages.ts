import * as vscode from 'vscode';

/** A message that was shown: its words, its detail when modal, and the titles of its buttons. */
export type ShownMessage = {
  readonly severity: 'information' | 'warning' | 'error';
  readonly text: string;
  readonly modal: boolean;
  readonly detail: string;
  readonly buttons: readonly string[];
};

type Answer = string | (() => Promise<string>);
type Show = (text: string, ...rest: unknown[]) => Promise<unknown>;
const functions = {
  information: 'showInformationMessage',
  warning: 'showWarningMessage',
  error: 'showErrorMessage',
} as const;

/**
 * Called in a `describe`: for each test, messages are answered by the script instead of a person
 * and kept in order. An answer is a button's title, or a function that gives one while the message
 * stands; none left means that the message is closed.
 */
export function scriptedMessages(): { shown: ShownMessage[]; answers: Answer[] } {
  const script = { shown: [] as ShownMessage[], answers: [] as Answer[] };
  const window = vscode.window as unknown as Record<string, Show>;
  const originals = Object.values(functions).map((name) => [name, window[name]] as const);
  beforeEach(() => {
    script.shown.length = 0;
    script.answers.length = 0;
    for (const [severity, name] of Object.entries(functions))
      window[name] = async (text, ...rest) => {
        const message = describeMessage(severity as ShownMessage['severity'], text, rest);
        script.shown.push(message);
        const next = message.buttons.length > 0 ? script.answers.shift() : undefined;
        const answer = typeof next === 'function' ? await next() : next;
        return rest.find((item) => titleOf(item) === answer && answer !== undefined);
      };
  });
  afterEach(() => {
    for (const [name, original] of originals) if (original) window[name] = original;
  });
  return script;
}

function describeMessage(
  severity: ShownMessage['severity'],
  text: string,
  rest: readonly unknown[],
): ShownMessage {
  const buttons = rest.map(titleOf).filter((title) => title !== undefined);
  const options = rest.find((item) => titleOf(item) === undefined) as
    | vscode.MessageOptions
    | undefined;
  return { severity, text, modal: options?.modal ?? false, detail: options?.detail ?? '', buttons };
}

function titleOf(item: unknown): string | undefined {
  if (typeof item === 'string') return item;
  return (item as vscode.MessageItem | undefined)?.title;
}
