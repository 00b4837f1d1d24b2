import { l10n } from 'vscode';

/**
 * A text for people in the language of VS Code, with `{0}`, `{1}` … for its values. `npm run l10n` collects the
 * text, which is one literal.
 */
export function t(text: string, ...values: readonly (string | number)[]): string {
  return l10n.t(text, ...values);
}
