import assert from 'node:assert/strict';
import type { PublishedLimit } from '../../../../src/exchange/conventions/learnedConventions.ts';
import type { ReportedConventions } from '../../../../src/host/profiles/connectionReportText.ts';
import { aDisplay } from '../../../support/display.ts';
const { connectionReportText } =
  await import('../../../../src/host/profiles/connectionReportText.ts');

const limit = { rateLimitType: 'HARD_LIMIT', interval: 'MINUTE', intervalNum: '1', limit: '1000' };
const kept: PublishedLimit = { ...limit, isKept: true };
const unknown: PublishedLimit = { ...limit, interval: 'M', limit: '100', isKept: false };

describe('the limits of a connection report', () => {
  const report = (
    rateLimits: readonly PublishedLimit[],
    supposedPerMinute: number | null,
  ): string => {
    const information = { timezone: null, rateLimits, supposedPerMinute, aheadMs: null, readAt: 0 };
    const conventions = {
      learned: { findings: {}, information },
      resolved: [],
      isZoneKnown: false,
    };
    const profile = { name: 'Mine', environment: 'test', baseUrl: 'https://host.example' };
    return connectionReportText(
      profile as unknown as Parameters<typeof connectionReportText>[0],
      conventions as unknown as ReportedConventions,
      0,
      aDisplay(),
    );
  };

  it('says which are enforced, and that an unknown one is not', () => {
    const text = report([kept, unknown], null);
    assert.match(text, /HARD_LIMIT: 1000 per 1 MINUTE \(enforced\)/);
    assert.match(text, /HARD_LIMIT: 100 per 1 M \(unknown kind, not enforced\)/);
    assert.doesNotMatch(text, /unknown kind, at most/);
  });

  it('says what is enforced instead of an unknown limit', () => {
    const text = report([unknown], 100);
    assert.match(
      text,
      /HARD_LIMIT: 100 per 1 M \(unknown kind, not enforced\)\n\nBecause a limit is of an unknown kind, at most 100 weight per minute/,
    );
  });

  it('says so beside a known limit too, and shows an unreadable value as a dash', () => {
    const text = report([kept, { ...limit, limit: null, isKept: false }], 1000);
    assert.match(
      text,
      /\(enforced\)\n\nHARD_LIMIT: — per 1 MINUTE \(unknown kind.*\n\nBecause .*, at most 1,000/,
    );
  });
});
