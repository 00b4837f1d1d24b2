import * as vscode from 'vscode';
import type { Profile } from '../../account/profile.ts';
import { pickProfile } from '../profiles/pickProfile.ts';
import type { ProfileDesk } from '../profiles/profileDesk.ts';
import { editableFields, type EditableField } from '../profiles/editField.ts';
import { openProfileSettings } from '../profiles/openProfileSettings.ts';

/**
 * Changes one field of a profile that the person picks: the usual ones by a question, all others in
 * settings.json, where the schema completes them. A profile that cannot be used opens there at once.
 */
export async function editProfile(desk: ProfileDesk): Promise<void> {
  const title = vscode.l10n.t('Edit Profile');
  const entry = await pickProfile(title, desk.accounts.wantedName);
  if (!entry) return;
  if (entry.kind === 'bad') return openProfileSettings(entry.name);
  const field = await pickField(entry.profile);
  if (field === 'file') return openProfileSettings(entry.name);
  await field?.edit(desk, entry.profile);
}

async function pickField(profile: Profile): Promise<EditableField | 'file' | undefined> {
  const fields = editableFields().map((field) => ({
    label: field.label,
    description: field.show(profile),
    field,
  }));
  const file = { label: vscode.l10n.t('Everything in settings.json …'), field: 'file' as const };
  const picked = await vscode.window.showQuickPick([...fields, file], {
    title: vscode.l10n.t('Edit Profile'),
  });
  return picked?.field;
}
