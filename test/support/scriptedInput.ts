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
  /** As they are drawn now, while the list is open. */
  items: readonly vscode.QuickPickItem[];
};

type Given = string | readonly string[] | typeof back | typeof escape;
/**
 * An answer: text typed and accepted, labels or a file picked or named; the Back button; or Escape. A function
 * gives one while the input box stands.
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
  const { createInputBox, createQuickPick, showQuickPick, showOpenDialog, showSaveDialog } = window;
  beforeEach(() => {
    script.asked.length = 0;
    script.answers.length = 0;
    window.createInputBox = () => new ScriptedInputBox(script);
    window.createQuickPick = () => new ScriptedQuickPick(script);
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
    Object.assign(window, {
      createInputBox,
      createQuickPick,
      showQuickPick,
      showOpenDialog,
      showSaveDialog,
    }),
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
  const picked = labels.map((label) => itemIn(items, label));
  return canPickMany ? picked : picked[0];
}

function itemIn(items: readonly vscode.QuickPickItem[], label: string): vscode.QuickPickItem {
  const item = items.find((candidate) => candidate.label === label);
  if (!item) throw new Error(`no “${label}” among ${items.map((one) => one.label).join(', ')}`);
  return item;
}

/** What the extension uses of a box that stays open until it is answered. */
abstract class ScriptedBox {
  title = '';
  ignoreFocusOut = false;
  step?: number;
  totalSteps?: number;
  buttons: readonly vscode.QuickInputButton[] = [];
  private readonly script: Script;
  protected readonly accepted = new vscode.EventEmitter<void>();
  private readonly pressed = new vscode.EventEmitter<vscode.QuickInputButton>();
  private readonly hidden = new vscode.EventEmitter<void>();
  readonly onDidAccept = this.accepted.event;
  readonly onDidTriggerButton = this.pressed.event;
  readonly onDidHide = this.hidden.event;
  protected open = true;
  protected question: AskedQuestion | undefined;

  constructor(script: Script) {
    this.script = script;
  }

  show(): void {
    const { title, ignoreFocusOut: stays } = this;
    const step = this.step === undefined ? '' : `${this.step}/${this.totalSteps}`;
    const question = { ...unasked, title, step, stays, problems: [], ...this.shown() };
    this.question = question;
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
    else this.take(question, String(answer));
  }

  /** What a person sees of it that its kind alone has. */
  protected abstract shown(): Pick<AskedQuestion, 'kind'> & Partial<AskedQuestion>;
  protected abstract take(question: AskedQuestion, text: string): void;
}

class ScriptedInputBox extends ScriptedBox {
  prompt = '';
  placeholder = '';
  password = false;
  value = '';
  validationMessage: string | undefined;
  private readonly changed = new vscode.EventEmitter<string>();
  readonly onDidChangeValue = this.changed.event;

  protected shown() {
    const { prompt, password, value } = this;
    return { kind: 'input', prompt, password, value } as const;
  }

  protected take(question: AskedQuestion, text: string): void {
    this.value = text;
    this.changed.fire(text);
    this.accepted.fire();
    if (this.open) question.problems.push(this.validationMessage ?? '');
  }
}

class ScriptedQuickPick extends ScriptedBox {
  placeholder = '';
  activeItems: readonly vscode.QuickPickItem[] = [];
  selectedItems: readonly vscode.QuickPickItem[] = [];
  private listed: readonly vscode.QuickPickItem[] = [];

  get items(): readonly vscode.QuickPickItem[] {
    return this.listed;
  }

  set items(items: readonly vscode.QuickPickItem[]) {
    this.listed = items;
    if (this.question) this.question.items = items;
  }

  protected shown() {
    const { placeholder: prompt, items, activeItems } = this;
    return { kind: 'pick', prompt, items, value: activeItems[0]?.label ?? '' } as const;
  }

  protected take(_question: AskedQuestion, label: string): void {
    this.selectedItems = [itemIn(this.items, label)];
    this.accepted.fire();
  }
}

function missingButton(): never {
  throw new Error('this box has no Back button');
}
