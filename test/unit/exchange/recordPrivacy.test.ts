import assert from 'node:assert/strict';
import type { DisplayField } from '../../../src/base/fieldPrivacy.ts';
import type { Classified, RecordField } from '../../../src/exchange/recordPrivacy.ts';
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

  it('does not compile for a field without a class', () => {
    const classified = (field: Classified<'equity'>): DisplayField => field;
    // @ts-expect-error A field that `base/fieldPrivacy.ts` does not classify.
    type Unclassified = Classified<'balanceOfAFutureRecord'>;
    assert.equal(classified('equity'), 'equity' satisfies Unclassified | 'equity');
  });
});
