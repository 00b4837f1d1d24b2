import { createHash, createPrivateKey } from 'node:crypto';
import { phrase, type Phrase } from '../../base/phrase.ts';
import { defaultHmacQuery, type SigningSpec } from './scheme.ts';
import { namesSent, namesUsed, type TemplateName } from './templates.ts';

type Credential = {
  /** In a title. */
  readonly title: Phrase;
  /** In a sentence. */
  readonly word: Phrase;
  /** The names of templates that need it. */
  readonly neededBy: readonly TemplateName[];
};

/** Each secret that a person enters, in the order in which they are asked for. */
export const credentials = {
  apiKey: { title: phrase('API Key'), word: phrase('API key'), neededBy: ['apiKey'] },
  apiSecret: {
    title: phrase('API Secret'),
    word: phrase('API secret'),
    neededBy: ['signature', 'passphraseSignature'],
  },
  privateKey: {
    title: phrase('Private Key'),
    word: phrase('private key'),
    neededBy: ['signature', 'passphraseSignature'],
  },
  passphrase: {
    title: phrase('Passphrase'),
    word: phrase('passphrase'),
    neededBy: ['passphrase', 'passphraseSignature'],
  },
  token: { title: phrase('Token'), word: phrase('token'), neededBy: ['token'] },
  user: { title: phrase('User Name'), word: phrase('user name'), neededBy: ['basic'] },
  password: { title: phrase('Password'), word: phrase('password'), neededBy: ['basic'] },
} as const satisfies Record<string, Credential>;

export type CredentialField = keyof typeof credentials;

export const credentialNames = Object.keys(credentials) as readonly CredentialField[];

/** The user's secrets: the fields of the scheme. Never part of a log, an error or a setting. */
export type Credentials = Readonly<Partial<Record<CredentialField, string>>>;

/** What a scheme needs from the person. */
export function credentialFields(spec: SigningSpec): readonly CredentialField[] {
  const used = new Set([...namesSent(spec), ...namesUsed(spec.stringToSign)]);
  const unused = spec.algorithm.startsWith('hmac') ? 'privateKey' : 'apiSecret';
  return credentialNames.filter(
    (field) => field !== unused && credentials[field].neededBy.some((name) => used.has(name)),
  );
}

/**
 * Identifies an account by its credentials and address: a base URL, or an origin for what all its
 * accounts share. 32 hex digits of a hash that reveals neither.
 */
export function accountFingerprint(address: string, held: Credentials): string {
  const { apiKey, token, user } = held;
  const identity = JSON.stringify([address, apiKey ?? token ?? user ?? '']);
  return createHash('sha256').update(identity).digest('hex').slice(0, 32);
}

const maxLength = 4096;
const maxKeyLength = 16_384;

/**
 * What is wrong with a credential before it is stored or sent, in one sentence that says what to do;
 * undefined when it is valid. The sentence never quotes any of it.
 */
export function credentialProblem(
  field: CredentialField,
  value: string,
  spec: SigningSpec = defaultHmacQuery,
): Phrase | undefined {
  if (field === 'privateKey') return privateKeyProblem(value, spec);
  return textProblem(credentials[field].word, value) ?? formProblem(field, value, spec);
}

function textProblem(label: Phrase, value: string): Phrase | undefined {
  if (value === '') return phrase('The {0} is empty: enter it as the exchange gave it.', label);
  if (value.length > maxLength)
    return phrase('The {0} is longer than {1} characters. Copy only the {0}.', label, maxLength);
  if (/[^\x20-\x7e\xa0-\xff]/.test(value))
    return phrase(
      'The {0} contains a line break or a character that no header can carry: copy it again, without the text around it.',
      label,
    );
  if (value.trim() !== value)
    return phrase('The {0} begins or ends with a space: leave that out.', label);
  return undefined;
}

function formProblem(
  field: CredentialField,
  value: string,
  { secretEncoding }: SigningSpec,
): Phrase | undefined {
  if (field === 'token' && /\s/.test(value))
    return phrase('The token contains a space. Enter only the token, without “Bearer”.');
  if (field === 'user' && value.includes(':'))
    return phrase('The user name contains a colon: enter it alone, the password comes next.');
  if (field === 'apiSecret' && !isEncoded(value, secretEncoding))
    return phrase(
      'The API secret is not {0}: copy it again, or correct auth.custom.secretEncoding of the profile.',
      secretEncoding,
    );
  return undefined;
}

function isEncoded(value: string, encoding: SigningSpec['secretEncoding']): boolean {
  switch (encoding) {
    case 'text':
      return true;
    case 'base64':
      return /^[\w+/-]+={0,2}$/.test(value);
    case 'hex':
      return /^(?:[0-9a-f]{2})+$/i.test(value);
  }
}

/** Reads the text of a key file as it will be used. The parser's error is not shown: it may quote the key. */
function privateKeyProblem(text: string, { algorithm }: SigningSpec): Phrase | undefined {
  const [wanted, name] = algorithm === 'ed25519' ? ['ed25519', 'Ed25519'] : ['rsa', 'RSA'];
  if (text.length > maxKeyLength)
    return phrase(
      'The private key is longer than {0} characters: choose the file of one key.',
      maxKeyLength,
    );
  if (text.includes('ENCRYPTED'))
    return phrase('The private key is encrypted: choose a file with the key itself.');
  try {
    const { asymmetricKeyType } = createPrivateKey(text);
    if (asymmetricKeyType === wanted) return undefined;
    return phrase(
      'The private key is not an {0} key, which the algorithm {1} needs. Choose another file.',
      name,
      algorithm,
    );
  } catch {
    return phrase(
      'The private key cannot be read: choose a PEM file that begins with “-----BEGIN PRIVATE KEY-----”.',
    );
  }
}

/** The first thing that is missing from, or wrong with, the credentials that a scheme needs. */
export function credentialsProblem(spec: SigningSpec, held: Credentials): Phrase | undefined {
  for (const field of credentialFields(spec)) {
    const problem = credentialProblem(field, held[field] ?? '', spec);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
