import assert from 'node:assert/strict';
import { privacyByName } from '../../../src/base/fieldPrivacy.ts';
import type { None, RecordField, Unclassified } from '../../../src/exchange/recordPrivacy.ts';
import type { NumberText, Position } from '../../../src/exchange/records.ts';
import { aDisplay } from '../../support/display.ts';

/** Every field of every record, by whether privacy hides it. */
const hidden = [
  ...(['amount', 'deposited', 'equity', 'fee', 'filled', 'locked', 'lockedAsk'] as const),
  ...(['lockedBalance', 'lockedBid', 'margin', 'rpnl', 'sumSizeAsk', 'sumSizeBid', 'upl'] as const),
] as const satisfies readonly RecordField[];
const shown = [
  ...(['asset', 'averageExecutionPrice', 'averageLiquidationPrice', 'baseAsset'] as const),
  ...(['basePrice', 'clientOrderId', 'discount', 'feeAsset', 'feeTierDiscount'] as const),
  ...(['feeTierStructure', 'initialMargin', 'interval', 'intervalNum', 'isMargin'] as const),
  ...(['leverage', 'limit', 'link', 'liquidationPrice', 'lotId', 'maintenanceMargin'] as const),
  ...(['maker', 'marginAsset', 'marginCallPrice', 'marginMode', 'markPrice', 'name'] as const),
  ...(['orderId', 'pair', 'positionNotional', 'price', 'quoteAsset', 'rateLimitType'] as const),
  ...(['serverTime', 'side', 'status', 'symbol', 'taker', 'tier', 'time', 'timezone'] as const),
  ...(['totalBids', 'tradeFeeAsset', 'tradeId', 'transactionId', 'transactionUuid'] as const),
  ...(['type', 'updatedAt', 'uplPercentage', 'volume30D'] as const),
] as const satisfies readonly RecordField[];

/** Compiles only while no field is missing. */
type Missing = Exclude<RecordField, (typeof hidden | typeof shown)[number]>;
export const isComplete: [Missing] extends [never] ? true : never = true;

describe('privacy of the records', () => {
  for (const [verb, fields] of Object.entries({ hides: hidden, shows: shown }))
    for (const field of fields)
      it(`${verb} ${field}`, () => {
        assert.equal(aDisplay({ hidesMoney: true }).hides(field), verb === 'hides');
        assert.equal(aDisplay().hides(field), false);
      });

  it('does not compile for a field that is public in other records only', () => {
    // @ts-expect-error `limit` is the public field of a rate limit; a position has none.
    type Found = None<Unclassified<Position & { readonly limit: NumberText }>>;
    assert.equal('limit' satisfies keyof Found, 'limit');
  });

  it('does not compile for a record in a record', () => {
    type Nested = Position & { readonly nested: { readonly secretMoney: NumberText } };
    // @ts-expect-error No group has the fields of `nested`.
    type Found = None<Unclassified<Nested>>;
    assert.equal('secretMoney' satisfies keyof Found, 'secretMoney');
  });

  it('does not compile for records in a list in a record', () => {
    type Listed = Position & { readonly list: readonly { readonly secretMoney: NumberText }[] };
    // @ts-expect-error No group has the fields of the items.
    type Found = None<Unclassified<Listed>>;
    assert.equal('secretMoney' satisfies keyof Found, 'secretMoney');
  });

  it('does not compile for a name that is private in one group and public in another', () => {
    assert.deepEqual(privacyByName({ one: { limit: 'private' }, other: { size: 'public' } }), {
      limit: 'private',
      size: 'public',
    });
    // @ts-expect-error Two classes of one name.
    assert.ok(privacyByName({ one: { limit: 'private' }, other: { limit: 'public' } }));
  });
});
