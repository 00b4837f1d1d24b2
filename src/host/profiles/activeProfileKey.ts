/** Where a window's own memory keeps the name of the account that it has open. */
export const activeProfileKey = 'marginDesk.activeProfile';
