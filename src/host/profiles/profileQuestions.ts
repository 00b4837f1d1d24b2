import * as vscode from 'vscode';
import { environmentLabel } from '../../account/session/profile.ts';
import { escapeInvisible } from '../../base/cleanText.ts';
import { UserFacingError } from '../../base/errors.ts';
import { defaultHmacQuery, type AuthScheme } from '../../exchange/auth/scheme.ts';
import { credentialFields } from '../../exchange/auth/signingSpec.ts';
import { parseBaseUrl } from '../../exchange/http/baseUrl.ts';
import type { InputStep } from '../multiStepInput.ts';
import { localized, untrustedText, withoutIcons } from '../text/messageText.ts';
import { schemes, defaultScheme } from './authSchema.ts';
import { credentialTitle } from './enterCredentials.ts';
import type { ProfileEntry } from './parseProfile.ts';
import { profileEntries } from './profileSettings.ts';

export type ProfileItem = vscode.QuickPickItem & { readonly name: string };

/** A profile in a list: its environment and host, or why it is invalid. */
export function profileItem(entry: ProfileEntry, openName?: string): ProfileItem {
  const item = { name: entry.name, label: quickPickLabel(escapeInvisible(entry.name)) };
  if (entry.kind === 'bad') {
    const description = vscode.l10n.t('invalid');
    return { ...item, description, detail: quickPickLabel(entry.problem, 400) };
  }
  const { profile } = entry;
  const parts = [environmentLabel(profile), new URL(profile.baseUrl).host];
  if (profile.readOnly) parts.push(vscode.l10n.t('read-only'));
  if (entry.name === openName) parts.push(vscode.l10n.t('open in this window'));
  return { ...item, description: parts.join(' · ') };
}

/** Lets the user pick a profile; undefined if they cancel. Rejects if there is none. */
export async function pickProfile(
  title: string,
  openName: string | undefined,
): Promise<ProfileEntry | undefined> {
  const entries = profileEntries();
  if (entries.length === 0)
    throw new UserFacingError(vscode.l10n.t('There are no profiles yet. Add one first.'), {
      suggestedAction: 'addProfile',
    });
  const items = entries.map((entry) => profileItem(entry, openName));
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  return entries.find(({ name }) => name === picked?.name);
}

export function quickPickLabel(text: string, maxLength?: number): string {
  return withoutIcons(untrustedText(text, maxLength));
}

export function baseUrlStep(title: string, value = ''): InputStep<'baseUrl'> {
  return {
    name: 'baseUrl',
    title: vscode.l10n.t('{0}: Base URL', title),
    prompt: vscode.l10n.t('API base URL, without /api/v1'),
    placeholder: 'https://host/prefix',
    value,
    validate: baseUrlProblem,
  };
}

function baseUrlProblem(text: string): string | undefined {
  try {
    parseBaseUrl(text);
    return undefined;
  } catch (error) {
    if (error instanceof UserFacingError) return localized(error.userMessage);
    throw error;
  }
}

type SchemeName = AuthScheme['scheme'];

/** Asks for the authentication scheme; `value` is the current one. */
export function schemeStep(title: string, value: SchemeName): InputStep<'scheme'> {
  return {
    name: 'scheme',
    title: `${title}: ${vscode.l10n.t('Scheme')}`,
    placeholder: vscode.l10n.t('Authentication method (see the API documentation of the exchange)'),
    value,
    items: schemes.map((scheme) => ({
      label: scheme,
      description: requiredCredentialsText(scheme),
      detail: sentDataText(scheme),
    })),
  };
}

export function chosenScheme(label: string | undefined): SchemeName {
  return schemes.find((scheme) => scheme === label) ?? defaultHmacQuery.scheme;
}

function requiredCredentialsText(scheme: SchemeName): string {
  if (scheme === 'custom') return vscode.l10n.t('defined in settings.json');
  const titles = credentialFields(defaultScheme(scheme)).map(credentialTitle);
  if (titles.length === 0) return vscode.l10n.t('no credentials');
  return titles.join(' + ');
}

function sentDataText(scheme: SchemeName): string {
  return {
    none: vscode.l10n.t('No credentials are sent.'),
    bearer: vscode.l10n.t('Token in the Authorization header.'),
    basic: vscode.l10n.t('User name and password in the Authorization header.'),
    apiKeyHeader: vscode.l10n.t('Key in a header, no signature.'),
    hmacQuery: vscode.l10n.t('Key in a header, timestamp and HMAC-SHA256 signature in the query.'),
    hmacHeaders: vscode.l10n.t('Key, timestamp and HMAC-SHA256 signature in headers.'),
    hmacIsoPassphrase: vscode.l10n.t(
      'Key, ISO timestamp, base64 HMAC-SHA256 signature and passphrase in headers.',
    ),
    custom: vscode.l10n.t('Your own headers and parameters, signed with HMAC, Ed25519 or RSA.'),
  }[scheme];
}
