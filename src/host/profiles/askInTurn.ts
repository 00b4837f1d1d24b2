import * as vscode from 'vscode';

/** One input box: `check` gives the sentence that is wrong with a text, or undefined. */
export type Question = {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string;
  readonly password?: boolean;
  readonly check: (text: string) => string | undefined;
};

/**
 * Asks one question after the other, with a way back to the one before. Gives every answer, each as
 * its check let it pass, or undefined when the person gives up.
 */
export async function askInTurn(
  questions: readonly Question[],
): Promise<readonly string[] | undefined> {
  const answers = questions.map(({ value = '' }) => value);
  for (let step = 0; step < questions.length;) {
    const question = questions[step];
    if (!question) break;
    const answer = await ask(question, answers[step] ?? '', step + 1, questions.length);
    if (answer === undefined) return undefined;
    if (answer === back) step -= 1;
    else answers[step++] = answer;
  }
  return answers;
}

const back = Symbol('back');

function ask(
  question: Question,
  value: string,
  step: number,
  totalSteps: number,
): Promise<string | typeof back | undefined> {
  const box = vscode.window.createInputBox();
  const { title, prompt, placeholder = '', password = false } = question;
  Object.assign(box, { title, prompt, placeholder, password, value, ignoreFocusOut: true });
  if (totalSteps > 1) Object.assign(box, { step, totalSteps });
  if (step > 1) box.buttons = [vscode.QuickInputButtons.Back];
  return new Promise((resolve) => {
    box.onDidChangeValue((text) => {
      box.validationMessage = text === '' ? undefined : question.check(text);
    });
    box.onDidAccept(() => {
      box.validationMessage = question.check(box.value);
      if (box.validationMessage === undefined) end(box.value);
    });
    box.onDidTriggerButton(() => end(back));
    box.onDidHide(() => end(undefined));
    function end(answer: string | typeof back | undefined): void {
      resolve(answer);
      box.dispose();
    }
    box.show();
  });
}
