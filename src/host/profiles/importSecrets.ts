/** Fields of a profile that are called after a secret and hold none. */
const harmlessFields: ReadonlySet<string> = new Set([
  'keyHeader',
  'passphraseHeader',
  'secretEncoding',
]);

const secretName =
  /key|secret|token|passw|pwd|passphrase|credential|mnemonic|authorization|cookie|signature$/i;
const pem = '-----BEGIN ';
const userInUrl = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*@/i;

/** Shorter texts, such as the version of a key, are no secrets. */
const shortestSecret = 8;

/** No profile is nested as deep: what lies deeper is refused with its profile. */
const deepest = 20;

/**
 * The path of the first field that looks like a secret: by its name, or by its value, such as a PEM
 * or a user in a URL. Undefined where there is none. The path tells nothing of the value.
 */
export function secretIn(value: unknown, path: readonly string[] = []): string | undefined {
  if (typeof value !== 'object' || value === null)
    return isSecret(value, path) ? path.join('.') : undefined;
  if (path.length > deepest) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (name.includes(pem)) return [...path, '…'].join('.');
    const found = secretIn(inner, [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The first name on a path is a profile's, which may be anything. */
function isSecret(value: unknown, [, ...fields]: readonly string[]): boolean {
  if (typeof value === 'string' && (value.includes(pem) || userInUrl.test(value))) return true;
  const [last = '', parent] = fields.toReversed();
  if (parent === 'headers' || parent === 'query') return isLiteralSecret(last, value);
  return fields.some((name) => secretName.test(name) && !isHarmless(name)) && value !== '';
}

function isHarmless(name: string): boolean {
  return harmlessFields.has(name);
}

/** Headers and parameters of a scheme are called after what they carry: `{apiKey}` names it and is none. */
function isLiteralSecret(name: string, value: unknown): boolean {
  if (typeof value !== 'string' || value.includes('{')) return false;
  return secretName.test(name) && value.length >= shortestSecret;
}
