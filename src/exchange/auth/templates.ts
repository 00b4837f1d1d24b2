import { cleanText } from '../../base/cleanText.ts';
import { phrase, type Phrase } from '../../base/phrase.ts';
import { operations } from '../../api/operations.ts';
import { recvWindowParam, type SigningSpec } from './scheme.ts';

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

/** What is wrong with a scheme's templates, in one sentence that names the place; undefined when they are valid. */
export function schemeProblem({ stringToSign, headers, query }: SigningSpec): Phrase | undefined {
  const templates = [
    ['stringToSign', 'stringToSign', stringToSign],
    ...Object.entries(headers).map(([name, template]) => [name, 'header', template] as const),
    ...Object.entries(query).map(([name, template]) => [name, 'parameter', template] as const),
  ] as const;
  for (const [where, place, template] of templates) {
    const problem = templateProblem(place, template);
    if (problem !== undefined) return phrase('{0}: {1}', where, problem);
  }
  return undefined;
}

/** Whether requests carry the time, so that an exchange may refuse them for it. */
export function sendsTimestamp(spec: SigningSpec): boolean {
  return namesSent(spec).includes('timestamp');
}

export function namesSent({ headers, query }: SigningSpec): readonly TemplateName[] {
  return [...Object.values(headers), ...Object.values(query)].flatMap(namesUsed);
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

/** Headers that steer the connection or are set by others: a key in them would be lost or would break the request. */
const reservedHeaders = [
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
];

const reservedParameters = new Set([
  recvWindowParam,
  ...Object.values(operations).flatMap(({ parameters }) => Object.keys(parameters)),
]);

/** The patterns have no flags: a JSON schema knows none. */
const inAnyCase = reservedHeaders.map((name) =>
  name.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`),
);

/** A header of such a name (RFC 9110, section 5.1) may carry an API key. */
export const freeHeader = new RegExp(
  `^(?!(?:${inAnyCase.join('|')})$)[!#$%&'*+.^_\`|~0-9A-Za-z-]{1,100}$`,
);

/** A query parameter of such a name may carry a timestamp or signature: no operation has it. */
export const freeParameter = new RegExp(
  `^(?!(?:${[...reservedParameters].join('|')})$)[\\x21-\\x7e]{1,100}$`,
);
