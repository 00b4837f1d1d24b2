import assert from 'node:assert/strict';
import path from 'node:path';
import { Emitter } from '../../../../src/base/emitter.ts';
import { minuteMs } from '../../../../src/base/time.ts';
import type { Order, Trade } from '../../../../src/exchange/records.ts';
import type { FeatureContext } from '../../../../src/host/feature/context.ts';
import { registerPositionDetails } from '../../../../src/host/analysis/positionDetails.ts';
import type { Checkpoint } from '../../../../src/ledger/ledger.ts';
import type { StoredRows } from '../../../../src/host/reconciliation/storedRows.ts';
import type {
  Action,
  DocumentSource,
  LiveDocument,
} from '../../../../src/host/webview/documentPanel.ts';
import { analysisOf, writeLedger } from '../../../support/analysedLedger.ts';
import { readDocument } from '../../../support/analysisParts.ts';
import { assertApproved } from '../../../support/approved.ts';
import { anOrder, aProfile, aTrade, aTransaction, unknownFees } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';
import { LedgerOfPanel } from '../../../support/panelLedger.ts';
import { folderOfEachTest } from '../../../support/project.ts';

const start = Date.UTC(2026, 10, 1);
const at = (minutes: number): string => String(start + minutes * minuteMs);
const trade = (tradeId: string, minutes: number, amount: string, fields: Partial<Trade> = {}) =>
  aTrade({
    ...{ tradeId, orderId: `9${tradeId}`, symbol: 'btc_usdt', amount: amount.replace('-', '') },
    ...{ side: amount.startsWith('-') ? 'SELL' : 'BUY', price: '60000', time: at(minutes) },
    ...{ rpnl: '0', fee: '0.6', feeAsset: 'usdt', ...fields },
  });
/** The third one closes one position and opens the next. */
const trades = [
  trade('1', 1, '0.2'),
  trade('2', 2, '0.1', { price: '60300.5' }),
  trade('3', 60, '-0.5', { price: '60500', rpnl: '77.77' }),
  trade('4', 90, '0.1', { orderId: '93', rpnl: '-1.25' }),
];
const orders = [
  anOrder({ orderId: '91', symbol: 'btc_usdt', amount: '0.2', time: at(0) }),
  anOrder({ orderId: '5', symbol: 'btc_usdt', status: 'LIQUIDATED', filled: '0', time: at(30) }),
];
const futureTransactions = [
  aTransaction({ transactionId: '71', type: 'FUNDING_FEE', amount: '-0.5', time: at(30) }),
];

const chargeNotes = ({ sections }: LiveDocument): readonly string[] => {
  const table = sections[0]?.blocks.findLast((block) => block.kind === 'table');
  return table?.notes ?? assert.fail('no table');
};

describe('the page of a position', () => {
  const folder = folderOfEachTest();
  let keys: string[];
  let shown: StoredRows[];

  /** The pages of a window whose account has this ledger, and the source of each. */
  function pages({
    hidesMoney = false,
    booked = futureTransactions,
    own = {},
    checkpoints = [] as readonly Checkpoint[],
  } = {}) {
    [keys, shown] = [[], []];
    const records = { trades, orders, futureTransactions: booked, ...own };
    const stored = writeLedger(path.join(folder.path, `${crypto.randomUUID()}.sqlite`), {
      ...{ records, checkpoints },
    });
    const ledger = new LedgerOfPanel(stored);
    const analyse = (request: Parameters<typeof stored.analyse>[0]) =>
      analysisOf(stored, 'positions', request);
    Object.assign(ledger.current.reader, { analyse });
    const display = aDisplay({ hidesMoney });
    const session = { profile: aProfile(), serverNow: () => start + 120 * minuteMs };
    const never = new Emitter<void>().event;
    let sourceOf: (key: string) => DocumentSource = () => assert.fail('no source');
    const context = {
      active: { state: { kind: 'open', session }, onDidSwitch: never },
      display: { latest: () => display },
      documents: {
        add: ({ source }: { source: typeof sourceOf }) => {
          sourceOf = source;
          return { show: (key: string) => keys.push(key) };
        },
      },
    } as unknown as FeatureContext;
    const details = registerPositionDetails(context, {
      ledger: { current: ledger.current, onDidChange: never },
      showStored: (rows) => void shown.push(rows),
    });
    return {
      open: async (record: Order | Trade) => {
        details.showOf(record);
        return sourceOf(keys.at(-1) ?? '').document(null);
      },
      close: () => stored.close(),
    };
  }

  it('has what is known, and its orders, fills and funding, of which each opens its row', async () => {
    const { open, close } = pages();
    const document = await open(trades[2] ?? assert.fail());
    assertApproved('analysis/position', readDocument(document));
    const table = document.sections[0]?.blocks.findLast((block) => block.kind === 'table');
    (table?.rows[0]?.[0]?.button as Action | undefined)?.run([]);
    assert.deepEqual(
      shown.map(({ table: name, startAt }) => [name, startAt?.fields.transactionId]),
      [['transactions', '71']],
    );
    close();
  });

  it('lists the order that liquidated it without a fill', async () => {
    const liquidation = anOrder({
      ...{ orderId: '5', symbol: 'btc_usdt', status: 'LIQUIDATED', side: 'SELL' },
      ...{ amount: '0.2', filled: '0.2', time: at(30) },
    });
    const time = start + 40 * minuteMs;
    const checkpoints = [
      {
        ...{ sentAt: time, answeredAt: time, clockErrorMs: 0, equity: null, upl: null },
        ...{ assets: [], positions: [], fees: unknownFees },
      },
    ];
    const own = { trades: trades.slice(0, 1), orders: [liquidation] };
    const { open, close } = pages({ own, checkpoints });
    const text = JSON.stringify(readDocument(await open(liquidation)));
    assert.match(text, /liquidated/i);
    assert.match(text, /Show Row: Order 5/);
    close();
  });

  it('says how many of many charges are listed', async () => {
    const booked = Array.from({ length: 101 }, (_, index) =>
      aTransaction({ transactionId: `${index}`, type: 'FUNDING_FEE', time: at(3 + index / 10) }),
    );
    const { open, close } = pages({ booked });
    const [title, listed] = chargeNotes(await open(trades[0] ?? assert.fail()));
    assert.equal(title, 'Funding and liquidation fees: 100');
    assert.equal(listed, '100 of 101 are listed.');
    close();
  });

  it('is of all positions that an order is in, and says so if it is in none', async () => {
    const { open, close } = pages();
    const titles = async (orderId: string) =>
      (await open(anOrder({ orderId, symbol: 'btc_usdt' }))).sections.map(({ title }) => title);
    assert.deepEqual(await titles('91'), ['btc_usdt · long']);
    assert.deepEqual(await titles('93'), ['btc_usdt · long', 'btc_usdt · short']);
    assert.deepEqual(await titles('5'), ['btc_usdt · long']);
    const { sections } = await open(anOrder({ orderId: '6', symbol: 'btc_usdt' }));
    assert.match(JSON.stringify(sections), /no such position/);
    close();
  });

  it('hides amounts in privacy mode', async () => {
    const { open, close } = pages({ hidesMoney: true });
    const text = JSON.stringify(readDocument(await open(trades[2] ?? assert.fail())).sections);
    assert.doesNotMatch(text, /77\.77|"0\.[1-5]"|0\.6 usdt|-0\.5|1\.25/);
    close();
  });
});
