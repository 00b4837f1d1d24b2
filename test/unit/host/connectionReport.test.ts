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
  const report = (rateLimits: readonly ToldLimit[], supposedPerMinute: number | null): string => {
    const information = { timezone: null, rateLimits, supposedPerMinute, aheadMs: null, readAt: 0 };
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
    const text = report([kept, unknown], null);
    assert.match(text, /HARD_LIMIT: 1000 in 1 MINUTE\. Kept\./);
    assert.match(text, /HARD_LIMIT: 100 in 1 M\. Not known here: shown, not enforced\./);
    assert.doesNotMatch(text, /not known here, at most/);
  });

  it('says what is kept for limits that are not known', () => {
    const text = report([unknown], 100);
    assert.match(
      text,
      /HARD_LIMIT: 100 in 1 M\. Not known.*enforced\.\n\nFor what is not known here, at most 100 a minute/,
    );
  });

  it('says so beside one that is kept as well, and shows what could not be read as unknown', () => {
    const text = report([kept, { ...limit, limit: null, isKept: false }], 1000);
    assert.match(
      text,
      /Kept\.\n\nHARD_LIMIT: — in 1 MINUTE\. Not known.*\n\nFor what is not known here, at most 1000/,
    );
  });
});
