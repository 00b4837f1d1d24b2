import { l10n } from 'vscode';
import { invisibleCharacterIn } from '../../base/cleanText.ts';

/** The reserved name of the built-in profile. It is never written to settings, nor its key anywhere. */
export const practiceName = 'Practice';

const maxNameLength = 40;

/** What is wrong with the name of a new profile: it must not look like another. */
export function newNameProblem(name: string): string | undefined {
  const character = invisibleCharacterIn(name);
  if (character === undefined) return nameProblem(name);
  const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  return l10n.t(
    'The name must not contain invisible characters, such as U+{0}: remove them.',
    code ?? '',
  );
}

/** What is wrong with the name of a stored profile; undefined if it is valid. */
export function nameProblem(name: string): string | undefined {
  const { length } = Array.from(name);
  if (length < 1 || length > maxNameLength)
    return l10n.t('The name must have 1 to {0} characters.', maxNameLength);
  if (name.trim() !== name || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name))
    return l10n.t('The name must not start or end with a space or contain invisible characters.');
  if (looksLikePractice(name))
    return l10n.t(
      'The name is reserved for the built-in {0} profile. Choose another.',
      practiceName,
    );
  return undefined;
}

/** In any spelling: a live account must not look like the practice exchange. */
function looksLikePractice(name: string): boolean {
  return name.normalize('NFKC').toLowerCase() === practiceName.toLowerCase();
}

/** A name for a new profile: the host of the exchange, with a number if that name is taken. */
export function proposeName(baseUrl: string, taken: readonly string[]): string {
  const { host } = new URL(baseUrl);
  const free = (name: string): boolean => !newNameProblem(name) && !taken.includes(name);
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : ` ${number}`;
    const name = `${host.slice(0, maxNameLength - suffix.length)}${suffix}`;
    if (free(name)) return name;
  }
}
