import fc from 'fast-check';
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { compare, isSame, sum, textOf } from '../../../src/base/decimal.ts';
import { amountOfKey, numberKey } from '../../../src/ledger/storage/numberKey.ts';

/** Up to 18 digits on either side of the point, in every notation. */
const digits = (most: number) => fc.stringMatching(new RegExp(`^\\d{0,${most}}$`));
const storable = fc
  .tuple(fc.constantFrom('', '-'), digits(18), digits(18))
  .map(([sign, whole, fraction]) => {
    const stripped = whole.replace(/^0+(?=\d)/, '') || '0';
    return `${sign}${stripped}${fraction && `.${fraction}`}`;
  });
const scientific = fc
  .tuple(fc.integer({ min: -999999, max: 999999 }), fc.integer({ min: -12, max: 11 }))
  .map(([mantissa, exponent]) => `${mantissa}E${exponent}`);
const number = fc.oneof(storable, scientific);

describe('the key of a number', () => {
  let database: DatabaseSync;
  beforeEach(() => {
    database = new DatabaseSync(':memory:');
    database.exec('CREATE TABLE t (text TEXT, w INTEGER, n INTEGER, a INTEGER)');
  });
  afterEach(() => database.close());

  const insert = (texts: readonly string[]): void => {
    const statement = database.prepare('INSERT INTO t VALUES (?, ?, ?, ?)');
    for (const text of texts) statement.run(text, ...numberKey(text));
  };

  it('sorts in SQLite as the numbers do', () => {
    fc.assert(
      fc.property(fc.array(number, { minLength: 2, maxLength: 20 }), (texts) => {
        database.exec('DELETE FROM t');
        insert(texts);
        const rows = database.prepare('SELECT text FROM t ORDER BY w, n, a').all();
        const sorted = rows.map(({ text }) => String(text));
        for (const [index, text] of sorted.entries())
          assert.ok(compare(sorted[index - 1] ?? text, text) <= 0, sorted.join(' '));
      }),
    );
  });

  it('adds in SQLite to the exact sum', () => {
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 20 }), (texts) => {
        database.exec('DELETE FROM t');
        insert(texts);
        const statement = database.prepare(
          'SELECT sum(w / 1000000000) w1, sum(w % 1000000000) w0, sum(n) n, sum(a) a FROM t',
        );
        statement.setReadBigInts(true);
        const { w1, w0, n, a } = statement.get() as Record<string, bigint>;
        const total = textOf(amountOfKey((w1 ?? 0n) * 10n ** 9n + (w0 ?? 0n), n ?? 0n, a ?? 0n));
        assert.ok(isSame(total, sum(texts)), `${total} and ${sum(texts)}`);
      }),
    );
  });

  it('is null for no number, and text for one with more than 18 digits on a side of its point', () => {
    assert.deepEqual(numberKey(null), [null, null, null]);
    for (const text of ['1'.repeat(19), `-0.${'0'.repeat(18)}1`, '1E18', '1E-19'])
      assert.ok(numberKey(text)[0] instanceof Uint8Array, text);
    assert.deepEqual(numberKey('-0'), [0, 0, 0]);
    assert.deepEqual(numberKey(`0.5${'0'.repeat(30)}`), [0, 500_000_000, 0]);
  });
});
