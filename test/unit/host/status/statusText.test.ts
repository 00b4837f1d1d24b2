import assert from 'node:assert/strict';
import type { AccountSession } from '../../../../src/account/session/accountSession.ts';
import { sortByRisk } from '../../../../src/account/session/positionRisk.ts';
import { parseJson } from '../../../../src/base/exactJson.ts';
import { account } from '../../../../src/exchange/records.ts';
import { decode } from '../../../support/decode.ts';
import type { Position } from '../../../../src/exchange/records.ts';
import { anAccount, aPosition, wire } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';
import { statusContent } from '../../../../src/host/status/statusText.ts';

const limits = { nearPercent: 10, criticalPercent: 5 };
const risk = { rankPositions: (positions: readonly Position[]) => sortByRisk(positions, limits) };

/** The status bar for an account whose response is `text`. */
function statusOf(text: string, isStateWritable = true) {
  const { value, badRecords } = decode(account, parseJson(text));
  const asOf = 1_700_000_000_000;
  const session = {
    profile: { name: 'Mine', environment: 'live', baseUrl: 'https://host.example' },
    rateLimiter: {
      usage: {
        ...{ at: asOf, used: 5, ownShare: 500, limit: 1000, windowMs: 60_000, waiting: 0 },
        isStateWritable,
      },
    },
    staleness: { staleAgeMs: undefined },
    store: { state: { snapshot: { account: value, badRecords, asOf } } },
  } as unknown as AccountSession;
  const content = statusContent({ kind: 'open', session }, aDisplay(), risk) ?? assert.fail();
  const closeToLiquidation = content.fields.find(([name]) => name === 'close to liquidation')?.[1];
  return { ...content, closeToLiquidation };
}

const calm = aPosition({ symbol: 'eth_usdt' });
const unreadable = '"amount":"a lot"';
/** An account with one readable position and `count` unreadable ones. */
const withUnreadable = (count: number, first = calm) =>
  wire(
    anAccount({
      positions: [first, ...Array.from({ length: count }, () => aPosition({ amount: '7' }))],
    }),
  ).replaceAll('"amount":7', unreadable);

describe('the status bar', () => {
  it('shows no warning if every position was read and is not near liquidation', () => {
    const { level, closeToLiquidation, screenReaderLabel } = statusOf(withUnreadable(0));
    assert.deepEqual([level, closeToLiquidation], ['none', 'none of 1']);
    assert.doesNotMatch(screenReaderLabel, /liquidation|read/);
  });

  it('warns about a position that could not be read, in hover and label too', () => {
    const { level, closeToLiquidation, screenReaderLabel, text } = statusOf(withUnreadable(1));
    assert.deepEqual([level, closeToLiquidation], ['warning', 'none of 1, 1 could not be read']);
    assert.match(screenReaderLabel, /, close to liquidation: none of 1, 1 could not be read$/);
    assert.match(text, /^\$\(warning\) LIVE .* · 1 unreadable$/);
    assert.match(
      statusOf(withUnreadable(2)).screenReaderLabel,
      /: none of 1, 2 could not be read$/,
    );
  });

  it('stays an error if another position is critical', () => {
    const critical = aPosition({ markPrice: '100', liquidationPrice: '99' });
    const { level, closeToLiquidation } = statusOf(withUnreadable(1, critical));
    assert.deepEqual(
      [level, closeToLiquidation],
      ['error', '1 critical of 1, 1 could not be read'],
    );
  });

  it('does not warn about an unreadable record that is not a position', () => {
    const text = wire(anAccount()).replace('"lockedBid":100', '"lockedBid":"much"');
    assert.deepEqual(
      [statusOf(text).level, statusOf(text).closeToLiquidation],
      ['none', 'none of 1'],
    );
  });

  it('shows an unknown figure as — with a warning, and names its field in the hover', () => {
    for (const [field, shown] of [
      ['equity', 'LIVE — usdt $(arrow-up)+12.50'],
      ['upl', 'LIVE 12,012.50 usdt —'],
    ] as const) {
      const { text, level, screenReaderLabel, fields } = statusOf(
        wire(anAccount({ [field]: null })),
      );
      assert.deepEqual([text, level], [`$(warning) ${shown}`, 'warning']);
      assert.match(screenReaderLabel, new RegExp(`, ${field} —`));
      const problem = `$.${field} should be a number and is null`;
      assert.deepEqual(fields.slice(0, 1), [
        ['problem', `A part of the account could not be read: ${problem}.`],
      ]);
    }
  });

  it('shows unknown fee fields in the hover only', () => {
    const account = anAccount({ feeTierStructure: null, tradeFeeAsset: null });
    const { level, fields } = statusOf(wire(account));
    const unknown = fields.flatMap(([name, value]) => (value === '—' ? [name] : []));
    assert.deepEqual([level, unknown], ['none', ['feeTierStructure', 'tradeFeeAsset']]);
    assert.equal(fields.filter(([name]) => name === 'problem').length, 2);
  });

  it('warns that positions are unknown where they are not listed: none is not claimed', () => {
    const { text, level, closeToLiquidation, screenReaderLabel } = statusOf(
      wire(anAccount({ positions: null })),
    );
    assert.deepEqual([level, closeToLiquidation], ['warning', 'unknown']);
    assert.match(text, /^\$\(warning\) LIVE .* · positions unknown$/);
    assert.match(screenReaderLabel, /, close to liquidation: unknown$/);
  });

  it('says that open orders are unknown where they are not listed, and gives no unit without assets', () => {
    const { level, fields, text } = statusOf(wire(anAccount({ orders: null, assets: null })));
    const orders = fields.filter(([name]) => name.startsWith('open orders'));
    assert.deepEqual([level, orders], ['none', [['open orders', 'unknown']]]);
    assert.match(text, / LIVE 12,012\.50 \$/);
  });

  it('says in the hover while the rate-limit file cannot be written', () => {
    const fileField = (isWritable: boolean) =>
      statusOf(withUnreadable(0), isWritable).fields.find(([name]) => name === 'rate-limit file');
    assert.equal(fileField(true), undefined);
    assert.match(fileField(false)?.[1] ?? '', /^cannot be written: .* once a minute$/);
  });
});
