import assert from 'node:assert/strict';
import type { ToldLimit } from '../../../src/exchange/dialect/facts.ts';
import type { ReportedBook } from '../../../src/host/commands/connectionReportText.ts';
import { aDisplay } from '../../support/display.ts';
import { standInForVscode } from './panelsVscode.ts';

standInForVscode();
const { connectionReportText } = await import('../../../src/host/commands/connectionReportText.ts');

const limit = { rateLimitType: 'HARD_LIMIT', interval: 'MINUTE', intervalNum: '1', limit: '1000' };
const kept: ToldLimit = { ...limit, isKept: true };
const unknown: ToldLimit = { ...limit, interval: 'M', limit: '100', isKept: false };

describe('the limits of a connection report', () => {
  const report = (rateLimits: readonly ToldLimit[]): string => {
    const information = { timezone: null, rateLimits, aheadMs: null, readAt: 0 };
    const book = { facts: { findings: {}, information }, standings: [], knowsZone: false };
    const profile = { name: 'Mine', environment: 'test', baseUrl: 'https://host.example' };
    return connectionReportText(
      profile as unknown as Parameters<typeof connectionReportText>[0],
      book as unknown as ReportedBook,
      0,
      aDisplay(),
    );
  };

  it('says which are kept, and that an unknown one beside them is not', () => {
    const text = report([kept, unknown]);
    assert.match(text, /HARD_LIMIT: 1000 in 1 MINUTE\. Kept\./);
    assert.match(text, /HARD_LIMIT: 100 in 1 M\. Not known here: shown, not enforced\./);
    assert.doesNotMatch(text, /In their place/);
  });

  it('says what is kept in place of limits of which none is known', () => {
    const text = report([unknown]);
    assert.match(
      text,
      /HARD_LIMIT: 100 in 1 M\. Not known.*enforced\.\n\nIn their place at most 1,000/,
    );
  });
});
