import * as vscode from 'vscode';
import { views } from '../contributions.ts';
import { CredentialsNeededError } from './credentialsNeeded.ts';
import { enterCredentials } from './enterCredentials.ts';
import type { ProfileDesk } from './profileDesk.ts';

/**
 * Opens an account because the person said so, and asks for credentials where they are needed. False
 * when the person gives up: the views then say what is missing.
 */
export async function openProfile(
  { accounts, store }: ProfileDesk,
  name: string,
): Promise<boolean> {
  try {
    await accounts.open(name);
  } catch (error) {
    if (!(error instanceof CredentialsNeededError)) throw error;
    if (!(await enterCredentials(error.profile, store))) return false;
    await accounts.open(name);
  }
  await vscode.commands.executeCommand(`${views.positions}.focus`);
  return true;
}
