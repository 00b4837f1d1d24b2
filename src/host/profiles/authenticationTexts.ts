import { l10n } from 'vscode';
import type { SchemeName } from '../../exchange/auth/scheme.ts';

/** A scheme by what it sends and what it needs; in detail, what its requests carry. */
export function authenticationTexts(scheme: SchemeName): {
  readonly label: string;
  readonly detail: string;
} {
  const { t } = l10n;
  return {
    none: {
      label: t('No authentication — no credentials'),
      detail: t('No credentials are sent.'),
    },
    bearer: {
      label: t('Bearer token in a header — token'),
      detail: t('Token in the Authorization header.'),
    },
    basic: {
      label: t('HTTP Basic — user name + password'),
      detail: t('User name and password in the Authorization header.'),
    },
    apiKeyHeader: {
      label: t('API key in a header, no signature — API key'),
      detail: t('Key in a header, no signature.'),
    },
    hmacQuery: {
      label: t('HMAC-SHA256, signature in query — API key + secret'),
      detail: t('Key in a header, timestamp and HMAC-SHA256 signature in the query.'),
    },
    hmacHeaders: {
      label: t('HMAC-SHA256, signature in headers — API key + secret'),
      detail: t('Key, timestamp and HMAC-SHA256 signature in headers.'),
    },
    hmacIsoPassphrase: {
      label: t('HMAC-SHA256, ISO time in headers — API key + secret + passphrase'),
      detail: t('Key, ISO timestamp, base64 HMAC-SHA256 signature and passphrase in headers.'),
    },
    custom: {
      label: t('Custom, HMAC, Ed25519 or RSA — defined in settings.json'),
      detail: t('Your own headers and parameters, signed with HMAC, Ed25519 or RSA.'),
    },
  }[scheme];
}
