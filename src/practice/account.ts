import Big from 'big.js';
import { total } from './cash.ts';
import { feeTier } from './fees.ts';
import { marginAsset } from './instruments.ts';
import { lockedSummaries, type LockedOrders, type OpenOrder } from './openOrders.ts';
import { totalUpl, type Position } from './positions.ts';

/** Section 2.6 of the interface document. */
export type Account = {
  readonly upl: Big;
  readonly feeTierStructure: number;
  readonly feeTierDiscount: number;
  readonly assets: readonly AssetBalance[];
  readonly tradeFeeAsset: string;
  readonly positions: readonly Position[];
  readonly orders: readonly LockedOrders[];
  readonly equity: Big;
};

/**
 * `deposited` is the whole balance; of it, `margin` is what positions lock and `locked` what open
 * orders lock. What is left is free.
 */
export type AssetBalance = {
  readonly name: string;
  readonly isMargin: boolean;
  readonly deposited: Big;
  readonly margin: Big;
  readonly locked: Big;
};

/** Assets that the account has beside the margin asset; they never change. */
const idleAssets = { btc: '0.35127', eth: '4.120394857610293847', sol: '61.5' };

/** The account as its balance, positions and open orders make it; `equity` is balance plus upl. */
export function accountOf(
  balance: Big,
  positions: readonly Position[],
  open: readonly OpenOrder[],
): Account {
  const upl = totalUpl(positions);
  return {
    upl,
    feeTierStructure: feeTier.tier,
    feeTierDiscount: feeTier.discount,
    assets: [marginBalance(balance, positions, open), ...idleBalances()],
    tradeFeeAsset: marginAsset,
    positions,
    orders: lockedSummaries(open),
    equity: balance.plus(upl),
  };
}

function marginBalance(
  deposited: Big,
  positions: readonly Position[],
  open: readonly OpenOrder[],
): AssetBalance {
  return {
    name: marginAsset,
    isMargin: true,
    deposited,
    margin: total(positions.map(({ lockedBalance }) => lockedBalance)),
    locked: total(open.map(({ locked }) => locked)),
  };
}

function idleBalances(): AssetBalance[] {
  const none = new Big(0);
  return Object.entries(idleAssets).map(([name, amount]) => ({
    name,
    isMargin: false,
    deposited: new Big(amount),
    margin: none,
    locked: none,
  }));
}
