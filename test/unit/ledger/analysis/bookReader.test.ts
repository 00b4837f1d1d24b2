import assert from 'node:assert/strict';
import path from 'node:path';
import { secondMs } from '../../../../src/base/time.ts';
import { BookReader, type ReadBook } from '../../../../src/ledger/analysis/bookReader.ts';
import type { Checkpoint } from '../../../../src/ledger/ledger.ts';
import { addCheckpoint } from '../../../../src/ledger/storage/checkpointStore.ts';
import { openDatabase, withFile } from '../../../../src/ledger/storage/ledgerFile.ts';
import { recordJson } from '../../../../src/ledger/storage/recordLines.ts';
import { SeededRandom } from '../../../../src/practice/market/seededRandom.ts';
import { anOrder, aTrade, unknownFees } from '../../../support/builders.ts';
import { ledgerInThisThread } from '../../../support/ledgerUnderTest.ts';
import { folderOfEachTest } from '../../../support/project.ts';

const start = Date.UTC(2026, 9, 16);
const symbols = ['btc_usdt', 'eth_usdt'];

/** What a reader says, without what only its next read needs. */
function figuresOf({ positions, books, fraction }: ReadBook) {
  const checks = [...books.values()].map((book) => [
    ...[book.symbol, book.checks, book.size, book.differences],
  ]);
  return structuredClone({ positions, fraction, checks });
}

describe('a reader that keeps the positions of a ledger', () => {
  const folder = folderOfEachTest();

  /** A ledger that grows at its end with each `read`, as the exchange's rows are read. */
  function growingLedger(file: string, random: SeededRandom) {
    const ledger = ledgerInThisThread({ file });
    ledger.versions();
    const sizes = new Map(symbols.map((symbol) => [symbol, 0]));
    let [now, number] = [start, 0];
    const store = (history: 'trades' | 'orders', from: number, to: number, records: object[]) => {
      const walk = ledger.beginWalk({ history, from, to, asOf: to, purpose: 'current' });
      ledger.saveStep(
        walk.id,
        records.map((each) => recordJson(each as never)),
        null,
      );
      ledger.endWalk(walk.id, { completeness: 'complete', reason: null });
    };
    const trade = (time: number): ReturnType<typeof aTrade> => {
      const symbol = symbols[random.integer(0, 1)] ?? '';
      const size = sizes.get(symbol) ?? 0;
      const change =
        random.chance(40) && size !== 0
          ? -size
          : random.integer(1, 9) * (random.chance(50) ? 1 : -1);
      sizes.set(symbol, size + change);
      number += 1;
      return aTrade({
        ...{ tradeId: String(1000 + number), orderId: String(number), symbol, time: String(time) },
        ...{ side: change < 0 ? 'SELL' : 'BUY', amount: String(Math.abs(change)) },
        ...{ price: '100', fee: '0.1', feeAsset: 'usdt' },
        rpnl: size === 0 && number % 5 < 4 ? '0' : '1',
      });
    };
    const checkAt = (sentAt: number): void => {
      const positions = [...sizes].map(([symbol, size]) => {
        return { symbol, marginMode: 'ISOLATED', amount: String(size), basePrice: '1' };
      });
      const at = { sentAt, answeredAt: sentAt + 100, clockErrorMs: 0 };
      const checkpoint: Checkpoint = {
        ...{ ...at, assets: null, equity: null, upl: null, fees: unknownFees },
        positions: positions.filter(({ amount }) => amount !== '0'),
      };
      const database = openDatabase(file, false);
      addCheckpoint(database, checkpoint);
      database.close();
    };
    const trades: ReturnType<typeof aTrade>[] = [];
    return {
      get now() {
        return now;
      },
      /** Rows from where the last read ended. */
      read(): void {
        const from = now;
        now += 60 * secondMs;
        const times = Array.from({ length: random.integer(0, 4) }, () =>
          random.integer(from, now - 1),
        );
        const added = times.sort((one, other) => one - other).map(trade);
        trades.push(...added);
        store('trades', from === start ? 0 : from, now, added);
      },
      /** What the exchange said a moment ago. */
      check: () => checkAt(now - 20 * secondMs),
      /** What changes rows and periods that were read before. */
      changeThePast: {
        insert: () => store('trades', 1, 2, [trade(random.integer(start, now - 1))]),
        alter: () => {
          const altered = trades[random.integer(0, trades.length - 1)];
          if (altered) store('trades', 1, 2, [{ ...altered, rpnl: String(random.integer(2, 99)) }]);
        },
        unlist: () => {
          const [first, last] = [trades[0], trades.at(-1)];
          if (first && last) store('trades', 0, now, [first, last]);
        },
        liquidate: () =>
          store('orders', 0, now, [
            anOrder({
              ...{ symbol: 'btc_usdt', status: 'LIQUIDATED', filled: '1' },
              ...{ orderId: '999999', time: String(random.integer(start, now - 1)) },
            }),
          ]),
        checkLate: () => checkAt(random.integer(start, now - 1)),
        doubt: () => {
          const from = random.integer(start, now - 1);
          const doubted = { from, to: from + random.integer(9, 300) * secondMs, asOf: now };
          const { id } = ledger.beginWalk({ history: 'trades', ...doubted, purpose: 'current' });
          ledger.endWalk(id, { completeness: 'drifted', reason: null });
        },
        enlarge: () => store('trades', 1, 2, [{ ...trade(now - 1), amount: '9100000' }]),
        lengthen: () =>
          store('trades', 1, 2, [{ ...trade(now - 1), amount: `0.${'0'.repeat(22)}1` }]),
      },
      close: () => ledger.close(),
    };
  }

  for (let seed = 0; seed < 8; seed += 1)
    it(`says the same as one that begins anew, whatever is stored meanwhile (${seed})`, () => {
      const random = new SeededRandom(`kept book ${seed}`);
      const file = path.join(folder.path, 'ledger.sqlite');
      const ledger = growingLedger(file, random);
      const kept = new BookReader();
      const changes = Object.values(ledger.changeThePast);
      for (let step = 0; step < 25; step += 1) {
        ledger.read();
        if (random.chance(60)) ledger.check();
        if (random.chance(15)) changes[random.integer(0, changes.length - 1)]?.();
        const now = ledger.now + (random.chance(10) ? 7200 * secondMs : 0);
        withFile(file, (database) => {
          const figures = figuresOf(kept.read(database, now));
          assert.deepEqual(figures, figuresOf(new BookReader().read(database, now)), `${step}`);
        });
      }
      ledger.close();
    });

  it('goes on from where it stopped if rows are newer, else begins anew', () => {
    const file = path.join(folder.path, 'ledger.sqlite');
    const ledger = growingLedger(file, new SeededRandom('goes on'));
    const reader = new BookReader();
    const firstOf = () =>
      withFile(file, (database) => reader.read(database, ledger.now).positions[0]);
    while (typeof firstOf()?.closed !== 'number') ledger.read();
    const first = firstOf();
    ledger.read();
    ledger.check();
    // A position that was rebuilt again is another object.
    assert.equal(firstOf(), first);
    ledger.changeThePast.insert();
    assert.notEqual(firstOf(), first);
    ledger.close();
  });
});
