import path from 'node:path';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { DisposableOwner } from '../../base/disposable.ts';
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
import type { DocumentSource, LiveDocument } from '../webview/documentPanel.ts';
import { Followed } from '../webview/followed.ts';
import type { DocumentGrid } from '../webview/gridRequests.ts';
import { accountTab, type PanelTab } from '../webview/tab.ts';
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
    source: (file, panel) => {
      const shown = new ShownComparison(context, needs, files, file, () => panel.visible);
      panel.onDidDispose(() => shown.dispose());
      return shown;
    },
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
    const none = { table: null, mapping: null, offsetMinutes: null, symbols: {} };
    return this.known(file) ?? { file, ...none };
  }

  keep(file: string, change: Partial<Stored>): Promise<void> {
    const one = { ...this.find(file), ...change, file };
    return this.stored.update((all) => [...all.filter((each) => each.file !== file), one]);
  }

  /** The given file or one that is asked for; undefined if the person does not say how it is read. */
  async chosen(given: unknown): Promise<string | undefined> {
    await this.needs.profileLedgers.require();
    const uri = given instanceof vscode.Uri ? given : await this.askFile();
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
    const known = { file, table: null, mapping: null };
    const source = preview.bot === null ? await askSource(file, preview) : known;
    if (source) await this.keep(file, source);
    return source !== undefined;
  }

  /** The last ones first. */
  private async askFile(): Promise<vscode.Uri | undefined> {
    const recent = this.stored.get().toReversed();
    const another = { label: t('$(folder-opened) Choose a File…'), file: null };
    const items = recent.map(({ file }) => ({
      label: path.basename(file),
      description: path.dirname(file),
      file,
    }));
    const title = t('Compare With Bot');
    const chosen =
      items.length === 0
        ? another
        : await vscode.window.showQuickPick([...items, another], { title });
    if (!chosen) return undefined;
    if (chosen.file !== null) return vscode.Uri.file(chosen.file);
    return (await vscode.window.showOpenDialog({ title, openLabel: t('Compare') }))?.[0];
  }
}

/** The comparison that a page shows, which follows the ledger and the file. */
class ShownComparison extends DisposableOwner implements DocumentSource {
  private readonly context: FeatureContext;
  private readonly needs: ComparisonNeeds;
  private readonly files: ComparedFiles;
  private readonly file: string;
  private readonly didChange = this.disposables.add(new Emitter<void>());
  readonly changes;
  readonly grid: DocumentGrid;
  private readonly followed: Followed<ComparisonState>;
  private state: ComparisonState | undefined;
  private count = 0;

  constructor(
    context: FeatureContext,
    needs: ComparisonNeeds,
    files: ComparedFiles,
    file: string,
    isVisible: () => boolean,
  ) {
    super();
    this.context = context;
    this.needs = needs;
    this.files = files;
    this.file = file;
    this.changes = [this.didChange.event, context.active.onDidChange];
    const show = (state: ComparisonState): void => {
      this.state = state;
      this.didChange.fire();
    };
    this.followed = this.disposables.add(
      new Followed({
        compute: () => this.compare(),
        show,
        fail: (error) => {
          context.log.failure('a comparison', error);
          show({ kind: 'failed', error });
        },
        ...{ delayMs: secondMs, restMs: () => restMs, isVisible },
        clock: systemClock,
      }),
    );
    this.grid = {
      name: 'comparison',
      columns: () => comparedRows([]).columns,
      records: (pageId) => this.recordsOf(pageId),
      layout: context.choices.layout('comparison'),
    };
    this.follow();
  }

  readonly tab = (): PanelTab => accountTab(path.basename(this.file), this.context.active);

  /** What was written while nobody saw the page was not followed. */
  readonly opened = (): void => this.followed.change();

  readonly document = async (): Promise<LiveDocument> => {
    if (!this.state) await this.followed.update();
    const { active, display, choices } = this.context;
    return comparisonDocument(this.state ?? { kind: 'noLedger' }, {
      file: this.file,
      profile: active.state.kind === 'open' ? active.state.session.profile : undefined,
      display: display.latest(),
      layout: { ...choices.layout('comparison').get(), hidden: [] },
      actions: this.actions,
    });
  };

  private async compare(): Promise<ComparisonState> {
    const open = this.needs.ledger.current;
    if (!open) return { kind: 'noLedger' };
    const { offsetMinutes, symbols, ...source } = this.files.find(this.file);
    const result = await open.reader.compare(source, { offsetMinutes, symbols });
    this.count += 1;
    return { kind: 'compared', id: this.count, result };
  }

  private follow(): void {
    const { ledger } = this.needs;
    const again = (): void => this.followed.change();
    this.disposables.add(ledger.onDidChange(() => void this.followed.update()));
    this.disposables.add(ledger.onDidWrite(again));
    const file = fileOfLink(this.file);
    // What a database has in its log is not in its file yet.
    const own = new vscode.RelativePattern(
      vscode.Uri.file(path.dirname(file)),
      `${path.basename(file).replaceAll(/[[\]{}*?]/g, '?')}*`,
    );
    const watcher = this.disposables.add(vscode.workspace.createFileSystemWatcher(own));
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
      this.disposables.add(event(again));
  }

  private recordsOf(pageId: number): readonly object[] | undefined {
    const { state } = this;
    if (state?.kind !== 'compared' || state.id !== pageId || 'problem' in state.result)
      return undefined;
    const { columns, rows } = comparedRows(state.result.rows);
    return rows.map((cells) =>
      Object.fromEntries(columns.map(({ field }, index) => [field, cells[index]])),
    );
  }

  private readonly actions: ComparisonActions = {
    showRow: (row) => this.showRow(row),
    openBotRow: (place) => openBotRow(this.file, place),
    showInLedger: (row) => this.showInLedger(row),
    fillGaps: (gaps) => {
      this.needs.fill(gaps);
    },
    export: (comparison) => this.export(comparison),
    changeZone: () => this.changeZone(),
    changeSymbol: (botSymbol) => this.changeSymbol(botSymbol),
    changeColumns: () => this.choose(),
  };

  private async showRow(row: ComparedRow): Promise<unknown> {
    const { bot, exchange } = row;
    if (bot && !exchange) return this.actions.openBotRow(bot);
    if (!bot) {
      this.showInLedger(row);
      return undefined;
    }
    const [ledger, own] = [t('Show in Ledger'), t('Open the Bot’s Row')];
    const chosen = await vscode.window.showQuickPick([ledger, own]);
    if (chosen === own) return this.actions.openBotRow(bot);
    if (chosen === ledger) this.showInLedger(row);
    return undefined;
  }

  private showInLedger({ exchange, time, symbol, assets }: ComparedRow): void {
    if (!exchange || time === null) return;
    const filters = symbol === null ? { asset: assets[1] ?? '' } : { symbol };
    const around = { from: time - dayMs / 2, to: time + dayMs / 2 };
    const rows = rowsOf(exchange.history, filters, around);
    this.needs.showStored({ ...rows, startAt: { fields: exchange.fields } });
  }

  private async export(comparison: object): Promise<void> {
    if (!(await this.context.confirmRealValues())) return;
    const defaultUri = vscode.Uri.file(`${this.file}.comparison.json`);
    const target = await vscode.window.showSaveDialog({
      title: t('Export Comparison'),
      defaultUri,
    });
    const text = `${JSON.stringify(comparison, null, 2)}\n`;
    if (target) await vscode.workspace.fs.writeFile(target, Buffer.from(text));
  }

  private async changeZone(): Promise<void> {
    const found = { label: t('As found by evidence'), minutes: null };
    const zones = zoneMinutes.map((minutes) => ({
      label: offsetText(minutes * minuteMs),
      minutes,
    }));
    const title = t('Zone of times that name none');
    const chosen = await vscode.window.showQuickPick([found, ...zones], { title });
    if (chosen) await this.change({ offsetMinutes: chosen.minutes });
  }

  private async changeSymbol(botSymbol: string): Promise<void> {
    const { symbols } = this.files.find(this.file);
    const before = symbols[botSymbol];
    const symbol = await vscode.window.showInputBox({
      title: t('Symbol of the exchange for {0}; empty as found by evidence', botSymbol),
      value: before?.symbol ?? '',
    });
    if (symbol === undefined) return;
    const others = Object.entries(symbols).filter(([name]) => name !== botSymbol);
    const multiplier =
      symbol === '' ? '' : await askMultiplier(botSymbol, before?.multiplier ?? '1');
    if (multiplier === undefined) return;
    const own = symbol === '' ? [] : [[botSymbol, { symbol, multiplier }] as const];
    await this.change({ symbols: Object.fromEntries([...others, ...own]) });
  }

  private async choose(): Promise<void> {
    if (await this.files.choose(this.file)) await this.followed.update();
  }

  private async change(change: Partial<Stored>): Promise<void> {
    await this.files.keep(this.file, change);
    await this.followed.update();
  }
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
  await vscode.env.clipboard.writeText(rowSql(table, place));
  return t('A query of {0} was copied', placeText(place));
}
