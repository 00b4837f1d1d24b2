import type Big from 'big.js';
import { accountFees } from '../market/fees.ts';
import { marginAsset } from '../market/instruments.ts';
import { sum } from '../market/money.ts';
import type { Position } from './netPosition.ts';
import { summarizeOpenOrders, type OpenOrder } from './openOrders.ts';

/** The balance of an asset in FUTURE: the sum of its balance changes. */
type Balance = { readonly asset: string; readonly amount: Big };

/** Section 2.6 of the API document. `equity` is the balance of the margin asset plus `upl`. */
export function accountSnapshot(
  balances: readonly Balance[],
  positions: readonly Position[],
  open: readonly OpenOrder[],
) {
  const upl = sum(positions.map((position) => position.upl));
  const marginBalances = balances.filter(({ asset }) => asset === marginAsset);
  return {
    upl,
    feeTierStructure: accountFees.tier,
    feeTierDiscount: accountFees.discount,
    assets: balances.map((balance) => assetBalance(balance, positions, open)),
    tradeFeeAsset: marginAsset,
    positions,
    orders: summarizeOpenOrders(open),
    equity: sum(marginBalances.map(({ amount }) => amount)).plus(upl),
  };
}

/** `deposited` is the whole balance. Positions lock `margin` of it, and open orders lock `locked`. */
function assetBalance(
  { asset, amount }: Balance,
  positions: readonly Position[],
  open: readonly OpenOrder[],
) {
  const isMargin = asset === marginAsset;
  return {
    name: asset,
    isMargin,
    deposited: amount,
    margin: sum(isMargin ? positions.map(({ lockedBalance }) => lockedBalance) : []),
    locked: sum(isMargin ? open.map(({ locked }) => locked) : []),
  };
}
