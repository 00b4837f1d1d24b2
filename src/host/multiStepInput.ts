import * as vscode from 'vscode';

/**
 * One step: an input box or, with `items`, a list whose picked label is the answer. `validate` returns
 * what is wrong with a text.
 */
export type InputStep<Name extends string = string> = {
  /** The key of the answer. */
  readonly name: Name;
  readonly title: string;
  readonly value?: string;
} & (TextStep | PickStep);

type TextStep = {
  readonly prompt: string;
  readonly placeholder?: string;
  readonly password?: boolean;
  readonly validate: (text: string) => string | undefined;
};
type PickStep = { readonly placeholder: string; readonly items: readonly vscode.QuickPickItem[] };

export type Answers<Name extends string> = Readonly<Partial<Record<Name, string>>>;

/**
 * Shows one step after the other, with a Back button. Which steps there are can depend on the answers so
 * far. Resolves to the validated answers, or undefined if the user cancels.
 */
export async function multiStepInput<Name extends string>(
  questionsAfter: (answers: Answers<Name>) => readonly InputStep<Name>[],
): Promise<Answers<Name> | undefined> {
  let answers = {} as Answers<Name>;
  for (let step = 0; ;) {
    const questions = questionsAfter(answers);
    const question = questions[step];
    if (!question) return answersToAskedSteps(questions, answers);
    const value = answers[question.name] ?? question.value ?? '';
    const answer = await showStep({ ...question, value }, step + 1, questions.length);
    if (answer === undefined) return undefined;
    if (answer === back) step -= 1;
    else {
      answers = { ...answers, [question.name]: answer };
      step += 1;
    }
  }
}

/** Leaves out answers to steps that a later answer removed. */
function answersToAskedSteps<Name extends string>(
  questions: readonly InputStep<Name>[],
  answers: Answers<Name>,
): Answers<Name> {
  const asked = questions.map(({ name }) => [name, answers[name]] as const);
  return Object.fromEntries(asked) as Answers<Name>;
}

const back = Symbol('back');

type QuickInputControl = vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>;

/** Resolves to undefined if the user cancels. */
function showStep(
  question: InputStep,
  step: number,
  totalSteps: number,
): Promise<string | typeof back | undefined> {
  return new Promise((resolve) => {
    const box: QuickInputControl =
      'items' in question ? createQuickPick(question, end) : createInputBox(question, end);
    Object.assign(box, { title: question.title, ignoreFocusOut: true });
    if (totalSteps > 1) Object.assign(box, { step, totalSteps });
    if (step > 1) box.buttons = [vscode.QuickInputButtons.Back];
    box.onDidTriggerButton(() => end(back));
    box.onDidHide(() => end(undefined));
    box.show();
    function end(answer: string | typeof back | undefined): void {
      resolve(answer);
      box.dispose();
    }
  });
}

function createInputBox(
  question: InputStep & TextStep,
  end: (answer: string) => void,
): vscode.InputBox {
  const box = vscode.window.createInputBox();
  const { prompt, placeholder = '', password = false, value = '', validate } = question;
  Object.assign(box, { prompt, placeholder, password, value });
  box.onDidChangeValue((text) => {
    box.validationMessage = text === '' ? undefined : validate(text);
  });
  box.onDidAccept(() => {
    box.validationMessage = validate(box.value);
    if (box.validationMessage === undefined) end(box.value);
  });
  return box;
}

function createQuickPick(
  { items, placeholder, value }: InputStep & PickStep,
  end: (answer: string) => void,
): vscode.QuickPick<vscode.QuickPickItem> {
  const box = vscode.window.createQuickPick();
  Object.assign(box, { items, placeholder, matchOnDescription: true, matchOnDetail: true });
  box.activeItems = items.filter(({ label }) => label === value);
  box.onDidAccept(() => {
    const [picked] = box.selectedItems;
    if (picked) end(picked.label);
  });
  return box;
}
