import { autoConventions } from '../../src/exchange/history/apiConventions.ts';
import { ExchangeConventions } from '../../src/exchange/history/exchangeConventions.ts';
import type { ObservedExchangeInfo } from '../../src/exchange/history/learnedConventions.ts';
import type { ReportedConnection } from '../../src/host/connectionReport/reportChecklist.ts';
import { aProfile } from './builders.ts';

const nothingPublished: ObservedExchangeInfo = {
  timezone: null,
  rateLimits: [],
  supposedPerMinute: null,
  aheadMs: null,
  readAt: 0,
};

/** The connection of a profile that was never tested; `information` is what its exchange published. */
export function aReportedConnection(
  known: { readonly information?: Partial<ObservedExchangeInfo> } = {},
): ReportedConnection {
  const conventions = new ExchangeConventions(autoConventions);
  if (known.information)
    conventions.recordExchangeInfo({ ...nothingPublished, ...known.information });
  return { profile: aProfile(), conventions, exists: true };
}
