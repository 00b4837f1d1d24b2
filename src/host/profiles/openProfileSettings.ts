import * as vscode from 'vscode';
import { settings } from '../contributions.ts';

const key = 'marginDesk.profiles' satisfies keyof typeof settings;

/** Opens the person's settings.json at a profile; at all profiles where it does not stand there. */
export async function openProfileSettings(name: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettingsJson', {
    revealSetting: { key },
  });
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.path.endsWith('/settings.json')) select(editor, name);
}

function select(editor: vscode.TextEditor, name: string): void {
  const { document } = editor;
  const text = document.getText();
  const written = JSON.stringify(name);
  const at = text.indexOf(written, text.indexOf(JSON.stringify(key)));
  if (at < 0) return;
  const range = new vscode.Range(document.positionAt(at), document.positionAt(at + written.length));
  editor.selection = new vscode.Selection(range.start, range.end);
  editor.revealRange(range, vscode.TextEditorRevealType.AtTop);
}
