import { cleanText } from '../../base/cleanText.ts';
import {
  absolute,
  compare,
  extremes,
  quotient,
  sum,
  unknownText,
  type NumberText,
} from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { clip, type Interval } from '../../base/interval.ts';
import { dayMs } from '../../base/time.ts';
import type {
  CalendarAnalysis,
  CalendarAsset,
  SymbolAnalysis,
  SymbolFigures,
} from '../../ledger/analysis/analysis.ts';
import type { CalendarBlock, CalendarDay, Choice, Label } from '../../protocol/document.ts';
import type { Cell as GridCell } from '../../protocol/table.ts';
import { rowsOf, type StoredRows } from '../reconciliation/storedRows.ts';
import { t } from '../shared/translate.ts';
import { profitLabel } from '../text/profitLabel.ts';
import type { Live } from '../webview/documentPanel.ts';
import { chartGaps, dayText } from './coverage.ts';
import { column, rowsOfItems, type CellColumns } from './grid.ts';
import { plAssetText, type View } from './series.ts';

/** A row for each symbol and asset. */
export function bySymbolView({ symbols, period }: SymbolAnalysis): View {
  return {
    ...{ field: 'rpnl', charts: [], hasRowsOnly: symbols.length > 0 },
    rows: () => rowsOfItems(symbolColumns(), symbols, keyOf),
    openLabel: t('Show Fills'),
    openRow: (row) => {
      const { symbol = null } = symbols[row] ?? {};
      return symbol === null ? undefined : rowsOf('trades', { symbol }, period);
    },
  };
}

function keyOf({ symbol, asset }: SymbolFigures): string {
  return JSON.stringify([symbol, asset]);
}

function symbolColumns(): CellColumns<SymbolFigures> {
  return [
    [column('symbol', t('Symbol'), 'text'), (each) => symbolText(each)],
    [column('netPl', t('Net P&L'), 'decimal', 'asset'), ({ net }) => net],
    [column('rpnl', t('Gross P&L'), 'decimal', 'asset'), ({ gross }) => gross],
    [column('fee', t('Fees'), 'decimal', 'asset'), ({ fees }) => fees],
    [
      column('funding', t('Funding and liquidation fees'), 'decimal', 'asset'),
      ({ charges }) => charges,
    ],
    [column('asset', t('Asset'), 'text'), plAssetText],
    [column('notional', t('Volume')), ({ traded }) => traded?.volume ?? null],
    [column('rows', t('Closed positions')), ({ traded }) => countCell(traded?.positions)],
    [column('complete', t('Undecided')), ({ traded }) => countCell(traded?.undecided)],
    [column('ratio', t('Win rate')), winRate],
    [column('liquidation', t('Liquidations')), ({ traded }) => countCell(traded?.liquidated)],
  ];
}

function symbolText({ symbol }: SymbolFigures): string {
  return symbol === null ? t('Several symbols') : cleanText(symbol, 40);
}

export function countCell(value: number | null | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

function winRate({ traded }: SymbolFigures): GridCell {
  if (!traded || traded.positions === 0 || traded.wins === null) return null;
  return quotient(String(traded.wins), String(traded.positions));
}

type Day = CalendarAsset['days'][number];

/** Colours of a gain or a loss, from weak to strong. */
const mostStrength = 4;

/** What a calendar can be of: the first asset unless another is chosen. */
export function assetOptions(assets: readonly CalendarAsset[]): Choice['options'] {
  return assets.map((each) => ({ value: assetKey(each), label: plAssetText(each) }));
}

function assetKey({ asset }: CalendarAsset): string {
  return cleanText(asset, 60);
}

/** The days of an asset by weeks and months, newest month first. */
export function calendarView(
  analysis: CalendarAnalysis,
  chosen: string | undefined,
  display: Display,
  showStored: (rows: StoredRows) => void,
): View {
  const [first] = analysis.assets;
  const asset = analysis.assets.find((each) => assetKey(each) === chosen) ?? first;
  const calendar = asset && calendarBlock(asset, chartGaps(analysis), display, showStored);
  return { field: 'rpnl', charts: [], calendar };
}

/** With its days if it has not all of them. */
function monthText(month: string, days: readonly Day[], display: Display): string {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return month;
  const dayOf = (at: number): string => dayText(at, display).slice('YYYY-MM-'.length);
  const isWhole = dayOf(first.from) === '01' && dayOf(last.to) === '01';
  return isWhole ? month : t('{0}, days {1} to {2}', month, dayOf(first.from), dayOf(last.from));
}

function calendarBlock(
  asset: CalendarAsset,
  gaps: readonly Interval[],
  display: Display,
  showStored: (rows: StoredRows) => void,
): Live<CalendarBlock> {
  const dateOf = ({ from }: Day): string => dayText(from, display);
  const isRead = (day: Day): boolean => clip(gaps, day).length === 0;
  const known = asset.days.flatMap((day) => (isRead(day) ? (day.net ?? []) : []));
  const largest = extremes(['0', ...known.map(absolute)]).max;
  return {
    kind: 'calendar',
    columns: [...[t('Mon'), t('Tue'), t('Wed'), t('Thu'), t('Fri'), t('Sat'), t('Sun'), t('Week')]],
    months: [...Map.groupBy(asset.days, (day) => dateOf(day).slice(0, 'YYYY-MM'.length))]
      .toReversed()
      .map(([month, days]) => ({
        title: `${monthText(month, days, display)} · ${plAssetText(asset)}`,
        sum: netLabel(sumOf(days), display),
        weeks: [...Map.groupBy(days, (day) => weekOf(day, display)).values()].map((week) => ({
          sum: netLabel(sumOf(week), display),
          days: week.map(dayOf),
        })),
      })),
  };

  function dayOf(day: Day): Live<CalendarDay> {
    const [date, net] = [dateOf(day), isRead(day) ? day.net : null];
    const figure = netLabel(net, display);
    const { text, detail = text } = figure;
    const note = isRead(day) ? closedText(day.closed, display) : t('Incomplete');
    const spoken = [...(isRead(day) ? [`${detail} ${plAssetText(asset)}`] : []), note];
    return {
      weekday: weekdayOf(day, display),
      figure,
      strength: net !== null && figure.tone ? strengthOf(net) : 0,
      isIncomplete: !isRead(day),
      note,
      button: {
        ...{ action: `day ${day.from}`, label: date.slice('YYYY-MM-'.length) },
        spoken: t('{0}: {1}', date, spoken.filter(Boolean).join(' · ')),
        run: () => showStored(rowsOf(day.history, {}, day)),
      },
    };
  }

  function strengthOf(net: NumberText): number {
    return Math.ceil(mostStrength * Number(quotient(absolute(net), largest)));
  }

  /** Null if a day is not known. */
  function sumOf(days: readonly Day[]): NumberText | null {
    const isWhole = days.every((day) => isRead(day) && day.net !== null);
    return isWhole ? sum(days.flatMap(({ net }) => net ?? [])) : null;
  }
}

function closedText(count: number, display: Display): string {
  if (count === 0) return '';
  return count === 1 ? t('1 closed') : t('{0} closed', display.count(count));
}

/** For a small place; its long form has every digit. */
function netLabel(net: NumberText | null, display: Display): Label {
  if (net === null) return { text: unknownText };
  const { text: detail, ...tone } = profitLabel('rpnl', net, display);
  const isLong = compare(absolute(net), '10000') >= 0;
  const text = isLong ? display.signedNarrow('rpnl', net) : display.signedCompact('rpnl', net);
  return { text, detail, ...tone };
}

/** Days since the epoch, of which the first was a Thursday. */
function dayNumber({ from }: Interval, display: Display): number {
  return Math.floor(display.zone.toLocalMs(from) / dayMs);
}

function weekdayOf(day: Interval, display: Display): number {
  return (((dayNumber(day, display) + 3) % 7) + 7) % 7;
}

function weekOf(day: Interval, display: Display): number {
  return Math.floor((dayNumber(day, display) + 3) / 7);
}
