import type { Memento } from 'vscode';

/** All that a memento stores, as text to search. */
export function storedText(memento: Memento): string {
  return JSON.stringify(memento.keys().map((key) => [key, memento.get(key)]));
}

/** What a window stores beside the name of its account and the last query of each panel: nothing. */
export function furtherKeysOf(workspaceState: Memento): string[] {
  const known = /^marginDesk\.(?:activeProfile$|query\.)/;
  return workspaceState.keys().filter((key) => !known.test(key));
}
