import path from 'node:path';
import type { Profile } from '../../account/session/profile.ts';
import { cleanText } from '../../base/cleanText.ts';
import { difference, unknownText, type NumberText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { DisplayField } from '../../base/fieldPrivacy.ts';
import { minuteMs } from '../../base/time.ts';
import { offsetText } from '../../base/timeZone.ts';
import type { Problem } from '../../ledger/comparison/botFile.ts';
import {
  judgements,
  type BotPlace,
  type ComparedRow,
  type ComparedTotal,
  type Comparison,
  type FigureName,
  type FigurePair,
} from '../../ledger/comparison/comparison.ts';
import type { Block, Label, Section } from '../../protocol/document.ts';
import type { ColumnLayout } from '../../protocol/gridMessages.ts';
import type { Cell, Column } from '../../protocol/table.ts';
import { column, gridRows, timeCell, type ViewRows } from '../analysis/grid.ts';
import { completePeriodText } from '../analysis/coverage.ts';
import { ledgerHistoryLabel } from '../ledger/ledgerText.ts';
import { t } from '../shared/translate.ts';
import { errorText } from '../text/failureText.ts';
import type { Live, LiveDocument } from '../webview/documentPanel.ts';
import { emptyDocument, noAccount, noLedger, tableColumns } from '../webview/documentParts.ts';
import { copyMarkdown } from '../webview/markdown.ts';
import { botFileProblemText, explanationText, judgementText } from './text.ts';

export type ComparisonState =
  | { readonly kind: 'noLedger' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'compared'; readonly id: number; readonly result: Comparison | Problem };

export type ComparisonActions = {
  readonly showRow: (row: ComparedRow) => unknown;
  readonly openBotRow: (place: BotPlace) => unknown;
  readonly showInLedger: (row: ComparedRow) => unknown;
  readonly fillGaps: (gaps: Comparison['gaps']) => unknown;
  readonly export: (comparison: Comparison) => unknown;
  readonly changeZone: () => unknown;
  readonly changeSymbol: (botSymbol: string) => unknown;
  readonly changeColumns: () => unknown;
};

type ComparisonView = {
  readonly file: string;
  readonly profile: Profile | undefined;
  readonly display: Display;
  readonly layout: ColumnLayout;
  readonly actions: ComparisonActions;
};

/** A copy for a bug report has no more rows. */
const mostCopied = 20;

/** A bot's books beside the ledger: the first divergence, counts, totals, and every row that is listed. */
export function comparisonDocument(state: ComparisonState, view: ComparisonView): LiveDocument {
  const { profile, display, actions } = view;
  const title = t('Comparison with {0}', cleanText(path.basename(view.file)));
  const empty = { ...emptyDocument(title, display, profile), key: view.file };
  if (!profile) return { ...empty, ...noAccount() };
  if (state.kind === 'noLedger') return { ...empty, ...noLedger() };
  if (state.kind === 'failed') return { ...empty, notes: [errorText(state.error, display)] };
  const { result } = state;
  const isKnown = !('problem' in result) && result.bot !== null;
  const change = {
    action: 'changeColumns',
    label: t('Change Columns…'),
    run: actions.changeColumns,
  };
  const columns = isKnown ? [] : [change];
  if ('problem' in result)
    return { ...empty, notes: [botFileProblemText(result.problem)], buttons: columns };
  const shown = (rows: readonly ComparedRow[]): LiveDocument => ({
    ...empty,
    time: { text: periodText(result, display) },
    sections: sectionsOf(result, rows, state.id, view),
  });
  const copy = (): Promise<string> => copyMarkdown(shown(result.rows.slice(0, mostCopied)));
  return {
    ...shown(result.rows),
    buttons: [
      { action: 'copyMarkdown', label: t('Copy as Markdown'), run: copy },
      { action: 'export', label: t('Export…'), run: () => actions.export(result) },
      ...columns,
    ],
  };
}

function periodText({ period, bot }: Comparison, display: Display): string {
  const name = bot ?? t('mapped columns');
  return period ? `${name} · ${completePeriodText(period, display)}` : name;
}

function sectionsOf(
  comparison: Comparison,
  rows: readonly ComparedRow[],
  id: number,
  { display, layout, actions }: ComparisonView,
): Live<Section>[] {
  const section = (title: string, blocks: Live<Block>[], notes: string[] = []): Live<Section> => ({
    ...{ title, notes, blocks },
  });
  const grid: Live<Block> = {
    ...{ kind: 'grid', title: t('Row by row') },
    rows: gridRows(comparedRows(rows), id, layout, display),
    button: {
      ...{ action: `row ${id}`, label: t('Show Row') },
      run: ([index = -1]) => rows[index] && actions.showRow(rows[index]),
    },
  };
  const counts = Object.values(comparison.counts);
  const isCut = rows.length < counts.reduce((sum, count) => sum + count, 0);
  const cut = t('The first {0} are listed.', display.count(rows.length));
  return [
    section(t('First divergent row'), [
      firstBlock(comparison, display, actions),
      ...unreadBlocks(comparison, display),
      ...gapBlocks(comparison, display, actions),
    ]),
    section(t('Rows'), [countsBlock(comparison, display)]),
    section(
      t('Totals'),
      comparison.totals.map((total) => totalTable(total, display)),
    ),
    section(t('How the bot writes it'), [conventionsTable(comparison, display, actions)]),
    section(t('Row by row'), [grid], isCut ? [cut] : []),
  ];
}

/** The first divergent row, with its cause and both values. */
function firstBlock(
  { firstDivergent: row, counts, unreadRows }: Comparison,
  display: Display,
  actions: ComparisonActions,
): Live<Block> {
  if (!row) {
    const isOpen = counts.undecided > 0 || counts.agrees === 0 || unreadRows > 0;
    const text = isOpen ? t('No row that could be compared diverges.') : t('All rows agree.');
    return { kind: 'notice', tone: isOpen ? 'plain' : 'success', texts: [text] };
  }
  const { bot, exchange } = row;
  const inLedger = { action: 'showInLedger', label: t('Show in Ledger') };
  const ofBot = { action: 'openBotRow', label: t('Open the Bot’s Row') };
  const buttons = [
    ...(exchange ? [{ ...inLedger, run: () => actions.showInLedger(row) }] : []),
    ...(bot ? [{ ...ofBot, run: () => actions.openBotRow(bot) }] : []),
  ];
  const [title = t('no known cause'), ...others] = row.causes.map(explanationText);
  const also = others.length > 0 ? [t('Also possible: {0}.', others.join(', '))] : [];
  const finding = { title, notes: [...differences(row, display), ...also], rows: [], buttons };
  const item = {
    ...({ label: rowName(row, display), state: 'problem', texts: [] } as const),
    word: judgementText(row.judgement),
    findings: { label: t('Cause'), list: [finding] },
  };
  return { kind: 'checklist', items: [item] };
}

function rowName(
  { time, symbol, orderId, tradeId, kind, assets }: ComparedRow,
  display: Display,
): string {
  const asset = kind === 'funding' ? (assets[1] ?? assets[0]) : symbol;
  const parts = [
    ...(time === null ? [] : [display.timeToSecond(time)]),
    ...(kind === 'funding' ? [t('funding')] : []),
    ...(asset === null ? [] : [cleanText(asset)]),
    ...(orderId === null ? [] : [t('order {0}', cleanText(orderId))]),
    ...(tradeId === null ? [] : [t('trade {0}', cleanText(tradeId))]),
  ];
  return parts.join(' · ');
}

/** Where each figure is shown, that of the bot and the exchange's, and its name. */
function figureLooks() {
  return {
    amount: { botField: 'botAmount', field: 'amount', label: t('Amount') },
    price: { botField: 'botPrice', field: 'price', label: t('Price') },
    fee: { botField: 'botFee', field: 'fee', label: t('Fee') },
    pnl: { botField: 'botPnl', field: 'rpnl', label: t('Realised P&L') },
    funding: { botField: 'botAmount', field: 'amount', label: t('Funding') },
  } as const;
}

/** Every digit of the figures that differ. */
function differences(
  { figures, differing, differingWords }: ComparedRow,
  display: Display,
): string[] {
  const text = (label: string, bot: string, exchange: string): string =>
    t('{0}: bot {1}, exchange {2}', label, bot, exchange);
  const labels = { symbol: t('Symbol'), side: t('Side'), feeAsset: t('Fee asset') };
  return [
    ...differing.map((name) => {
      const { field, label } = figureLooks()[name];
      const [bot, exchange] = figures[name] ?? [null, null];
      return text(label, figureText(field, bot, display), figureText(field, exchange, display));
    }),
    ...differingWords.map(({ field, bot, exchange }) =>
      text(labels[field], cleanText(bot), cleanText(exchange)),
    ),
  ];
}

function figureText(field: DisplayField, figure: NumberText | null, display: Display): string {
  return figure === null ? unknownText : display.full(field, figure);
}

function unreadBlocks({ unreadRows }: Comparison, display: Display): Live<Block>[] {
  if (unreadRows === 0) return [];
  const text = t(
    'Rows of the bot’s file that could not be read: {0}. A line is broken, or a figure is no plain number. The bot’s totals are incomplete.',
    display.count(unreadRows),
  );
  return [{ kind: 'notice', tone: 'warning', texts: [text] }];
}

function gapBlocks(
  { gaps }: Comparison,
  display: Display,
  actions: ComparisonActions,
): Live<Block>[] {
  if (gaps.length === 0) return [];
  const texts = gaps.map(
    (gap) => `${ledgerHistoryLabel(gap.history)}: ${completePeriodText(gap, display)}`,
  );
  return [
    {
      ...{ kind: 'coverage', isComplete: false, gaps: texts.slice(0, mostCopied) },
      text: t('The ledger is not complete in this period: rows there are undecided.'),
      gapsLabel: t('Gaps: {0}', display.count(gaps.length)),
      button: { action: 'fillGaps', label: t('Fill Gaps'), run: () => actions.fillGaps(gaps) },
    },
  ];
}

function countsBlock({ counts, likely, noisy }: Comparison, display: Display): Live<Block> {
  const items = judgements.map((judgement) => ({
    label: judgementText(judgement),
    texts: [display.count(counts[judgement])],
  }));
  const likelyText = t(
    '{0} are likely: without an id, by symbol, side, amount, price and time.',
    display.count(likely),
  );
  const noisyText = t(
    '{0} agree but for the digits of floats, or digits that the file cannot keep.',
    display.count(noisy),
  );
  const undecidedText = t(
    'Undecided is what cannot be proved: its time cannot be read, the ledger is not complete there, no id names its trade, or its position is open: compare again once it is closed.',
  );
  const said = [
    ...(likely > 0 ? [likelyText] : []),
    ...(noisy > 0 ? [noisyText] : []),
    ...(counts.undecided > 0 ? [undecidedText] : []),
  ];
  const ofThese = said.length > 0 ? [{ label: t('Of these'), texts: said }] : [];
  return { kind: 'details', items: [...items, ...ofThese] };
}

function totalTable(total: ComparedTotal, display: Display): Live<Block> {
  const { figure, asset, bot, exchange, explained, remainder } = total;
  const look = figureLooks()[figure];
  const title = `${look.label} · ${asset === '' ? unknownText : cleanText(asset.toUpperCase())}`;
  const label = (amount: NumberText | null): Label => ({
    text: figureText(look.field, amount, display),
  });
  const row = (text: string, amount: NumberText | null): Label[] => [{ text }, label(amount)];
  const wrong = bot !== null && exchange !== null ? difference(bot, exchange) : null;
  const unknown = t(
    'The exchange’s total is incomplete: the ledger has gaps, a figure or what the bot’s P&L has of its fee is not known, or rows are undecided.',
  );
  return {
    ...{ kind: 'table', title, isStacked: true },
    // A narrow page has no heads of columns.
    notes: [title, ...(exchange === null ? [unknown] : [])],
    columns: tableColumns([t('What')], [t('Total')]),
    rows: [
      row(t('Bot'), bot),
      row(t('Exchange'), exchange),
      row(t('Difference'), wrong),
      ...explained.map(({ by, rows, amount }) =>
        row(t('{0} · rows: {1}', explanationText(by), display.count(rows)), amount),
      ),
      row(t('Remainder'), remainder),
    ],
  };
}

function conventionsTable(
  { conventions }: Comparison,
  display: Display,
  actions: ComparisonActions,
): Live<Block> {
  const { symbols, offsets, hasNaiveTimes, feesAreNegated, pnlIsNet } = conventions;
  const evidence = (rows: number): string => t('rows: {0}', display.count(rows));
  const zones = offsets
    .map(({ minutes, rows }) => `${offsetText(minutes * minuteMs)} (${evidence(rows)})`)
    .join(', ');
  const change = (action: string, run: () => unknown) => ({ action, label: t('Change…'), run });
  const word = (what: string, bot: string): Live<Label>[] => [
    ...[{ text: what }, { text: bot }, { text: '' }],
  ];
  return {
    kind: 'table',
    ...{ title: t('Found by evidence'), notes: [] },
    columns: tableColumns([t('What'), t('Bot'), t('Exchange')]),
    rows: [
      [
        ...[{ text: t('Time zone') }, { text: zones === '' ? unknownText : zones }],
        { text: 'UTC', ...(hasNaiveTimes && { button: change('zone', actions.changeZone) }) },
      ],
      ...symbols.map(({ botSymbol, symbol, multiplier, rows }) => [
        ...[{ text: t('Symbol'), notes: [evidence(rows)] }, { text: cleanText(botSymbol) }],
        {
          text: `${symbol === '' ? unknownText : cleanText(symbol)} · × ${multiplier}`,
          button: change(`symbol ${botSymbol}`, () => actions.changeSymbol(botSymbol)),
        },
      ]),
      ...(feesAreNegated ? [word(t('Fee'), t('with the other sign'))] : []),
      ...(pnlIsNet ? [word(t('Realised P&L'), t('less the fee'))] : []),
    ],
  };
}

type GridColumn = { readonly column: Column; readonly cell: (row: ComparedRow) => Cell };

/** Each with its cell: figures of both sides stand beside one another. */
function gridColumns(): GridColumn[] {
  const text = (
    field: DisplayField,
    label: string,
    textOf: (row: ComparedRow) => string | null,
  ): GridColumn => ({
    column: column(field, label, 'text'),
    cell: (row) => {
      const found = textOf(row);
      return found && cleanText(found);
    },
  });
  const ofBot = (label: string): string => t('{0} (bot)', label);
  const pairOf = (name: FigureName, { figures }: ComparedRow): FigurePair =>
    (name === 'amount' ? figures.funding : undefined) ?? figures[name] ?? [null, null];
  const figures = (['amount', 'price', 'fee', 'pnl'] as const).flatMap((name): GridColumn[] => {
    const { botField, field, label } = figureLooks()[name];
    return [
      { column: column(botField, ofBot(label)), cell: (row) => pairOf(name, row)[0] },
      { column: column(field, label), cell: (row) => pairOf(name, row)[1] },
    ];
  });
  return [
    text('judgement', t('Judgement'), ({ judgement, isLikely }) =>
      [judgementText(judgement), ...(isLikely ? [t('likely')] : [])].join(' · '),
    ),
    text('cause', t('Cause'), ({ causes }) => causes.map(explanationText).join(', ')),
    {
      column: column('time', t('Time'), 'time'),
      cell: ({ time }) => (time === null ? null : timeCell(time)),
    },
    text('symbol', t('Symbol'), ({ symbol, assets }) => symbol ?? assets[1] ?? assets[0]),
    text('side', t('Side'), ({ side }) => side),
    text('orderId', t('Order id'), ({ orderId }) => orderId),
    text('tradeId', t('Trade id'), ({ tradeId }) => tradeId),
    ...figures,
    text('botFeeAsset', ofBot(t('Fee asset')), ({ assets }) => assets[0]),
    text('feeAsset', t('Fee asset'), ({ assets }) => assets[1]),
    text('botRow', t('Row of the bot'), ({ bot }) => bot && placeText(bot)),
  ];
}

export function comparedRows(rows: readonly ComparedRow[]): ViewRows {
  const columns = gridColumns();
  return {
    columns: columns.map((each) => each.column),
    rows: rows.map((row) => columns.map(({ cell }) => cell(row))),
    keys: rows.map(keyOf),
  };
}

export function placeText({ table, id }: BotPlace): string {
  return cleanText(table === null ? t('line {0}', id) : `${table} ${id}`);
}

function keyOf({ kind, orderId, tradeId, time, bot }: ComparedRow): string {
  return [kind, orderId, tradeId, time, bot?.table, bot?.id].join(' ');
}
