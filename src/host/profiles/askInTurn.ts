import * as vscode from 'vscode';

/**
 * One step: a box to type into, or, with `items`, a list that gives the label picked. `check` gives the
 * sentence that is wrong with a text, or undefined.
 */
export type Question<Name extends string = string> = {
  /** The answer is given, and kept on the way back, under this name. */
  readonly name: Name;
  readonly title: string;
  /** What begins as typed or picked. */
  readonly value?: string;
} & (TextEntry | Choice);

type TextEntry = {
  readonly prompt: string;
  readonly placeholder?: string;
  readonly password?: boolean;
  readonly check: (text: string) => string | undefined;
};
type Choice = { readonly placeholder: string; readonly items: readonly vscode.QuickPickItem[] };

export type Answers<Name extends string> = Readonly<Partial<Record<Name, string>>>;

/**
 * Asks one question after the other, with a way back to the one before; which are asked may depend on
 * the answers so far. Gives the answer to each, as its check let it pass, or undefined when the person
 * gives up.
 */
export async function askInTurn<Name extends string>(
  questionsAfter: (answers: Answers<Name>) => readonly Question<Name>[],
): Promise<Answers<Name> | undefined> {
  let answers = {} as Answers<Name>;
  for (let step = 0; ;) {
    const questions = questionsAfter(answers);
    const question = questions[step];
    if (!question) return answersTo(questions, answers);
    const value = answers[question.name] ?? question.value ?? '';
    const answer = await ask({ ...question, value }, step + 1, questions.length);
    if (answer === undefined) return undefined;
    if (answer === back) step -= 1;
    else {
      answers = { ...answers, [question.name]: answer };
      step += 1;
    }
  }
}

/** Without those to questions that another answer made needless. */
function answersTo<Name extends string>(
  questions: readonly Question<Name>[],
  answers: Answers<Name>,
): Answers<Name> {
  const asked = questions.map(({ name }) => [name, answers[name]] as const);
  return Object.fromEntries(asked) as Answers<Name>;
}

const back = Symbol('back');

type Step = vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>;

/** Shows one step; `undefined` when the person gives up. */
function ask(
  question: Question,
  step: number,
  totalSteps: number,
): Promise<string | typeof back | undefined> {
  return new Promise((resolve) => {
    const box: Step = 'items' in question ? list(question, end) : textBox(question, end);
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

function textBox(question: Question & TextEntry, end: (answer: string) => void): vscode.InputBox {
  const box = vscode.window.createInputBox();
  const { prompt, placeholder = '', password = false, value = '', check } = question;
  Object.assign(box, { prompt, placeholder, password, value });
  box.onDidChangeValue((text) => {
    box.validationMessage = text === '' ? undefined : check(text);
  });
  box.onDidAccept(() => {
    box.validationMessage = check(box.value);
    if (box.validationMessage === undefined) end(box.value);
  });
  return box;
}

function list(
  { items, placeholder, value }: Question & Choice,
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
