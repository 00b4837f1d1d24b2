import * as vscode from 'vscode';
import { environmentLabel, type Profile } from '../../account/profile.ts';
import { parseBaseUrl } from '../../exchange/baseUrl.ts';
import { askInTurn } from './askInTurn.ts';
import { plainLabel } from './pickProfile.ts';
import type { ProfileDesk } from './profileDesk.ts';
import { writeProfile, writtenProfile, type WrittenProfile } from './profileSettings.ts';
import { renameProfile } from './renameProfile.ts';
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
    edit: async (_desk, profile) => {
      const scheme = await choose(vscode.l10n.t('Scheme'), [
        ['hmacQuery', vscode.l10n.t('key in a header, signature over the query')],
        ['hmacHeaders', vscode.l10n.t('key, time and signature in headers')],
        ['hmacIsoPassphrase', vscode.l10n.t('the same with ISO time and a passphrase')],
        ['apiKeyHeader', vscode.l10n.t('key in a header')],
        ['bearer', vscode.l10n.t('token in Authorization')],
        ['basic', vscode.l10n.t('user name and password in Authorization')],
        ['custom', vscode.l10n.t('as auth.custom in settings.json says')],
        ['none', vscode.l10n.t('no credentials')],
      ]);
      if (scheme === undefined) return;
      const auth = writtenProfile(profile.name)?.auth;
      await change(profile, { auth: { ...(typeof auth === 'object' ? auth : {}), scheme } });
    },
  };
}

async function changeBaseUrl(profile: Profile): Promise<void> {
  const question = urlQuestion(vscode.l10n.t('Edit Profile'), profile.baseUrl);
  const [text] = (await askInTurn([question])) ?? [];
  if (text !== undefined) await change(profile, { baseUrl: parseBaseUrl(text) });
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
