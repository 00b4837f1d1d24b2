import { nothing } from 'lit';

/** The buttons of the grid in the toolbar. */
export function gridTools(): typeof nothing {
  return nothing;
}
