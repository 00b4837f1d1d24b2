import {
  credentialFields,
  type AuthScheme,
  type CredentialField,
  type Credentials,
} from './scheme.ts';

const maxLength = 4096;
const labels: Readonly<Record<CredentialField, string>> = {
  apiKey: 'API key',
  apiSecret: 'API secret',
  token: 'token',
};

/**
 * What is wrong with a credential before it is stored or sent, in one sentence with the cure;
 * undefined when it is sound. The sentence never tells any of it.
 */
export function credentialProblem(field: CredentialField, value: string): string | undefined {
  const label = labels[field];
  if (value === '') return `The ${label} is empty: enter it as the exchange gave it.`;
  if (value.length > maxLength)
    return `The ${label} is longer than ${maxLength} characters: copy nothing but the ${label}.`;
  if (/[^\x20-\x7e\xa0-\xff]/.test(value))
    return `The ${label} contains a line break or a character that no header can carry: copy it anew, without what stands around it.`;
  if (value.trim() !== value) return `The ${label} begins or ends with a space: leave that out.`;
  if (field === 'token' && /\s/.test(value))
    return 'The token contains a space: leave out “Bearer” and what else is not the token.';
  return undefined;
}

/** The first thing that is missing from, or wrong with, the credentials that a scheme needs. */
export function credentialsProblem(
  scheme: AuthScheme,
  credentials: Credentials,
): string | undefined {
  for (const field of credentialFields(scheme)) {
    const problem = credentialProblem(field, credentials[field] ?? '');
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Whether the credentials have every field of the scheme, as after a change of scheme they may not. */
export function fitsScheme(scheme: AuthScheme, credentials: Credentials): boolean {
  return credentialsProblem(scheme, credentials) === undefined;
}
