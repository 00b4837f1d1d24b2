import * as vscode from 'vscode';

/** One step: an input box, a list or the choice of a file. `value` is proposed, or preselected. */
export type InputStep<Name extends string = string> = {
  /** The key of the answer. */
  readonly name: Name;
  readonly title: string;
  readonly value?: string;
} & (BoxStep | FileStep);

/** What a step asks in a box of its own. */
export type BoxStep = TextStep | PickStep;

type TextStep = {
  readonly prompt: string;
  readonly placeholder?: string;
  readonly password?: boolean;
  /** What is wrong with a text. */
  readonly validate: (text: string) => string | undefined;
};
/** Its `value` is the answer. Without a preselected item, nothing is picked by Enter alone. */
type PickItem = vscode.QuickPickItem & { readonly value: string };
type PickStep = { readonly placeholder: string; readonly items: readonly PickItem[] };
/** Its answer is the text of a file. Undefined, if no file is chosen, goes back one step. */
type FileStep = { readonly chooseFile: (title: string) => Promise<string | undefined> };

export type Answers<Name extends string> = Readonly<Partial<Record<Name, string>>>;

/**
 * Shows one step after the other, with a Back button that keeps what was typed. Which steps there are
 * can depend on the answers so far. Resolves to the validated answers, or undefined if the user cancels.
 */
export async function multiStepInput<Name extends string>(
  questionsAfter: (answers: Answers<Name>) => readonly InputStep<Name>[],
): Promise<Answers<Name> | undefined> {
  const given = new Map<Name, GivenAnswer>();
  for (let step = 0; step >= 0;) {
    const questions = questionsAfter(textsOf(given));
    const question = questions[step];
    if (!question) return textsOf(given, questions);
    const { name, value: proposal = '' } = question;
    const value = shownValue(given.get(name), proposal);
    const end = await ask({ ...question, value }, step + 1, questions.length);
    if (end === undefined) return undefined;
    given.set(name, { text: end.text, proposal });
    step += end.isBack ? -1 : 1;
  }
  return undefined;
}

type GivenAnswer = { readonly text: string; readonly proposal: string };

/** A proposal that was taken as it was follows the earlier answers that it is made of. */
function shownValue(given: GivenAnswer | undefined, proposal: string): string {
  return given === undefined || given.text === given.proposal ? proposal : given.text;
}

/** With `asked`, without answers to steps that a later answer removed. */
function textsOf<Name extends string>(
  given: ReadonlyMap<Name, GivenAnswer>,
  asked?: readonly InputStep<Name>[],
): Answers<Name> {
  const names = asked?.map(({ name }) => name) ?? [...given.keys()];
  const texts = names.map((name) => [name, given.get(name)?.text] as const);
  return Object.fromEntries(texts) as Answers<Name>;
}

/** How a step ended, other than by cancelling. */
type StepEnd = { readonly text: string; readonly isBack: boolean };
type QuickInputControl = vscode.InputBox | vscode.QuickPick<PickItem>;

/** Resolves to undefined if the user cancels. */
async function ask(
  question: InputStep,
  step: number,
  totalSteps: number,
): Promise<StepEnd | undefined> {
  if (!('chooseFile' in question)) return showBox(question, step, totalSteps);
  const text = await question.chooseFile(question.title);
  return { text: text ?? '', isBack: text === undefined };
}

type BoxQuestion = InputStep & BoxStep;

function showBox(
  question: BoxQuestion,
  step: number,
  totalSteps: number,
): Promise<StepEnd | undefined> {
  return new Promise((resolve) => {
    const accept = (text: string): void => end({ text, isBack: false });
    const box: QuickInputControl =
      'items' in question ? createQuickPick(question, accept) : createInputBox(question, accept);
    const keptText = (): string => ('items' in box ? (question.value ?? '') : box.value);
    Object.assign(box, { title: question.title, ignoreFocusOut: true });
    if (totalSteps > 1) Object.assign(box, { step, totalSteps });
    if (step > 1) box.buttons = [vscode.QuickInputButtons.Back];
    box.onDidTriggerButton(() => end({ text: keptText(), isBack: true }));
    box.onDidHide(() => end(undefined));
    box.show();
    function end(stepEnd: StepEnd | undefined): void {
      resolve(stepEnd);
      box.dispose();
    }
  });
}

function createInputBox(
  question: InputStep & TextStep,
  accept: (text: string) => void,
): vscode.InputBox {
  const box = vscode.window.createInputBox();
  const { prompt, placeholder = '', password = false, value = '', validate } = question;
  Object.assign(box, { prompt, placeholder, password, value });
  box.onDidChangeValue((text) => {
    box.validationMessage = text === '' ? undefined : validate(text);
  });
  box.onDidAccept(() => {
    box.validationMessage = validate(box.value);
    if (box.validationMessage === undefined) accept(box.value);
  });
  return box;
}

function createQuickPick(
  { items, placeholder, value }: InputStep & PickStep,
  accept: (value: string) => void,
): vscode.QuickPick<PickItem> {
  const box = vscode.window.createQuickPick<PickItem>();
  Object.assign(box, { items, placeholder, matchOnDescription: true, matchOnDetail: true });
  box.activeItems = items.filter((item) => item.value === value);
  box.onDidAccept(() => {
    const [picked] = box.selectedItems;
    if (picked) accept(picked.value);
  });
  return box;
}
