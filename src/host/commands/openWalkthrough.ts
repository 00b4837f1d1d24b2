import * as vscode from 'vscode';
import { walkthroughs } from '../contributions.ts';

/** Opens the first minutes: five steps, each with what it takes to do them. */
export async function openWalkthrough(): Promise<void> {
  await vscode.commands.executeCommand(
    'workbench.action.openWalkthrough',
    `margin-desk.margin-desk#${walkthroughs.firstMinutes}`,
  );
}
