import * as vscode from 'vscode';
import { environmentLabel, type Profile } from '../../account/profile.ts';
import { parseBaseUrl } from '../../exchange/baseUrl.ts';
import { askInTurn } from './askInTurn.ts';
import { writtenAuth } from './authSchema.ts';
import { openProfileSettings } from './openProfileSettings.ts';
import { plainLabel } from './pickProfile.ts';
import type { ProfileDesk } from './profileDesk.ts';
import { writeProfile, writtenProfile, type WrittenProfile } from './profileSettings.ts';
import { renameProfile } from './renameProfile.ts';
import { chosenScheme, schemeQuestion } from './schemeQuestion.ts';
import { urlQuestion } from './urlQuestion.ts';

/** A field that is changed by a question. */
export type EditableField = {
  readonly label: string;
  readonly show: (profile: Profile) => string;
  readonly edit: (desk: ProfileDesk, profile: Profile) => Promise<void>;
};

export function editableFields(): readonly EditableField[] {
  const name: EditableField = {
    label: vscode.l10n.t('Name'),
    show: (profile) => plainLabel(profile.name),
    edit: renameProfile,
  };
  const baseUrl: EditableField = {
    label: vscode.l10n.t('Base URL'),
    show: (profile) => plainLabel(profile.baseUrl),
    edit: (_desk, profile) => changeBaseUrl(profile),
  };
  return [name, baseUrl, environmentField(), readOnlyField(), schemeField()];
}

function environmentField(): EditableField {
  return {
    label: vscode.l10n.t('Environment'),
    show: environmentLabel,
    edit: async (_desk, profile) => {
      const environment = await choose(vscode.l10n.t('Environment'), [
        ['live', vscode.l10n.t('real money')],
        ['test', vscode.l10n.t('an exchange’s test system')],
      ]);
      if (environment !== undefined) await change(profile, { environment });
    },
  };
}

function readOnlyField(): EditableField {
  return {
    label: vscode.l10n.t('Read-only'),
    show: ({ readOnly }) => String(readOnly),
    edit: async (_desk, profile) => {
      const chosen = await choose(vscode.l10n.t('Read-only'), [
        ['true', vscode.l10n.t('no write is ever sent')],
        ['false', vscode.l10n.t('open orders can be cancelled')],
      ]);
      if (chosen !== undefined) await change(profile, { readOnly: chosen === 'true' });
    },
  };
}

function schemeField(): EditableField {
  return {
    label: vscode.l10n.t('Scheme'),
    show: ({ auth }) => auth.scheme,
    edit: (_desk, profile) => changeScheme(profile),
  };
}

/** A scheme of the person's own is written in settings.json. */
async function changeScheme(profile: Profile): Promise<void> {
  const question = schemeQuestion(vscode.l10n.t('Edit Profile'), profile.auth.scheme);
  const answers = await askInTurn(() => [question]);
  if (!answers) return;
  const scheme = chosenScheme(answers.scheme);
  const earlier = writtenProfile(profile.name)?.auth;
  await change(profile, { auth: writtenAuth(scheme, earlier) });
  if (scheme === 'custom') await openProfileSettings(profile.name);
}

async function changeBaseUrl(profile: Profile): Promise<void> {
  const question = urlQuestion(vscode.l10n.t('Edit Profile'), profile.baseUrl);
  const { baseUrl } = (await askInTurn(() => [question])) ?? {};
  if (baseUrl !== undefined) await change(profile, { baseUrl: parseBaseUrl(baseUrl) });
}

async function change({ name }: Profile, fields: WrittenProfile): Promise<void> {
  await writeProfile(name, { ...writtenProfile(name), ...fields });
}

async function choose(
  title: string,
  choices: readonly (readonly [value: string, meaning: string])[],
): Promise<string | undefined> {
  const items = choices.map(([label, description]) => ({ label, description }));
  return (await vscode.window.showQuickPick(items, { title }))?.label;
}
