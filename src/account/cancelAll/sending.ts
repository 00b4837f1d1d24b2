import { phrase } from '../../base/phrase.ts';
import type { CancelAccount } from './account.ts';
import { failureOf, type Ended } from './outcome.ts';

/** How a request ended whose window was ending before it left. */
export const windowEnded: Ended = {
  kind: 'failed',
  failure: {
    kind: 'configuration',
    sent: 'no',
    operation: 'cancelAll',
    detail: phrase('its window was ending; run it again in one that stays open'),
  },
};

/** The one request, which is never sent again, whatever happens. Never rejects. */
export async function sendOnce({ client }: CancelAccount): Promise<Ended> {
  try {
    const { value: canceled, badRecords } = await client.cancelAll();
    return { kind: 'answered', canceled, badRecords };
  } catch (thrown) {
    return { kind: 'failed', failure: failureOf(thrown) };
  }
}
