import { cleanText } from '../../base/cleanText.ts';
import { phrase, type Phrase } from '../../base/phrase.ts';
import { operations } from '../../api/operations.ts';
import { recvWindowParam } from './scheme.ts';

/** What is known before anything is signed, and so may be part of a parameter. */
const unsignedNames = [
  'timestamp',
  'recvWindow',
  'apiKey',
  'passphrase',
  'token',
  'basic',
] as const;

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

export type TemplateName = (
  | typeof unsignedNames
  | typeof requestNames
  | typeof signedNames
)[number];

/** The names that a template may use, by the place in which it stands. No secret is among them. */
export const allowedNames = {
  stringToSign: [...unsignedNames, ...requestNames],
  header: [...unsignedNames, ...requestNames, ...signedNames],
  parameter: [...unsignedNames, ...signedNames],
} as const satisfies Record<string, readonly TemplateName[]>;

export type TemplatePlace = keyof typeof allowedNames;
export type TemplateValues = Readonly<Partial<Record<TemplateName, () => string>>>;

const inBraces = /\{([^{}]*)\}/g;

/** What is wrong with a template, in one sentence that says what to do; undefined when it is valid. */
export function templateProblem(place: TemplatePlace, template: string): Phrase | undefined {
  const names: readonly string[] = allowedNames[place];
  const unknown = namesInBraces(template).find((word) => !names.includes(word));
  if (unknown !== undefined)
    return phrase(
      '{0} is not a valid name here. Use one of {1}.',
      `{${cleanText(unknown, 30)}}`,
      names.map((name) => `{${name}}`).join(', '),
    );
  if (/[{}]/.test(template.replace(inBraces, '')))
    return phrase('A brace is not closed. Write names as {0}.', '{timestamp}');
  return undefined;
}

export function namesUsed(template: string): readonly TemplateName[] {
  return namesInBraces(template) as TemplateName[];
}

/** Fills in the names of a valid template. Nothing is evaluated, and only the values that it names are computed. */
export function render(template: string, values: TemplateValues): string {
  return template.replace(
    inBraces,
    (_braces, name: string) => values[name as TemplateName]?.() ?? '',
  );
}

function namesInBraces(template: string): readonly string[] {
  return [...template.matchAll(inBraces)].map(([, word = '']) => word);
}

const headerNamePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;

/** Headers that steer the connection or are set by others: a key in them would be lost or would break the request. */
const reservedHeaders: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const reservedParameters: ReadonlySet<string> = new Set([
  recvWindowParam,
  ...Object.values(operations).flatMap(({ parameters }) => Object.keys(parameters)),
]);

/** Whether a header of this name (RFC 9110, section 5.1) may carry an API key. */
export function isFreeHeader(headerName: string): boolean {
  return headerNamePattern.test(headerName) && !reservedHeaders.has(headerName.toLowerCase());
}

/** Whether a query parameter of this name may carry a timestamp or signature: no operation has it. */
export function isFreeParameter(name: string): boolean {
  return /^[\x21-\x7e]{1,100}$/.test(name) && !reservedParameters.has(name);
}
