import * as vscode from 'vscode';

/** A question that was asked, as far as a person would see it. */
export type AskedQuestion = {
  readonly kind: 'input' | 'pick' | 'file' | 'save';
  readonly title: string;
  readonly step: string;
  readonly prompt: string;
  readonly password: boolean;
  /** Stays open when the person looks elsewhere. */
  readonly stays: boolean;
  readonly value: string;
  /** What was said of each answer that was not accepted. */
  readonly problems: string[];
  readonly items: readonly vscode.QuickPickItem[];
};

type Given = string | readonly string[] | typeof back | typeof escape;
/**
 * An answer: text typed and accepted, labels or a file picked or named; the Back button; or Escape. A function gives
 * one while the input box stands.
 */
export type Answer = Given | (() => Promise<Given>);
export const back = Symbol('back');
export const escape = Symbol('escape');

type Script = { readonly asked: AskedQuestion[]; readonly answers: Answer[] };

/**
 * Called in a `describe`: for each test, input boxes, quick picks and dialogs for a file are answered
 * by the script in order. With no answer left they are closed, as by Escape.
 */
export function scriptedInput(): Script {
  const script: Script = { asked: [], answers: [] };
  const window = vscode.window as unknown as Record<string, unknown>;
  const { createInputBox, showQuickPick, showOpenDialog, showSaveDialog } = window;
  beforeEach(() => {
    script.asked.length = 0;
    script.answers.length = 0;
    window.createInputBox = () => new ScriptedInputBox(script);
    window.showQuickPick = (
      items: readonly vscode.QuickPickItem[],
      options: vscode.QuickPickOptions = {},
    ) => Promise.resolve(pick(script, items, options));
    window.showOpenDialog = (options: vscode.OpenDialogOptions) =>
      Promise.resolve(pickFile(script, options));
    window.showSaveDialog = (options: vscode.SaveDialogOptions) =>
      Promise.resolve(nameFile(script, options));
  });
  afterEach(() =>
    Object.assign(window, { createInputBox, showQuickPick, showOpenDialog, showSaveDialog }),
  );
  return script;
}

const unasked = { step: '', prompt: '', password: false, stays: false, value: '', items: [] };

function pickFile(
  { asked, answers }: Script,
  { title = '' }: vscode.OpenDialogOptions,
): vscode.Uri[] | undefined {
  asked.push({ ...unasked, kind: 'file', title, problems: [] });
  const answer = answers.shift() ?? escape;
  return typeof answer === 'string' ? [vscode.Uri.file(answer)] : undefined;
}

/** `value` is the path that is proposed. */
function nameFile(
  { asked, answers }: Script,
  { title = '', defaultUri }: vscode.SaveDialogOptions,
): vscode.Uri | undefined {
  asked.push({ ...unasked, kind: 'save', title, value: defaultUri?.fsPath ?? '', problems: [] });
  const answer = answers.shift() ?? escape;
  return typeof answer === 'string' ? vscode.Uri.file(answer) : undefined;
}

function pick(
  { asked, answers }: Script,
  items: readonly vscode.QuickPickItem[],
  { title = '', canPickMany = false }: vscode.QuickPickOptions,
): vscode.QuickPickItem | vscode.QuickPickItem[] | undefined {
  asked.push({ ...unasked, kind: 'pick', title, items, problems: [] });
  const answer = answers.shift() ?? escape;
  if (typeof answer === 'function') throw new Error('a list does not wait for its answer');
  if (typeof answer === 'symbol') return undefined;
  const labels = typeof answer === 'string' ? [answer] : answer;
  const picked = labels.map((label) => {
    const item = items.find((candidate) => candidate.label === label);
    if (!item) throw new Error(`no “${label}” among ${items.map((one) => one.label).join(', ')}`);
    return item;
  });
  return canPickMany ? picked : picked[0];
}

/** The part of an input box that the extension uses. */
class ScriptedInputBox {
  title = '';
  prompt = '';
  placeholder = '';
  password = false;
  value = '';
  ignoreFocusOut = false;
  step?: number;
  totalSteps?: number;
  buttons: readonly vscode.QuickInputButton[] = [];
  validationMessage: string | undefined;
  private readonly script: Script;
  private readonly changed = new vscode.EventEmitter<string>();
  private readonly accepted = new vscode.EventEmitter<void>();
  private readonly pressed = new vscode.EventEmitter<vscode.QuickInputButton>();
  private readonly hidden = new vscode.EventEmitter<void>();
  readonly onDidChangeValue = this.changed.event;
  readonly onDidAccept = this.accepted.event;
  readonly onDidTriggerButton = this.pressed.event;
  readonly onDidHide = this.hidden.event;
  private open = true;

  constructor(script: Script) {
    this.script = script;
  }

  show(): void {
    const { title, prompt, password, ignoreFocusOut: stays, value } = this;
    const step = this.step === undefined ? '' : `${this.step}/${this.totalSteps}`;
    const question: AskedQuestion = {
      kind: 'input',
      title,
      step,
      prompt,
      password,
      stays,
      value,
      problems: [],
      items: [],
    };
    this.script.asked.push(question);
    this.answerAll(question).catch((error: unknown) => {
      question.problems.push(String(error));
      this.hidden.fire();
    });
  }

  dispose(): void {
    this.open = false;
  }

  private async answerAll(question: AskedQuestion): Promise<void> {
    while (this.open) {
      const next = this.script.answers.shift() ?? escape;
      this.answer(question, typeof next === 'function' ? await next() : next);
    }
  }

  private answer(question: AskedQuestion, answer: Given): void {
    if (answer === escape) this.hidden.fire();
    else if (answer === back) this.pressed.fire(this.buttons[0] ?? missingButton());
    else this.type(question, String(answer));
  }

  private type(question: AskedQuestion, text: string): void {
    this.value = text;
    this.changed.fire(text);
    this.accepted.fire();
    if (this.open) question.problems.push(this.validationMessage ?? '');
  }
}

function missingButton(): never {
  throw new Error('this box has no Back button');
}
