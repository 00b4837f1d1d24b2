import { cleanText } from '../../base/cleanText.ts';
import { phrase, type Phrase } from '../../base/phrase.ts';

/** What is known before anything is signed, and so may stand in a parameter. */
const plainNames = ['timestamp', 'recvWindow', 'apiKey', 'passphrase', 'token', 'basic'] as const;

/**
 * The request as it is sent. `target` is path and query, `rawQuery` and `rawTarget` the same before
 * they are encoded; `bodySha256` and `bodySha512` are of the empty body, in hex.
 */
const requestNames = [
  'method',
  'host',
  'path',
  'query',
  'rawQuery',
  'target',
  'rawTarget',
  'bodySha256',
  'bodySha512',
] as const;

/** What takes the secret; `passphraseSignature` is the passphrase, signed as the request is. */
const signedNames = ['signature', 'passphraseSignature'] as const;

export type TemplateName = (typeof plainNames | typeof requestNames | typeof signedNames)[number];

/** The names that a template may use, by the place in which it stands. No secret is among them. */
export const namesIn = {
  stringToSign: [...plainNames, ...requestNames],
  header: [...plainNames, ...requestNames, ...signedNames],
  parameter: [...plainNames, ...signedNames],
} as const satisfies Record<string, readonly TemplateName[]>;

export type TemplatePlace = keyof typeof namesIn;
export type TemplateValues = Readonly<Partial<Record<TemplateName, () => string>>>;

const inBraces = /\{([^{}]*)\}/g;

/** What is wrong with a template, in one sentence with the cure; undefined when it is sound. */
export function templateProblem(place: TemplatePlace, template: string): Phrase | undefined {
  const names: readonly string[] = namesIn[place];
  const unknown = wordsIn(template).find((word) => !names.includes(word));
  if (unknown !== undefined)
    return phrase(
      '{0} is no name that can stand here: write one of {1}.',
      `{${cleanText(unknown, 30)}}`,
      names.map((name) => `{${name}}`).join(', '),
    );
  if (/[{}]/.test(template.replace(inBraces, '')))
    return phrase('a brace has no other: write names as {0}.', '{timestamp}');
  return undefined;
}

/** The names that a sound template uses. */
export function namesUsed(template: string): readonly TemplateName[] {
  return wordsIn(template) as TemplateName[];
}

/** Puts values for the names of a sound template. Nothing is evaluated; only what it names is asked for. */
export function render(template: string, values: TemplateValues): string {
  return template.replace(
    inBraces,
    (_braces, name: string) => values[name as TemplateName]?.() ?? '',
  );
}

function wordsIn(template: string): readonly string[] {
  return [...template.matchAll(inBraces)].map(([, word = '']) => word);
}
