/** Every id that package.json contributes. A unit test compares the two. */

export const commands = {
  tryPractice: 'marginDesk.tryPractice',
  refresh: 'marginDesk.refresh',
  openOverview: 'marginDesk.openOverview',
  openOrderHistory: 'marginDesk.openOrderHistory',
  openTradeHistory: 'marginDesk.openTradeHistory',
  openLiquidationHistory: 'marginDesk.openLiquidationHistory',
  openTransactionHistory: 'marginDesk.openTransactionHistory',
  openExchangeInformation: 'marginDesk.openExchangeInformation',
  openLeverageRules: 'marginDesk.openLeverageRules',
  openFeeTiers: 'marginDesk.openFeeTiers',
  exportTable: 'marginDesk.exportTable',
  openLedger: 'marginDesk.openLedger',
  downloadHistory: 'marginDesk.downloadHistory',
  backUpLedger: 'marginDesk.backUpLedger',
  restoreLedger: 'marginDesk.restoreLedger',
  deleteLedger: 'marginDesk.deleteLedger',
  writeStatement: 'marginDesk.writeStatement',
  verifyStatement: 'marginDesk.verifyStatement',
  openReconciliation: 'marginDesk.openReconciliation',
  openAnalysis: 'marginDesk.openAnalysis',
  openClosedPositions: 'marginDesk.openClosedPositions',
  findId: 'marginDesk.findId',
  compareWithBot: 'marginDesk.compareWithBot',
  cancelAllOrders: 'marginDesk.cancelAllOrders',
  watchTerminal: 'marginDesk.watchTerminal',
  chooseBots: 'marginDesk.chooseBots',
  showReceipts: 'marginDesk.showReceipts',
  deleteReceipts: 'marginDesk.deleteReceipts',
  addProfile: 'marginDesk.addProfile',
  importProfiles: 'marginDesk.importProfiles',
  editProfile: 'marginDesk.editProfile',
  explainReadOnly: 'marginDesk.explainReadOnly',
  removeProfile: 'marginDesk.removeProfile',
  switchProfile: 'marginDesk.switchProfile',
  setCredentials: 'marginDesk.setCredentials',
  testConnection: 'marginDesk.testConnection',
  showConnectionReport: 'marginDesk.showConnectionReport',
  togglePrivacy: 'marginDesk.togglePrivacy',
  showAllDigits: 'marginDesk.showAllDigits',
  toggleZeroAssets: 'marginDesk.toggleZeroAssets',
  copyValue: 'marginDesk.copyValue',
  copyRow: 'marginDesk.copyRow',
  openSymbolOrders: 'marginDesk.openSymbolOrders',
  openSymbolTrades: 'marginDesk.openSymbolTrades',
  openSymbolLots: 'marginDesk.openSymbolLots',
  openPositionLeverageRule: 'marginDesk.openPositionLeverageRule',
  copyCells: 'marginDesk.copyCells',
  copyCellsWithHeaders: 'marginDesk.copyCellsWithHeaders',
  copyGridRow: 'marginDesk.copyGridRow',
  copyCellsAsJson: 'marginDesk.copyCellsAsJson',
  copyCellsAsMarkdown: 'marginDesk.copyCellsAsMarkdown',
  filterByValue: 'marginDesk.filterByValue',
  openTradesOfOrder: 'marginDesk.openTradesOfOrder',
  openPositionOfRow: 'marginDesk.openPositionOfRow',
  showRowDetails: 'marginDesk.showRowDetails',
  sortColumn: 'marginDesk.sortColumn',
  hideColumn: 'marginDesk.hideColumn',
  fitColumn: 'marginDesk.fitColumn',
  copySelectedText: 'marginDesk.copySelectedText',
  openWalkthrough: 'marginDesk.openWalkthrough',
  showLog: 'marginDesk.showLog',
  allowAgents: 'marginDesk.allowAgents',
  revokeAgents: 'marginDesk.revokeAgents',
  showAgentLog: 'marginDesk.showAgentLog',
  copyAgentConfiguration: 'marginDesk.copyAgentConfiguration',
} as const;
export type CommandId = (typeof commands)[keyof typeof commands];

export const views = {
  positions: 'marginDesk.positions',
  assets: 'marginDesk.assets',
  lockedOrders: 'marginDesk.lockedOrders',
  records: 'marginDesk.records',
} as const;

/** Settings and their defaults. */
export const settings = {
  'marginDesk.profiles': {},
  'marginDesk.defaultProfile': '',
  'marginDesk.http': 'vscode',
  'marginDesk.weightShare': 0.5,
  'marginDesk.confirmByTyping': false,
  'marginDesk.ledger.keepCurrent': true,
  'marginDesk.ledger.linkIds': true,
  'marginDesk.timeZone': 'local',
  'marginDesk.digits': 'compact',
  'marginDesk.pollSeconds.focused': 15,
  'marginDesk.pollSeconds.unfocused': 60,
  'marginDesk.alerts.positions': true,
  'marginDesk.alerts.liquidations': true,
  'marginDesk.alerts.equity': true,
  'marginDesk.alerts.equityFallPercent': 10,
  'marginDesk.alerts.connection': true,
  'marginDesk.alerts.reconciliation': true,
  'marginDesk.nearPercent': 10,
  'marginDesk.criticalPercent': 5,
  'marginDesk.statusBarAlignment': 'right',
  'marginDesk.hideZeroAssets': false,
  'marginDesk.agents': false,
} as const;

export const colors = {
  gainForeground: 'marginDesk.gainForeground',
  lossForeground: 'marginDesk.lossForeground',
  successForeground: 'marginDesk.successForeground',
  problemForeground: 'marginDesk.problemForeground',
  criticalForeground: 'marginDesk.criticalForeground',
  liveForeground: 'marginDesk.liveForeground',
} as const;

/** The minimum and maximum of a setting. */
export const settingRanges = {
  'marginDesk.pollSeconds.focused': [5, 600],
  'marginDesk.pollSeconds.unfocused': [5, 600],
  'marginDesk.alerts.equityFallPercent': [0.1, 100],
} as const satisfies Partial<Record<keyof typeof settings, readonly [number, number]>>;

export const contextKeys = {
  /** Agents may read an account, in a folder that is trusted. */
  agentsMayRead: 'marginDesk.agentsMayRead',
  /** The name of the document in front. */
  document: 'marginDesk.document',
  hasAccount: 'marginDesk.hasAccount',
  hasExported: 'marginDesk.hasExported',
  hasFoundId: 'marginDesk.hasFoundId',
  /** Something was read into the ledger of the open account. */
  hasHistory: 'marginDesk.hasHistory',
  historyIsActive: 'marginDesk.historyIsActive',
  isConnected: 'marginDesk.isConnected',
  isPractice: 'marginDesk.isPractice',
  isReadOnly: 'marginDesk.isReadOnly',
  privacy: 'marginDesk.privacy',
  /** VS Code looks at a step only when a key of it changes: with this one, also at what was so before. */
  walkthroughIsOpen: 'marginDesk.walkthroughIsOpen',
} as const;

/** Walkthroughs by their id without the extension's own. */
export const walkthroughs = { firstMinutes: 'firstMinutes' } as const;

/** Ids that package.json does not declare, but that VS Code stores. */
export const statusItems = {
  equity: 'marginDesk.equity',
  equityOnTheLeft: 'marginDesk.equityOnTheLeft',
  agents: 'marginDesk.agents',
} as const;
export const panels = {
  table: 'marginDesk.table',
  document: 'marginDesk.document',
} as const;

/** What agents use of this window, and the provider of the server for them. */
export const languageModelTools = {
  showRecord: 'margindesk_show_record',
  openPage: 'margindesk_open_page',
} as const;
export const mcpProvider = 'marginDesk.ledger';

/** The workspace state key of the profile that this window has open. */
export const activeProfileKey = 'marginDesk.activeProfile';
