import { createPrivateKey } from 'node:crypto';
import { credentialFields, recipeOf } from './recipes.ts';
import {
  defaultHmacQuery,
  type AuthScheme,
  type CredentialField,
  type Credentials,
  type Recipe,
} from './scheme.ts';

const maxLength = 4096;
const maxKeyLength = 16_384;
const labels: Readonly<Record<CredentialField, string>> = {
  apiKey: 'API key',
  apiSecret: 'API secret',
  token: 'token',
  user: 'user name',
  password: 'password',
  passphrase: 'passphrase',
  privateKey: 'private key',
};

/**
 * What is wrong with a credential before it is stored or sent, in one sentence with the cure;
 * undefined when it is sound. The sentence never tells any of it.
 */
export function credentialProblem(
  field: CredentialField,
  value: string,
  auth: AuthScheme = defaultHmacQuery,
): string | undefined {
  if (field === 'privateKey') return privateKeyProblem(value, recipeOf(auth));
  return textProblem(labels[field], value) ?? formProblem(field, value, recipeOf(auth));
}

function textProblem(label: string, value: string): string | undefined {
  if (value === '') return `The ${label} is empty: enter it as the exchange gave it.`;
  if (value.length > maxLength)
    return `The ${label} is longer than ${maxLength} characters: copy nothing but the ${label}.`;
  if (/[^\x20-\x7e\xa0-\xff]/.test(value))
    return `The ${label} contains a line break or a character that no header can carry: copy it anew, without what stands around it.`;
  if (value.trim() !== value) return `The ${label} begins or ends with a space: leave that out.`;
  return undefined;
}

function formProblem(
  field: CredentialField,
  value: string,
  { secretEncoding }: Recipe,
): string | undefined {
  if (field === 'token' && /\s/.test(value))
    return 'The token contains a space: leave out “Bearer” and what else is not the token.';
  if (field === 'user' && value.includes(':'))
    return 'The user name contains a colon: enter it alone, the password comes next.';
  if (field === 'apiSecret' && !isEncoded(value, secretEncoding))
    return `The API secret is no ${secretEncoding}: copy it anew, or correct auth.custom.secretEncoding of the profile.`;
  return undefined;
}

function isEncoded(value: string, encoding: Recipe['secretEncoding']): boolean {
  switch (encoding) {
    case 'text':
      return true;
    case 'base64':
      return /^[\w+/-]+={0,2}$/.test(value);
    case 'hex':
      return /^(?:[0-9a-f]{2})+$/i.test(value);
    default:
      return encoding satisfies never;
  }
}

/** Reads the text of a key file as it will be used. What the reader says of it is not told: it may quote it. */
function privateKeyProblem(text: string, { algorithm }: Recipe): string | undefined {
  const [wanted, name] = algorithm === 'ed25519' ? ['ed25519', 'Ed25519'] : ['rsa', 'RSA'];
  if (text.length > maxKeyLength)
    return `The private key is longer than ${maxKeyLength} characters: choose the file of one key.`;
  if (text.includes('ENCRYPTED'))
    return 'The private key is encrypted: choose a file with the key itself.';
  try {
    const { asymmetricKeyType } = createPrivateKey(text);
    if (asymmetricKeyType === wanted) return undefined;
    return `The private key is no ${name} key, which the profile’s algorithm ${algorithm} needs: choose another file.`;
  } catch {
    return 'The private key cannot be read: choose a PEM file that begins with “-----BEGIN PRIVATE KEY-----”.';
  }
}

/** The first thing that is missing from, or wrong with, the credentials that a scheme needs. */
export function credentialsProblem(
  scheme: AuthScheme,
  credentials: Credentials,
): string | undefined {
  for (const field of credentialFields(scheme)) {
    const problem = credentialProblem(field, credentials[field] ?? '', scheme);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Whether the credentials have every field of the scheme, as after a change of scheme they may not. */
export function fitsScheme(scheme: AuthScheme, credentials: Credentials): boolean {
  return credentialsProblem(scheme, credentials) === undefined;
}
