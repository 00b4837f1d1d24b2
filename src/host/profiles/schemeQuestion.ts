import { l10n } from 'vscode';
import { credentialFields } from '../../exchange/auth/recipes.ts';
import { defaultHmacQuery, type AuthScheme } from '../../exchange/auth/scheme.ts';
import type { Question } from './askInTurn.ts';
import { schemes, usualScheme } from './authSchema.ts';
import { fieldTitle } from './enterCredentials.ts';

type SchemeName = AuthScheme['scheme'];

/** Asks how the exchange wants to know who sends a request; `value` is the scheme that it has. */
export function schemeQuestion(title: string, value: SchemeName): Question<'scheme'> {
  return {
    name: 'scheme',
    title: `${title}: ${l10n.t('Scheme')}`,
    placeholder: l10n.t('How does the exchange authenticate? Its documentation says so.'),
    value,
    items: schemes.map((scheme) => ({
      label: scheme,
      description: askedWords(scheme),
      detail: sentWords(scheme),
    })),
  };
}

/** The scheme that was chosen; until then the usual one. */
export function chosenScheme(label: string | undefined): SchemeName {
  return schemes.find((scheme) => scheme === label) ?? defaultHmacQuery.scheme;
}

/** Which credentials the person is asked for. */
function askedWords(scheme: SchemeName): string {
  if (scheme === 'custom') return l10n.t('asks for what you name in settings.json');
  const titles = credentialFields(usualScheme(scheme)).map(fieldTitle);
  if (titles.length === 0) return l10n.t('asks for nothing');
  return l10n.t('asks for {0}', titles.join(', '));
}

/** What is sent, and where. */
function sentWords(scheme: SchemeName): string {
  switch (scheme) {
    case 'none':
      return l10n.t('No credentials are sent.');
    case 'bearer':
      return l10n.t('The token in the header Authorization.');
    case 'basic':
      return l10n.t('User name and password in the header Authorization.');
    case 'apiKeyHeader':
      return l10n.t('The key in a header, without a signature.');
    case 'hmacQuery':
      return l10n.t('The key in a header; time and HMAC-SHA256 signature in the query.');
    case 'hmacHeaders':
      return l10n.t('Key, time and HMAC-SHA256 signature in headers.');
    case 'hmacIsoPassphrase':
      return l10n.t('Key, ISO time, HMAC-SHA256 signature in base64 and passphrase in headers.');
    case 'custom':
      return l10n.t('Headers and parameters that you write, signed with HMAC, Ed25519 or RSA.');
    default:
      return scheme satisfies never;
  }
}
