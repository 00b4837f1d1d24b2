import path from 'node:path';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { isNumberText, sign } from '../../base/decimal.ts';
import { UserFacingError } from '../../base/errors.ts';
import { storedList } from '../../base/storedValue.ts';
import { dayMs, minuteMs, secondMs, systemClock } from '../../base/time.ts';
import { offsetText } from '../../base/timeZone.ts';
import { botFields, type BotPlace, type ComparedRow } from '../../ledger/comparison/comparison.ts';
import { fileOfLink } from '../../ledger/comparison/fileCopy.ts';
import { zoneMinutes } from '../../ledger/comparison/matching.ts';
import { rowSql } from '../../ledger/comparison/rowSql.ts';
import type { FeatureContext } from '../feature/context.ts';
import type { AccountLedger } from '../ledger/openLedger.ts';
import type { ProfileLedgers } from '../ledger/profileLedgers.ts';
import type { PlannedWalk } from '../../ledger/sync/downloadPlan.ts';
import { rowsOf, type StoredRows } from '../reconciliation/storedRows.ts';
import { commands } from '../shared/contributions.ts';
import { t } from '../shared/translate.ts';
import type { DocumentSource } from '../webview/documentPanel.ts';
import { Followed } from '../webview/followed.ts';
import { accountTab } from '../webview/tab.ts';
import { askSource } from './askColumns.ts';
import {
  comparedRows,
  comparisonDocument,
  placeText,
  type ComparisonActions,
  type ComparisonState,
} from './document.ts';
import { botFileProblemText } from './text.ts';

const storedSchema = v.object({
  file: v.string(),
  table: v.nullable(v.string()),
  mapping: v.nullable(v.record(v.picklist(botFields), v.string())),
  offsetMinutes: v.nullable(v.number()),
  symbols: v.record(v.string(), v.object({ symbol: v.string(), multiplier: v.string() })),
});
/** What was chosen for a file. */
type Stored = v.InferOutput<typeof storedSchema>;

const mostStored = 30;
/** A bot writes often, and a comparison reads all of its file. */
const restMs = 5 * secondMs;

type ComparisonNeeds = {
  readonly ledger: AccountLedger;
  readonly profileLedgers: ProfileLedgers;
  readonly fill: (intervals: readonly PlannedWalk[]) => void;
  readonly showStored: (rows: StoredRows) => void;
};

/** Pages that compare the file of a bot with the ledger, one for each file. */
export function registerComparisons(context: FeatureContext, needs: ComparisonNeeds) {
  const files = new ComparedFiles(context, needs);
  const pages = context.documents.add({
    name: 'comparison',
    source: (file, panel) => shownComparison(context, needs, files, file, panel),
    restored: (file) => Promise.resolve(files.known(file) && file),
  });
  const compare = async (given: unknown): Promise<void> => {
    const file = await files.chosen(given);
    if (file !== undefined) pages.show(file);
  };
  return { [commands.compareWithBot]: compare };
}

/** The files that were compared, with what was chosen for each; the last ones last. */
class ComparedFiles {
  private readonly needs: ComparisonNeeds;
  private readonly stored;

  constructor({ globalState }: FeatureContext, needs: ComparisonNeeds) {
    this.needs = needs;
    const limit = { limit: mostStored };
    this.stored = storedList(globalState, 'marginDesk.comparisons', storedSchema, limit);
  }

  known(file: string): Stored | undefined {
    return this.stored.get().find((one) => one.file === file);
  }

  find(file: string): Stored {
    return this.known(file) ?? { ...{ file, offsetMinutes: null, symbols: {} }, ...nothingToMap };
  }

  keep(file: string, change: Partial<Stored>): Promise<void> {
    const one = { ...this.find(file), ...change };
    return this.stored.update((all) => [...all.filter((each) => each.file !== file), one]);
  }

  /** The given file or one that is asked for; undefined if the person does not say how it is read. */
  async chosen(given: unknown): Promise<string | undefined> {
    await this.needs.profileLedgers.require();
    const uri = given instanceof vscode.Uri ? given : await askFile(this.stored.get().toReversed());
    if (!uri) return undefined;
    if (uri.scheme !== 'file')
      throw new UserFacingError(t('Only a file of this machine can be compared.'));
    const file = uri.fsPath;
    if (!this.known(file) && !(await this.choose(file))) return undefined;
    await this.keep(file, {});
    return file;
  }

  async choose(file: string): Promise<boolean> {
    const { reader } = await this.needs.profileLedgers.require();
    const preview = await reader.previewBotFile(file);
    if ('problem' in preview) throw new UserFacingError(botFileProblemText(preview.problem));
    const source = preview.bot === null ? await askSource(preview) : nothingToMap;
    if (source) await this.keep(file, source);
    return source !== undefined;
  }
}

/** Of a bot whose schema is known. */
const nothingToMap = { table: null, mapping: null };

async function askFile(recent: readonly Stored[]): Promise<vscode.Uri | undefined> {
  const title = t('Compare With Bot');
  const items = recent.map(({ file }) => ({
    ...{ label: path.basename(file), description: path.dirname(file), file },
  }));
  const another = { label: t('$(folder-opened) Choose a File…'), file: null };
  const all = [...items, another];
  const chosen = items.length === 0 ? another : await vscode.window.showQuickPick(all, { title });
  if (!chosen) return undefined;
  if (chosen.file !== null) return vscode.Uri.file(chosen.file);
  return (await vscode.window.showOpenDialog({ title, openLabel: t('Compare') }))?.[0];
}

/** The comparison that a page shows, which follows the ledger and the file. */
function shownComparison(
  context: FeatureContext,
  needs: ComparisonNeeds,
  files: ComparedFiles,
  file: string,
  panel: vscode.WebviewPanel,
): DocumentSource {
  const disposables = new DisposableStore();
  panel.onDidDispose(() => disposables.dispose());
  const didChange = disposables.add(new Emitter<void>());
  let state: ComparisonState | undefined;
  let count = 0;
  const show = (next: ComparisonState): void => {
    state = next;
    didChange.fire();
  };
  const compare = async (): Promise<ComparisonState> => {
    const open = needs.ledger.current;
    if (!open) return { kind: 'noLedger' };
    const { offsetMinutes, symbols, ...source } = files.find(file);
    const result = await open.reader.compare(source, { offsetMinutes, symbols });
    return { kind: 'compared', id: ++count, result };
  };
  const fail = (error: unknown): void => {
    context.log.failure('a comparison', error);
    show({ kind: 'failed', error });
  };
  const isVisible = (): boolean => panel.visible;
  const timing = { delayMs: secondMs, restMs: () => restMs, isVisible, clock: systemClock };
  const followed = disposables.add(new Followed({ compute: compare, show, fail, ...timing }));
  const again = (): void => followed.change();
  disposables.add(needs.ledger.onDidChange(() => void followed.update()));
  disposables.add(needs.ledger.onDidWrite(again));
  const watcher = disposables.add(watcherOf(file));
  for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
    disposables.add(event(again));
  const layout = context.choices.layout('comparison');
  const actions = comparisonActions(context, needs, files, file, () => followed.update());
  return {
    tab: () => accountTab(path.basename(file), context.active),
    changes: [didChange.event, context.active.onDidChange],
    // What was written while nobody saw the page was not followed.
    opened: again,
    grid: {
      ...{ name: 'comparison', layout, columns: () => comparedRows([]).columns },
      records: (pageId) => recordsOf(state, pageId),
    },
    document: async () => {
      if (!state) await followed.update();
      const active = context.active.state;
      return comparisonDocument(state ?? { kind: 'noLedger' }, {
        ...{ file, actions, display: context.display.latest() },
        profile: active.kind === 'open' ? active.session.profile : undefined,
        layout: { ...layout.get(), hidden: [] },
      });
    },
  };
}

/** Also of what a database has in its log, which is not in its file yet. */
function watcherOf(file: string): vscode.FileSystemWatcher {
  const target = fileOfLink(file);
  const names = `${path.basename(target).replaceAll(/[[\]{}*?]/g, '?')}*`;
  const folder = vscode.Uri.file(path.dirname(target));
  return vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, names));
}

function recordsOf(
  state: ComparisonState | undefined,
  pageId: number,
): readonly object[] | undefined {
  if (state?.kind !== 'compared' || state.id !== pageId || 'problem' in state.result)
    return undefined;
  const { columns, rows } = comparedRows(state.result.rows);
  return rows.map((cells) =>
    Object.fromEntries(columns.map(({ field }, index) => [field, cells[index]])),
  );
}

function comparisonActions(
  context: FeatureContext,
  needs: ComparisonNeeds,
  files: ComparedFiles,
  file: string,
  update: () => Promise<void>,
): ComparisonActions {
  const change = async (changed: Partial<Stored> | undefined): Promise<void> => {
    if (!changed) return;
    await files.keep(file, changed);
    await update();
  };
  const openRowOfBot = (place: BotPlace) => openBotRow(file, place);
  const showInLedger = ({ exchange, time, symbol, assets }: ComparedRow): void => {
    if (!exchange || time === null) return;
    const filters = symbol === null ? { asset: assets[1] ?? '' } : { symbol };
    const around = { from: time - dayMs / 2, to: time + dayMs / 2 };
    const rows = rowsOf(exchange.history, filters, around);
    needs.showStored({ ...rows, startAt: { fields: exchange.fields } });
  };
  return {
    ...{ openBotRow: openRowOfBot, showInLedger, fillGaps: needs.fill },
    async showRow(row) {
      const [ledger, own] = [t('Show in Ledger'), t('Open the Bot’s Row')];
      const sides = [...(row.exchange ? [ledger] : []), ...(row.bot ? [own] : [])];
      const chosen = sides.length > 1 ? await vscode.window.showQuickPick(sides) : sides[0];
      if (chosen === own && row.bot) return openRowOfBot(row.bot);
      if (chosen === ledger) showInLedger(row);
      return undefined;
    },
    async export(comparison) {
      if (!(await context.confirmRealValues())) return;
      const defaultUri = vscode.Uri.file(`${file}.comparison.json`);
      const title = t('Export Comparison');
      const target = await vscode.window.showSaveDialog({ title, defaultUri });
      const text = `${JSON.stringify(comparison, null, 2)}\n`;
      if (target) await vscode.workspace.fs.writeFile(target, Buffer.from(text));
    },
    changeZone: async () => change(await askZone()),
    changeSymbol: async (botSymbol) => change(await askSymbol(botSymbol, files.find(file).symbols)),
    changeColumns: async () => {
      if (await files.choose(file)) await update();
    },
  };
}

async function askZone(): Promise<Pick<Stored, 'offsetMinutes'> | undefined> {
  const found = { label: t('As found by evidence'), offsetMinutes: null };
  const zones = zoneMinutes.map((minutes) => ({
    ...{ label: offsetText(minutes * minuteMs), offsetMinutes: minutes },
  }));
  const title = t('Zone of times that name none');
  const chosen = await vscode.window.showQuickPick([found, ...zones], { title });
  return chosen && { offsetMinutes: chosen.offsetMinutes };
}

async function askSymbol(
  botSymbol: string,
  { [botSymbol]: before, ...others }: Stored['symbols'],
): Promise<Pick<Stored, 'symbols'> | undefined> {
  const symbol = await vscode.window.showInputBox({
    title: t('Symbol of the exchange for {0}; empty as found by evidence', botSymbol),
    value: before?.symbol ?? '',
  });
  if (symbol === undefined) return undefined;
  if (symbol === '') return { symbols: others };
  const multiplier = await askMultiplier(botSymbol, before?.multiplier ?? '1');
  return multiplier === undefined
    ? undefined
    : { symbols: { ...others, [botSymbol]: { symbol, multiplier } } };
}

function askMultiplier(botSymbol: string, value: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: t('How much of the exchange’s amount is 1 of {0}?', botSymbol),
    value,
    validateInput: (text) =>
      isNumberText(text) && sign(text) > 0 ? undefined : t('Enter a number greater than 0.'),
  });
}

/** A text at its line; a database with a query of the row, for the program that shows it. */
async function openBotRow(file: string, place: BotPlace): Promise<string | undefined> {
  const uri = vscode.Uri.file(file);
  const { table, id } = place;
  if (table === null) {
    const line = Number(id) - 1;
    const selection = new vscode.Range(line, 0, line, 0);
    await vscode.window.showTextDocument(uri, { selection });
    return undefined;
  }
  await vscode.env.clipboard.writeText(rowSql(table, id));
  return t('A query of {0} was copied', placeText(place));
}
