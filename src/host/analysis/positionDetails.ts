import type { AccountSession } from '../../account/session/accountSession.ts';
import { cleanText } from '../../base/cleanText.ts';
import type { Display } from '../../base/display.ts';
import { always, openEnd, type Interval } from '../../base/interval.ts';
import { minuteMs, parseTimestampMs } from '../../base/time.ts';
import type { Order, Trade } from '../../exchange/records.ts';
import type { RebuiltPosition } from '../../ledger/analysis/analysis.ts';
import type { FeeSign, LedgerHistory, LedgerQuery, LedgerRecord } from '../../ledger/ledger.ts';
import type { StoredRecord } from '../../ledger/relatedRecords.ts';
import type { Block, Section } from '../../protocol/document.ts';
import type { FeatureContext } from '../feature/context.ts';
import { recordColumns, recordRow } from '../ids/storedRecords.ts';
import type { AccountLedger, OpenLedger } from '../ledger/openLedger.ts';
import { rowsOf, storedRow, type StoredRows } from '../reconciliation/storedRows.ts';
import { t } from '../shared/translate.ts';
import type { Live, LiveDocument } from '../webview/documentPanel.ts';
import {
  advice,
  emptyDocument,
  noAccount,
  noLedger,
  tableColumns,
} from '../webview/documentParts.ts';
import { accountTab } from '../webview/tab.ts';
import { directionText } from './choices.ts';
import { positionFacts } from './positions.ts';

type PositionPageNeeds = {
  readonly ledger: Pick<AccountLedger, 'current' | 'onDidChange'>;
  readonly showStored: (rows: StoredRows) => void;
};

/** The positions of a symbol on a page: the one that opened at a moment, those open at one, or those of an order. */
type PositionKey = readonly [
  by: 'opened' | 'moment' | 'order',
  value: number | string,
  symbol: string,
];

/** The pages of a position, and of those that an order or a trade is in. */
export function registerPositionDetails(context: FeatureContext, needs: PositionPageNeeds) {
  const { active, documents } = context;
  const page = documents.add({
    name: 'position',
    source: (key) => ({
      tab: () => accountTab(t('Position'), active),
      document: () => readDocument(key, context, needs),
      changes: [needs.ledger.onDidChange, active.onDidSwitch],
    }),
  });
  const show = (...key: PositionKey): void => void page.show(key.join(' '));
  return {
    show: ({ symbol, opened }: RebuiltPosition): void => show('opened', opened, symbol),
    showOf: (record: Order | Trade): void =>
      'tradeId' in record
        ? show('moment', parseTimestampMs(record.time) ?? 0, record.symbol)
        : show('order', record.orderId, record.symbol),
  };
}

async function readDocument(
  key: string,
  { active, display }: FeatureContext,
  { ledger, showStored }: PositionPageNeeds,
): Promise<LiveDocument> {
  const session = active.state.kind === 'open' ? active.state.session : undefined;
  const shown = display.latest();
  const empty = { ...emptyDocument(t('Position'), shown, session?.profile), key };
  if (!session) return { ...empty, ...noAccount() };
  if (!ledger.current) return { ...empty, ...noLedger() };
  const { reader } = ledger.current;
  const [positions, feeSign] = await Promise.all([
    positionsOf(key, reader, session, shown),
    reader.feeSign(),
  ]);
  const sections = positions.map(async (position, index) =>
    positionSection(position, await recordsOf(position, reader), {
      ...{ feeSign, showStored, display: shown, action: `position ${index}` },
    }),
  );
  const none = advice(t('The ledger has no such position.'));
  return { ...empty, sections: sections.length > 0 ? await Promise.all(sections) : [none] };
}

async function positionsOf(
  key: string,
  reader: OpenLedger['reader'],
  session: Pick<AccountSession, 'serverNow'>,
  { zone }: Display,
): Promise<readonly RebuiltPosition[]> {
  const [by, value = '', ...names] = key.split(' ');
  const of = by === 'order' ? { orderId: value } : { moment: Number(value) };
  const { positions } = await reader.analyse({
    ...({ view: 'positions', period: always, now: session.serverNow(), zone: zone.name } as const),
    ...({ groupBy: 'day', splitBy: 'asset', account: 'FUTURE' } as const),
    positions: { symbol: names.join(' '), ...of },
  });
  return by === 'opened' ? positions.filter(({ opened }) => opened === of.moment) : positions;
}

/** Nobody reads more of them at a glance. */
const mostListed = 100;

type Listed = {
  readonly records: readonly StoredRecord[];
  /** Of all, also those that are not listed. */
  readonly total: number;
};
type PositionRecords = Readonly<Record<'orders' | 'fills' | 'booked', Listed>>;

async function recordsOf(
  { symbol, opened, closed, lastAt, isLiquidated }: RebuiltPosition,
  reader: OpenLedger['reader'],
): Promise<PositionRecords> {
  const read = async <History extends LedgerHistory>(
    history: History,
    filters: LedgerQuery['filters'],
    period: Interval,
  ) => {
    const oldestFirst = { field: 'time', isDescending: false };
    const query = {
      history,
      filters,
      period,
      sort: oldestFirst,
      search: '',
      isListed: true,
    } as const;
    const { rows, total } = await reader.rows(query, 0, mostListed);
    const records = rows as readonly LedgerRecord<History>[];
    return { total, records: records.map((record) => ({ history, record })) };
  };
  const fills = await read('trades', { symbol: [symbol] }, { from: opened, to: lastAt + 1 });
  // It may have no fill.
  const liquidation = { symbol: [symbol], status: ['LIQUIDATED'] };
  const { records: liquidations } =
    isLiquidated && closed !== null
      ? await read('orders', liquidation, { from: closed, to: closed + 1 })
      : { records: [] };
  const ofPosition = [...fills.records, ...liquidations];
  const orderId = [...new Set(ofPosition.flatMap(({ record }) => record.orderId ?? []))];
  // A fee may be booked after the liquidation.
  const to = closed === null ? openEnd : closed + minuteMs + 1;
  const [orders, booked] = await Promise.all([
    read('orders', { symbol: [symbol], orderId }, always),
    read('futureTransactions', { type: ['FUNDING_FEE', 'LIQUIDATION_FEE'] }, { from: opened, to }),
  ]);
  return { orders: { ...orders, total: orderId.length }, fills, booked };
}

type SectionParts = Pick<PositionPageNeeds, 'showStored'> & {
  readonly feeSign: FeeSign;
  readonly display: Display;
  /** Begins the actions of its buttons. */
  readonly action: string;
};

function positionSection(
  position: RebuiltPosition,
  { orders, fills, booked }: PositionRecords,
  parts: SectionParts,
): Live<Section> {
  const { symbol, direction, opened, lastAt } = position;
  const { showStored, display, action } = parts;
  const count = (number: number): string => display.count(number);
  const others = fills.total - position.fills;
  const showFills = (): void =>
    showStored(rowsOf('trades', { symbol }, { from: opened, to: lastAt + 1000 }));
  return {
    title: [cleanText(symbol, 40), ...(direction ? [directionText(direction)] : [])].join(' · '),
    notes: [],
    buttons: [{ action: `${action}-fills`, label: t('Show Fills'), run: showFills }],
    blocks: [
      { kind: 'details', items: positionFacts(position, display) },
      recordTable(t('Orders'), orders, parts, [
        orders.records.length < orders.total &&
          t('The ledger has {0} of {1} orders.', count(orders.records.length), count(orders.total)),
      ]),
      recordTable(t('Fills'), fills, parts, [
        fills.records.length < fills.total &&
          t(
            'The first {0} of {1} fills are listed, with their orders.',
            count(fills.records.length),
            count(fills.total),
          ),
        others > 0 && t('Fills at its ends that are of another position: {0}', count(others)),
      ]),
      recordTable(t('Funding and liquidation fees'), booked, parts, [
        booked.records.length < booked.total &&
          t('{0} of {1} are listed.', count(booked.records.length), count(booked.total)),
        booked.total > 0 && t('They may be of several positions.'),
      ]),
    ],
  };
}

/** The name of each record opens its row in the ledger. A note that does not apply is false. */
function recordTable(
  title: string,
  { records }: Listed,
  { feeSign, showStored, display, action }: SectionParts,
  notes: readonly (string | false)[],
): Live<Block> {
  const [record = '', ...figures] = recordColumns(feeSign === null);
  return {
    ...{ kind: 'table', title, columns: tableColumns([record], figures) },
    notes: [
      `${title}: ${display.count(records.length)}`,
      ...notes.filter((note) => note !== false),
    ],
    rows: records.map((each, index) => {
      const [name = '', ...texts] = recordRow(each, feeSign, display).map((text) =>
        cleanText(text),
      );
      const button = {
        ...{ action: `${action} ${title} ${index}`, label: name, spoken: t('Show Row: {0}', name) },
        run: () => showStored(storedRow(each)),
      };
      return [{ text: '', button }, ...texts.map((text) => ({ text }))];
    }),
  };
}
