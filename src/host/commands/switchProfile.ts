import * as vscode from 'vscode';
import { SentenceError } from '../../base/sentenceError.ts';
import { commands } from '../contributions.ts';
import { openProfile } from '../profiles/openProfile.ts';
import type { ProfileEntry } from '../profiles/parseProfile.ts';
import { profileItem } from '../profiles/pickProfile.ts';
import type { ProfileDesk } from '../profiles/profileDesk.ts';
import { practiceName } from '../profiles/profileName.ts';
import { profileEntries } from '../profiles/profileSettings.ts';

type Choice = vscode.QuickPickItem & { readonly run?: () => Thenable<unknown> };

/** Opens another account in this window; no other window follows. */
export async function switchProfile(desk: ProfileDesk): Promise<void> {
  const { wantedName } = desk.accounts;
  const choices: Choice[] = [
    practiceChoice(desk),
    ...profileEntries().map((entry) => ({
      ...profileItem(entry, wantedName),
      run: () => open(desk, entry),
    })),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      label: vscode.l10n.t('Add Profile …'),
      run: () => vscode.commands.executeCommand(commands.addProfile),
    },
  ];
  const picked = await vscode.window.showQuickPick(choices, {
    title: vscode.l10n.t('Switch Profile'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  await picked?.run?.();
}

function practiceChoice(desk: ProfileDesk): Choice {
  const words = ['PRACTICE', vscode.l10n.t('made-up money, inside this window')];
  if (desk.accounts.wantedName === practiceName) words.push(vscode.l10n.t('open in this window'));
  return {
    label: practiceName,
    description: words.join(' · '),
    run: () => openProfile(desk, practiceName),
  };
}

/** A profile that cannot be used says why; what is open stays open. */
async function open(desk: ProfileDesk, entry: ProfileEntry): Promise<void> {
  if (entry.kind === 'bad') throw new SentenceError(entry.problem, { cure: 'editProfile' });
  await openProfile(desk, entry.name);
}
