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
import type { Block, DocumentTable, Label, Section } from '../../protocol/document.ts';
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
import { botFileProblemText, causeText, explanationText, judgementText } from './text.ts';

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
  view: ComparisonView,
): Live<Section>[] {
  const { display, actions } = view;
  const section = (title: string, blocks: Live<Block>[]): Live<Section> => ({
    ...{ title, notes: [], blocks },
  });
  const { counts } = comparison;
  const count = judgements.reduce((sum, judgement) => sum + counts[judgement], 0);
  const listed =
    rows.length < count
      ? [t('The first {0} are listed and exported.', display.count(rows.length))]
      : [];
  const showRow = ([index = -1]: readonly number[]): unknown => {
    const row = rows[index];
    return row && actions.showRow(row);
  };
  return [
    section(t('First divergent row'), [
      firstBlock(comparison, view),
      ...unreadBlocks(comparison, display),
      ...gapBlocks(comparison, view),
    ]),
    section(t('Rows'), [countsBlock(comparison, display)]),
    section(
      t('Totals'),
      comparison.totals.map((total) => totalTable(total, display)),
    ),
    section(t('How the bot writes it'), [conventionsTable(comparison, actions, display)]),
    {
      ...section(t('Row by row'), [
        {
          ...{ kind: 'grid', title: t('Row by row') },
          rows: gridRows(comparedRows(rows), id, view.layout, display),
          button: { action: `row ${id}`, label: t('Show Row'), run: showRow },
        },
      ]),
      notes: listed,
    },
  ];
}

/** The first divergent row, with its cause and both values. */
function firstBlock(
  { firstDivergent: row, counts, unreadRows }: Comparison,
  view: ComparisonView,
): Live<Block> {
  const { display, actions } = view;
  if (!row) {
    const isOpen = counts.undecided > 0 || counts.agrees === 0 || unreadRows > 0;
    const texts = [isOpen ? t('No row that could be compared diverges.') : t('All rows agree.')];
    return { kind: 'notice', tone: isOpen ? 'plain' : 'success', texts };
  }
  const { bot, exchange } = row;
  const inLedger = { action: 'showInLedger', label: t('Show in Ledger') };
  const ofBot = { action: 'openBotRow', label: t('Open the Bot’s Row') };
  const buttons = [
    ...(exchange ? [{ ...inLedger, run: () => actions.showInLedger(row) }] : []),
    ...(bot ? [{ ...ofBot, run: () => actions.openBotRow(bot) }] : []),
  ];
  const causes = row.causes.map(causeText);
  const title = causes[0] ?? t('no known cause');
  const others = causes.length > 1 ? [t('Also possible: {0}.', causes.slice(1).join(', '))] : [];
  const finding = { title, notes: [...differences(row, display), ...others], rows: [], buttons };
  return {
    kind: 'checklist',
    items: [
      {
        label: rowName(row, display),
        state: 'problem',
        word: judgementText(row.judgement),
        texts: [],
        findings: { label: t('Cause'), list: [finding] },
      },
    ],
  };
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

/** Where each figure is shown, and its name. */
function figureLooks(): Readonly<Record<FigureName, { field: DisplayField; label: string }>> {
  return {
    amount: { field: 'amount', label: t('Amount') },
    price: { field: 'price', label: t('Price') },
    fee: { field: 'fee', label: t('Fee') },
    pnl: { field: 'rpnl', label: t('Realised P&L') },
    funding: { field: 'amount', label: t('Funding') },
  };
}

/** Every digit of the figures that differ. */
function differences(
  { figures, differing, differingWords }: ComparedRow,
  display: Display,
): string[] {
  const looks = figureLooks();
  const texts = differing.map((name) => {
    const { field, label } = looks[name];
    const pair = figures[name] ?? [null, null];
    const [own = '', theirs = ''] = pair.map((one) => figureText(field, one, display));
    return t('{0}: bot {1}, exchange {2}', label, own, theirs);
  });
  const labels = { symbol: t('Symbol'), side: t('Side'), feeAsset: t('Fee asset') };
  const words = differingWords.map(({ field, bot, exchange }) =>
    t('{0}: bot {1}, exchange {2}', labels[field], cleanText(bot), cleanText(exchange)),
  );
  return [...texts, ...words];
}

function figureText(field: DisplayField, figure: NumberText | null, display: Display): string {
  return figure === null ? unknownText : display.full(field, figure);
}

function unreadBlocks({ unreadRows }: Comparison, display: Display): Live<Block>[] {
  if (unreadRows === 0) return [];
  const text =
    unreadRows === 1
      ? t(
          '1 row of the bot’s file could not be read: its line is broken, or a figure is no plain number. The bot’s totals are incomplete.',
        )
      : t(
          '{0} rows of the bot’s file could not be read: their lines are broken, or a figure is no plain number. The bot’s totals are incomplete.',
          display.count(unreadRows),
        );
  return [{ kind: 'notice', tone: 'warning', texts: [text] }];
}

function gapBlocks(
  { gaps, period }: Comparison,
  { display, actions }: ComparisonView,
): Live<Block>[] {
  if (gaps.length === 0 || !period) return [];
  const texts = gaps.map(
    (gap) => `${ledgerHistoryLabel(gap.history)}: ${completePeriodText(gap, display)}`,
  );
  return [
    {
      kind: 'coverage',
      text: t('The ledger is not complete in this period: rows there are undecided.'),
      isComplete: false,
      gaps: texts.slice(0, mostCopied),
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
  const said = [
    ...(likely > 0
      ? [
          t(
            '{0} are likely: without an id, by symbol, side, amount, price and time.',
            display.count(likely),
          ),
        ]
      : []),
    ...(noisy > 0
      ? [
          t(
            '{0} agree but for the digits of floats, or digits that the file cannot keep.',
            display.count(noisy),
          ),
        ]
      : []),
    ...(counts.undecided > 0
      ? [
          t(
            'Undecided is what cannot be proved: its time cannot be read, the ledger is not complete there, no id names its trade, or its position is open.',
          ),
        ]
      : []),
  ];
  return {
    kind: 'details',
    items: said.length === 0 ? items : [...items, { label: t('Of these'), texts: said }],
  };
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
  const unread =
    exchange === null
      ? t(
          'The exchange’s total is incomplete: the ledger has gaps, a figure is not known, or rows are undecided.',
        )
      : null;
  const table: Live<DocumentTable> = {
    title,
    // A narrow page has no heads of columns.
    notes: [title, ...(unread === null ? [] : [unread])],
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
  return { kind: 'table', isStacked: true, ...table };
}

function conventionsTable(
  { conventions }: Comparison,
  actions: ComparisonActions,
  display: Display,
): Live<Block> {
  const { symbols, offsets, hasNaiveTimes, feesAreNegated, pnlIsNet } = conventions;
  const evidence = (rows: number): string => t('rows: {0}', display.count(rows));
  const zones = offsets
    .map(({ minutes, rows }) => `${offsetText(minutes * minuteMs)} (${evidence(rows)})`)
    .join(', ');
  const change = t('Change…');
  return {
    kind: 'table',
    ...{ title: t('Found by evidence'), notes: [] },
    columns: tableColumns([t('What'), t('Bot'), t('Exchange')]),
    rows: [
      [
        { text: t('Time zone') },
        { text: zones === '' ? unknownText : zones },
        {
          text: 'UTC',
          ...(hasNaiveTimes && {
            button: { action: 'zone', label: change, run: actions.changeZone },
          }),
        },
      ],
      ...symbols.map(({ botSymbol, symbol, multiplier, rows }) => [
        { text: t('Symbol'), notes: [evidence(rows)] },
        { text: cleanText(botSymbol) },
        {
          text: `${symbol === '' ? unknownText : cleanText(symbol)} · × ${multiplier}`,
          button: {
            action: `symbol ${botSymbol}`,
            label: change,
            run: () => actions.changeSymbol(botSymbol),
          },
        },
      ]),
      ...(feesAreNegated
        ? [[{ text: t('Fee') }, { text: t('with the other sign') }, { text: '' }]]
        : []),
      ...(pnlIsNet
        ? [[{ text: t('Realised P&L') }, { text: t('without the fee') }, { text: '' }]]
        : []),
    ],
  };
}

export function comparedRows(rows: readonly ComparedRow[]): ViewRows {
  const ofBot = (label: string): string => t('{0} (bot)', label);
  const looks = figureLooks();
  const columns: Column[] = [
    column('judgement', t('Judgement'), 'text'),
    column('cause', t('Cause'), 'text'),
    column('time', t('Time'), 'time'),
    column('symbol', t('Symbol'), 'text'),
    column('side', t('Side'), 'text'),
    column('orderId', t('Order id'), 'text'),
    column('tradeId', t('Trade id'), 'text'),
    ...(['amount', 'price', 'fee'] as const).flatMap((name) => [
      column(botFields[name], ofBot(looks[name].label)),
      column(name, looks[name].label),
    ]),
    column('botFeeAsset', ofBot(t('Fee asset')), 'text'),
    column('feeAsset', t('Fee asset'), 'text'),
    column('botPnl', ofBot(looks.pnl.label)),
    column('rpnl', looks.pnl.label),
    column('botRow', t('Row of the bot'), 'text'),
  ];
  const clean = (text: string | null): Cell => (text === null ? null : cleanText(text));
  const cells = rows.map((row): Cell[] => {
    const { figures, assets, bot } = row;
    const pair = (name: FigureName): FigurePair => figures[name] ?? [null, null];
    return [
      [judgementText(row.judgement), ...(row.isLikely ? [t('likely')] : [])].join(' · '),
      row.causes.map(causeText).join(', '),
      row.time === null ? null : timeCell(row.time),
      ...[clean(row.symbol ?? assets[1]), clean(row.side), clean(row.orderId), clean(row.tradeId)],
      ...(figures.funding ?? pair('amount')),
      ...[...pair('price'), ...pair('fee'), ...assets.map(clean), ...pair('pnl')],
      bot ? placeText(bot) : null,
    ];
  });
  return { columns, rows: cells, keys: rows.map(keyOf) };
}

const botFields = { amount: 'botAmount', price: 'botPrice', fee: 'botFee' } as const;

export function placeText({ table, id }: BotPlace): string {
  return cleanText(table === null ? t('line {0}', id) : `${table} ${id}`);
}

function keyOf({ kind, orderId, tradeId, time, bot }: ComparedRow): string {
  return [kind, orderId, tradeId, time, bot?.table, bot?.id].join(' ');
}
