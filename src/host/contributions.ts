/** Every id that package.json contributes, once; a unit test compares the two both ways. */

export const commands = {
  tryPractice: 'marginDesk.tryPractice',
  refresh: 'marginDesk.refresh',
  openOrderHistory: 'marginDesk.openOrderHistory',
  cancelAllOrders: 'marginDesk.cancelAllOrders',
  showLog: 'marginDesk.showLog',
} as const;
export type CommandId = (typeof commands)[keyof typeof commands];

export const views = { positions: 'marginDesk.positions' } as const;

/** Settings with the defaults that package.json declares. */
export const settings = {
  'marginDesk.defaultProfile': '',
  'marginDesk.http': 'vscode',
} as const;

/** Keys of `when` clauses. */
export const contextKeys = { hasAccount: 'marginDesk.hasAccount' } as const;

/** Ids that package.json need not declare, but that keybindings, tests and state rely on. */
export const statusItems = { equity: 'marginDesk.equity' } as const;
export const panels = { table: 'marginDesk.table' } as const;
