import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/activeAccount.ts';
import { views } from '../contributions.ts';
import type { Accounts } from '../profiles/accounts.ts';
import type { PracticeExchange } from '../profiles/practice.ts';
import { practiceName } from '../profiles/profileName.ts';

/** Shows the positions of the practice exchange; opens it unless it is open, or opening, already. */
export async function tryPractice(
  active: ActiveAccount,
  accounts: Accounts,
  practice: PracticeExchange,
): Promise<void> {
  const isThere = isPractice(active) && practice.isRunning;
  const opened = isThere ? active.session() : accounts.open(practiceName);
  await Promise.all([opened, vscode.commands.executeCommand(`${views.positions}.focus`)]);
}

function isPractice({ state }: ActiveAccount): boolean {
  switch (state.kind) {
    case 'open':
      return state.session.profile.name === practiceName;
    case 'opening':
      return state.name === practiceName;
    case 'closed':
    case 'failed':
      return false;
    default:
      return state satisfies never;
  }
}
