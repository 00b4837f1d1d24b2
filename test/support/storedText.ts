import type { Memento } from 'vscode';

/** All that a memento stores, as text to search. */
export function storedText(memento: Memento): string {
  return JSON.stringify(memento.keys().map((key) => [key, memento.get(key)]));
}
