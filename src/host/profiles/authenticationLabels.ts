import { l10n } from 'vscode';
import type { AuthScheme } from '../../exchange/auth/scheme.ts';
import { signingSpecOf } from '../../exchange/auth/signingSpec.ts';

type SchemeName = AuthScheme['scheme'];

/** A scheme by what it sends and what it needs. */
export function authenticationLabel(scheme: SchemeName): string {
  const { t } = l10n;
  return {
    none: t('No authentication — no credentials'),
    bearer: t('Bearer token in a header — token'),
    basic: t('HTTP Basic — user name + password'),
    apiKeyHeader: t('API key in a header, no signature — API key'),
    hmacQuery: t('HMAC-SHA256, signature in query — API key + secret'),
    hmacHeaders: t('HMAC-SHA256, signature in headers — API key + secret'),
    hmacIsoPassphrase: t('HMAC-SHA256, ISO time in headers — API key + secret + passphrase'),
    custom: t('Custom, HMAC, Ed25519 or RSA — defined in settings.json'),
  }[scheme];
}

/** What requests of a scheme carry. */
export function authenticationDetail(scheme: SchemeName): string {
  const { t } = l10n;
  return {
    none: t('No credentials are sent.'),
    bearer: t('Token in the Authorization header.'),
    basic: t('User name and password in the Authorization header.'),
    apiKeyHeader: t('Key in a header, no signature.'),
    hmacQuery: t('Key in a header, timestamp and HMAC-SHA256 signature in the query.'),
    hmacHeaders: t('Key, timestamp and HMAC-SHA256 signature in headers.'),
    hmacIsoPassphrase: t(
      'Key, ISO timestamp, base64 HMAC-SHA256 signature and passphrase in headers.',
    ),
    custom: t('Your own headers and parameters, signed with HMAC, Ed25519 or RSA.'),
  }[scheme];
}

/** The headers that carry a key, token or password. */
export function keyHeaders(auth: AuthScheme): readonly string[] {
  const { headers } = signingSpecOf(auth);
  return Object.keys(headers).filter((name) =>
    /\{(?:apiKey|token|basic)\}/.test(headers[name] ?? ''),
  );
}
