import * as vscode from 'vscode';
import { views } from '../contributions.ts';
import type { Accounts } from '../profiles/accounts.ts';
import { practiceName } from '../profiles/practice.ts';

/** Opens the practice exchange and shows its positions. */
export async function tryPractice(accounts: Accounts): Promise<void> {
  const opened = accounts.open(practiceName);
  await vscode.commands.executeCommand(`${views.positions}.focus`);
  await opened;
}
