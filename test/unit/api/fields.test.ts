import assert from 'node:assert/strict';
import { records, type Field, type RecordDescription } from '../../../src/api/fields.ts';
import { isDisplayField } from '../../../src/base/fieldPrivacy.ts';
import { aDisplay } from '../../support/display.ts';

const all = Object.entries<RecordDescription>(records);
const values = all.flatMap(([record, { fields }]) =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.kind === 'list' ? [] : [{ record, name, field }],
  ),
);

/** Every private field of every record. All others are public. */
const hidden = new Set([
  ...['amount', 'deposited', 'equity', 'fee', 'filled', 'locked', 'lockedAsk', 'lockedBalance'],
  ...['lockedBid', 'margin', 'rpnl', 'sumSizeAsk', 'sumSizeBid', 'upl'],
]);

/** These compile only as long as each marked line is an error. */
export const typeErrors = {
  // @ts-expect-error A field without privacy.
  unclassified: { kind: 'number', isNullable: true } satisfies Field,
  // @ts-expect-error A kind that nothing can decode.
  unknown: { kind: 'money', privacy: 'private' } satisfies Field,
};

describe('the fields of the API', () => {
  for (const { record, name, field } of values)
    it(`${hidden.has(name) ? 'hide' : 'show'} ${name} of ${record}`, () => {
      assert.equal(field.privacy, hidden.has(name) ? 'private' : 'public');
      assert.ok(isDisplayField(name));
      assert.equal(aDisplay({ hidesMoney: true }).hides(name), hidden.has(name));
      assert.equal(aDisplay().hides(name), false);
    });

  it('hide what a bot says of them as well', () => {
    const ofBot = {
      ...({ botAmount: 'amount', botPrice: 'price', botFee: 'fee' } as const),
      ...({ botFeeAsset: 'feeAsset', botPnl: 'rpnl' } as const),
    };
    const display = aDisplay({ hidesMoney: true });
    for (const [name, field] of Object.entries(ofBot))
      assert.equal(display.hides(name as keyof typeof ofBot), hidden.has(field), name);
  });

  it('have every name that is hidden', () => {
    const names = new Set(values.map(({ name }) => name));
    assert.deepEqual(
      [...hidden].filter((name) => !names.has(name)),
      [],
    );
  });

  it('name only records in their lists', () => {
    const named = all.flatMap(([, { fields }]) =>
      Object.values(fields).flatMap((field) => (field.kind === 'list' ? [field.of] : [])),
    );
    assert.deepEqual(
      named.filter((name) => !Object.hasOwn(records, name)),
      [],
    );
  });
});
