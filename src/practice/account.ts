import type Big from 'big.js';
import { total } from './cash.ts';
import { accountFees } from './fees.ts';
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

/** What FUTURE holds of an asset: the sum of its entries (`balance.ts`). */
export type Balance = { readonly asset: string; readonly amount: Big };

/**
 * The account as its balances, positions and open orders make it; `equity` is the balance of the
 * margin asset plus upl.
 */
export function accountOf(
  balances: readonly Balance[],
  positions: readonly Position[],
  open: readonly OpenOrder[],
): Account {
  const upl = totalUpl(positions);
  const margined = balances.filter(({ asset }) => asset === marginAsset);
  return {
    upl,
    feeTierStructure: accountFees.tier,
    feeTierDiscount: accountFees.discount,
    assets: balances.map((balance) => assetBalance(balance, positions, open)),
    tradeFeeAsset: marginAsset,
    positions,
    orders: lockedSummaries(open),
    equity: total(margined.map(({ amount }) => amount)).plus(upl),
  };
}

function assetBalance(
  { asset, amount }: Balance,
  positions: readonly Position[],
  open: readonly OpenOrder[],
): AssetBalance {
  const isMargin = asset === marginAsset;
  const ofMargin = (parts: readonly Big[]): Big => total(isMargin ? parts : []);
  return {
    name: asset,
    isMargin,
    deposited: amount,
    margin: ofMargin(positions.map(({ lockedBalance }) => lockedBalance)),
    locked: ofMargin(open.map(({ locked }) => locked)),
  };
}
