import assert from 'node:assert/strict';
import type { DisplayField } from '../../../src/base/display.ts';
import type { Classified, RecordField } from '../../../src/exchange/recordPrivacy.ts';
import { aDisplay } from '../../support/display.ts';

/** Every field of every record, and whether privacy hides it. A missing or unknown field does not compile. */
const expected: Readonly<Record<RecordField, boolean>> = {
  amount: true,
  deposited: true,
  equity: true,
  fee: true,
  filled: true,
  locked: true,
  lockedAsk: true,
  lockedBalance: true,
  lockedBid: true,
  margin: true,
  rpnl: true,
  sumSizeAsk: true,
  sumSizeBid: true,
  upl: true,
  asset: false,
  averageExecutionPrice: false,
  averageLiquidationPrice: false,
  baseAsset: false,
  basePrice: false,
  clientOrderId: false,
  discount: false,
  feeAsset: false,
  feeTierDiscount: false,
  feeTierStructure: false,
  initialMargin: false,
  interval: false,
  intervalNum: false,
  isMargin: false,
  leverage: false,
  limit: false,
  link: false,
  liquidationPrice: false,
  lotId: false,
  maintenanceMargin: false,
  maker: false,
  marginAsset: false,
  marginCallPrice: false,
  marginMode: false,
  markPrice: false,
  name: false,
  orderId: false,
  pair: false,
  positionNotional: false,
  price: false,
  quoteAsset: false,
  rateLimitType: false,
  serverTime: false,
  side: false,
  status: false,
  symbol: false,
  taker: false,
  tier: false,
  time: false,
  timezone: false,
  totalBids: false,
  tradeFeeAsset: false,
  tradeId: false,
  transactionId: false,
  transactionUuid: false,
  type: false,
  updatedAt: false,
  uplPercentage: false,
  volume30D: false,
};

describe('privacy of the records', () => {
  for (const [field, isPrivate] of Object.entries(expected) as [RecordField, boolean][])
    it(`${isPrivate ? 'hides' : 'shows'} ${field}`, () => {
      assert.equal(aDisplay({ hidesMoney: true }).hides(field), isPrivate);
      assert.equal(aDisplay().hides(field), false);
    });

  it('does not compile for a field without a class', () => {
    const classified = (field: Classified<'equity'>): DisplayField => field;
    // @ts-expect-error A field that `base/display.ts` does not classify.
    type Unclassified = Classified<'balanceOfAFutureRecord'>;
    assert.equal(classified('equity'), 'equity' satisfies Unclassified | 'equity');
  });
});
