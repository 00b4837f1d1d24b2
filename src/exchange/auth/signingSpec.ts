import { phrase, type Phrase } from '../../base/phrase.ts';
import type { CredentialField, SigningSpec } from './scheme.ts';
import { namesUsed, templateProblem, type TemplateName } from './templates.ts';

/** What a scheme needs from the person, in the order in which it is asked for. */
export function credentialFields(spec: SigningSpec): readonly CredentialField[] {
  const used = new Set([...namesSent(spec), ...namesUsed(spec.stringToSign)]);
  const secret = isHmac(spec) ? 'apiSecret' : 'privateKey';
  const needs: readonly (readonly [CredentialField, ...TemplateName[]])[] = [
    ['apiKey', 'apiKey'],
    [secret, 'signature', 'passphraseSignature'],
    ['passphrase', 'passphrase', 'passphraseSignature'],
    ['token', 'token'],
    ['user', 'basic'],
    ['password', 'basic'],
  ];
  return needs
    .filter(([, ...names]) => names.some((name) => used.has(name)))
    .map(([field]) => field);
}

/** Whether requests carry the time, so that an exchange may refuse them for it. */
export function sendsTimestamp(spec: SigningSpec): boolean {
  return namesSent(spec).includes('timestamp');
}

function isHmac({ algorithm }: SigningSpec): boolean {
  return algorithm.startsWith('hmac');
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

function namesSent({ headers, query }: SigningSpec): readonly TemplateName[] {
  return [...Object.values(headers), ...Object.values(query)].flatMap(namesUsed);
}
