import { cleanText } from '../../base/cleanText.ts';
import { quotient, sign, sum, unknownText, type NumberText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { clip, type Interval } from '../../base/interval.ts';
import { dayMs } from '../../base/time.ts';
import type {
  CalendarAnalysis,
  CalendarAsset,
  SymbolAnalysis,
  SymbolFigures,
} from '../../ledger/analysis/analysis.ts';
import type { Cell, DocumentTable, Label } from '../../protocol/document.ts';
import type { Cell as GridCell, Column } from '../../protocol/table.ts';
import { rowsOf, type StoredRows } from '../reconciliation/storedRows.ts';
import { t } from '../shared/translate.ts';
import { profitLabel } from '../text/profitLabel.ts';
import type { Live } from '../webview/documentPanel.ts';
import { tableColumns } from '../webview/documentParts.ts';
import { chartGaps, dayText } from './coverage.ts';
import { column, type ViewRows } from './grid.ts';
import { plAssetText, type View } from './series.ts';

type SymbolColumn = readonly [Column, (figures: SymbolFigures) => GridCell];

/** A row for each symbol and asset. */
export function bySymbolView({ symbols, period }: SymbolAnalysis): View {
  return {
    ...{ field: 'rpnl', charts: [], hasRowsOnly: symbols.length > 0 },
    rows: () => symbolRows(symbols),
    openLabel: t('Show Fills'),
    openRow: (row) => {
      const { symbol = null } = symbols[row] ?? {};
      return symbol === null ? undefined : rowsOf('trades', { symbol }, period);
    },
  };
}

function symbolRows(symbols: readonly SymbolFigures[]): ViewRows {
  const decided = ({ traded }: SymbolFigures): GridCell => traded && String(traded.positions);
  const columns: readonly SymbolColumn[] = [
    [column('symbol', t('Symbol'), 'text'), (each) => symbolText(each)],
    [column('netPl', t('Net P&L'), 'decimal', 'asset'), ({ net }) => net],
    [column('rpnl', t('Gross P&L'), 'decimal', 'asset'), ({ gross }) => gross],
    [column('fee', t('Fees'), 'decimal', 'asset'), ({ fees }) => fees],
    [column('funding', t('Funding'), 'decimal', 'asset'), ({ charges }) => charges],
    [column('asset', t('Asset'), 'text'), plAssetText],
    [column('notional', t('Volume')), ({ traded }) => traded?.volume ?? null],
    [column('rows', t('Closed positions')), decided],
    [column('complete', t('Undecided')), ({ traded }) => count(traded?.undecided)],
    [column('ratio', t('Win rate')), winRate],
    [column('liquidation', t('Liquidations')), ({ traded }) => count(traded?.liquidated)],
  ];
  return {
    columns: columns.map(([each]) => each),
    rows: symbols.map((figures) => columns.map(([, cellOf]) => cellOf(figures))),
    keys: symbols.map(({ symbol, asset }) => JSON.stringify([symbol, asset])),
  };
}

function symbolText({ symbol }: SymbolFigures): string {
  return symbol === null ? t('Several symbols') : cleanText(symbol, 40);
}

function count(value: number | null | undefined): GridCell {
  return value === null || value === undefined ? null : String(value);
}

function winRate({ traded }: SymbolFigures): GridCell {
  if (!traded || traded.positions === 0) return null;
  return quotient(String(traded.wins), String(traded.positions));
}

type Day = CalendarAsset['days'][number];

/** More months say no more: a shorter period has the others. */
const mostMonths = 24;

/** A table for each month and asset, with a row for each week. */
export function calendarView(
  analysis: CalendarAnalysis,
  display: Display,
  showStored: (rows: StoredRows) => void,
): View {
  const gaps = chartGaps(analysis);
  const tables = analysis.assets.flatMap((asset) => {
    const months = Map.groupBy(asset.days, ({ from }) => dayText(from, display).slice(0, 7));
    return [...months]
      .slice(-mostMonths)
      .toReversed()
      .map(([month, days]) => monthTable(`${month} · ${plAssetText(asset)}`, days));
  });
  return { field: 'rpnl', charts: [], tables };

  function monthTable(title: string, days: readonly Day[]): Live<DocumentTable> {
    const names = [t('Mon'), t('Tue'), t('Wed'), t('Thu'), t('Fri'), t('Sat'), t('Sun')];
    const weeks = Map.groupBy(days, (day) => weekOf(day, display));
    return {
      title: `${title} · ${netText(sumOfDays(days), display).text}`,
      notes: [],
      columns: tableColumns([], [...names, t('Week')]),
      rows: [...weeks.values()].map((week) => weekRow(week)),
    };
  }

  function weekRow(week: readonly Day[]): Live<Cell>[] {
    const byWeekday = new Map(week.map((day) => [weekdayOf(day, display), day]));
    const cells = Array.from({ length: 7 }, (_none, weekday): Live<Cell> => {
      const day = byWeekday.get(weekday);
      return day ? dayCell(day) : { text: '' };
    });
    return [...cells, netText(sumOfDays(week), display)];
  }

  function dayCell(day: Day): Live<Cell> {
    const isRead = clip(gaps, day).length === 0;
    const date = dayText(day.from, display);
    const rows = rowsOf('trades', {}, day);
    const closed = day.closed === 1 ? t('1 closed') : t('{0} closed', display.count(day.closed));
    return {
      ...(isRead ? netText(day.net, display) : { text: unknownText }),
      notes: isRead ? (day.closed === 0 ? [] : [closed]) : [t('Incomplete')],
      button: {
        ...{ action: `day ${day.from}`, label: date.slice(-2), spoken: t('Show {0}', date) },
        run: () => showStored(rows),
      },
    };
  }

  /** Null if a day is not known. */
  function sumOfDays(days: readonly Day[]): NumberText | null {
    const isWhole = days.every((day) => clip(gaps, day).length === 0 && day.net !== null);
    return isWhole ? sum(days.flatMap(({ net }) => net ?? [])) : null;
  }
}

function netText(net: NumberText | null, display: Display): Label {
  if (net === null) return { text: unknownText };
  return sign(net) === 0 ? { text: display.full('rpnl', '0') } : profitLabel('rpnl', net, display);
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
