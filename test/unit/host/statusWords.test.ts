import assert from 'node:assert/strict';
import type { Session } from '../../../src/account/session.ts';
import { byDanger } from '../../../src/account/risk.ts';
import type { Position } from '../../../src/exchange/records.ts';
import { account } from '../../../src/exchange/decode.ts';
import { parseJson } from '../../../src/exchange/json.ts';
import { decode } from '../../../src/exchange/readers.ts';
import { anAccount, aPosition, wire } from '../../support/builders.ts';
import { aDisplay } from '../../support/display.ts';
import { standInForVscode } from './panelsVscode.ts';

standInForVscode();
const { statusWords } = await import('../../../src/host/status/statusWords.ts');

const limits = { nearPercent: 10, criticalPercent: 5 };
const risk = { byDanger: (positions: readonly Position[]) => byDanger(positions, limits) };

/** What the status bar says of an account whose answer is `text`. */
function saidOf(text: string) {
  const { value, badRecords } = decode(account, parseJson(text));
  const asOf = 1_700_000_000_000;
  const session = {
    profile: { name: 'Mine', environment: 'live', baseUrl: 'https://host.example' },
    ledger: { standing: { at: asOf, used: 5, ours: 500, limit: 1000, waiting: 0 } },
    freshness: { staleMs: undefined },
    store: { state: { snapshot: { account: value, badRecords, asOf } } },
  } as unknown as Session;
  const words = statusWords({ kind: 'open', session }, aDisplay(), risk) ?? assert.fail();
  const inDanger = words.fields.find(([name]) => name === 'positions in danger')?.[1];
  return { ...words, inDanger };
}

const calm = aPosition({ symbol: 'eth_usdt' });
const unreadable = '"amount":"a lot"';
/** An account of a calm position and of as many as `count` that cannot be read. */
const withUnreadable = (count: number, first = calm) =>
  wire(
    anAccount({
      positions: [first, ...Array.from({ length: count }, () => aPosition({ amount: '7' }))],
    }),
  ).replaceAll('"amount":7', unreadable);

describe('the status bar', () => {
  it('is calm where every position could be read and is', () => {
    const { alarm, inDanger, spoken } = saidOf(withUnreadable(0));
    assert.deepEqual([alarm, inDanger], ['none', 'none of 1']);
    assert.doesNotMatch(spoken, /danger|read/);
  });

  it('warns of a position that could not be read, and says so in hover and label', () => {
    const { alarm, inDanger, spoken, text } = saidOf(withUnreadable(1));
    assert.deepEqual([alarm, inDanger], ['warning', 'none of 1, 1 could not be read']);
    assert.match(spoken, /, positions in danger: none of 1, 1 could not be read$/);
    assert.match(text, /^\$\(warning\) LIVE .* · 1 unreadable$/);
    assert.match(saidOf(withUnreadable(2)).spoken, /: none of 1, 2 could not be read$/);
  });

  it('stays an error where one of the others is critical', () => {
    const critical = aPosition({ markPrice: '100', liquidationPrice: '99' });
    const { alarm, inDanger } = saidOf(withUnreadable(1, critical));
    assert.deepEqual([alarm, inDanger], ['error', '1 critical of 1, 1 could not be read']);
  });

  it('does not warn of what is no position', () => {
    const text = wire(anAccount()).replace('"lockedBid":100', '"lockedBid":"much"');
    assert.deepEqual([saidOf(text).alarm, saidOf(text).inDanger], ['none', 'none of 1']);
  });
});
