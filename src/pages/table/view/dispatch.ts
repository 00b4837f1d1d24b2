import type { Action } from '../state.ts';

/** How a view says what a person did. */
export type Dispatch = (action: Action) => void;

/** A key that the page takes: neither the browser nor VS Code's keybindings see it. */
export function take(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
