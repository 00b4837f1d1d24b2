import * as vscode from 'vscode';
import { environmentLabel } from '../../account/session/profile.ts';
import { UserFacingError } from '../../base/errors.ts';
import { schemeNames, type SchemeName } from '../../exchange/auth/scheme.ts';
import { parseBaseUrl } from '../../exchange/http/baseUrl.ts';
import type { InputStep } from '../shared/multiStepInput.ts';
import { localized } from '../text/messageText.ts';
import { authenticationTexts } from './authenticationTexts.ts';
import { nameProblem, newNameProblem } from './profileName.ts';
import { findProfile } from './profileSettings.ts';

/* The steps that ask for one field of a profile. */

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

/** `value` is a scheme. */
export function authenticationStep(title: string, value: SchemeName): InputStep<'scheme'> {
  return {
    name: 'scheme',
    title: vscode.l10n.t('{0}: Authentication', title),
    placeholder: vscode.l10n.t('Authentication method (see the API documentation of the exchange)'),
    value,
    items: schemeNames.map((scheme) => ({ value: scheme, ...authenticationTexts(scheme) })),
  };
}

/** `currentName` is the name of an existing profile, which may stay. */
export function nameStep(
  title: string,
  prompt: string,
  value: string,
  currentName?: string,
): InputStep<'name'> {
  return {
    name: 'name',
    title: vscode.l10n.t('{0}: Name', title),
    prompt,
    value,
    validate: (name) => chosenNameProblem(name, currentName),
  };
}

function chosenNameProblem(name: string, currentName: string | undefined): string | undefined {
  if (name === currentName) return nameProblem(name);
  if (findProfile(name)) return vscode.l10n.t('Another profile has this name. Choose another.');
  return newNameProblem(name);
}

/** `value` is an environment of the settings. */
export function environmentStep(title: string, value: string): InputStep<'environment'> {
  return {
    name: 'environment',
    title: vscode.l10n.t('{0}: Environment', title),
    placeholder: vscode.l10n.t('Is there real money in this account?'),
    value,
    items: [
      {
        value: 'live',
        label: environmentLabel({ environment: 'live' }),
        description: vscode.l10n.t('real money'),
      },
      {
        value: 'test',
        label: environmentLabel({ environment: 'test' }),
        description: vscode.l10n.t('test system of an exchange'),
      },
    ],
  };
}

export function accessLabel(readOnly: boolean): string {
  return readOnly ? vscode.l10n.t('Read-only') : vscode.l10n.t('Allow Cancel All Orders');
}

/** Asks whether orders can be cancelled. Nothing is preselected without a `value`, `true` for read-only. */
export function accessStep(title: string, value?: string): InputStep<'readOnly'> {
  return {
    name: 'readOnly',
    title: vscode.l10n.t('{0}: Access', title),
    placeholder: vscode.l10n.t('What may Margin Desk do with this account?'),
    ...(value === undefined ? {} : { value }),
    items: [
      {
        value: 'true',
        label: accessLabel(true),
        detail: vscode.l10n.t('Nothing is ever changed: orders cannot be cancelled.'),
      },
      {
        value: 'false',
        label: accessLabel(false),
        detail: vscode.l10n.t('You can cancel all open orders, after a confirmation each time.'),
      },
    ],
  };
}
