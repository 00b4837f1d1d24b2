import assert from 'node:assert/strict';
import { phrase } from '../../../src/base/phrase.ts';
import { ExchangeError, type Failure } from '../../../src/exchange/errors.ts';
import { aDisplay } from '../../support/display.ts';
import { standInForVscode } from './panelsVscode.ts';

standInForVscode();
const { sentenceFor } = await import('../../../src/host/words.ts');

const says = (failure: Pick<Failure, 'kind' | 'operation'> & Partial<Failure>): string =>
  sentenceFor(new ExchangeError({ sent: 'yes', ...failure }), aDisplay());

describe('what is said of an answer that did not come in time', () => {
  it('tells our patience from the exchange’s', () => {
    assert.equal(
      says({ kind: 'timeout', operation: 'accounts', sent: 'maybe' }),
      'The exchange did not answer reading the account in time. Check the network, then refresh.',
    );
    assert.equal(
      says({ kind: 'timeout', operation: 'orders', status: 408, serverWords: 'too slow' }),
      'The exchange gave up on reading the order history (HTTP 408: “too slow”). Check the network, then refresh.',
    );
    assert.equal(
      says({ kind: 'timeout', operation: 'lots', status: 408 }),
      'The exchange gave up on reading the liquidation lots (HTTP 408). Check the network, then refresh.',
    );
  });
});

describe('what is said of an answer that is too large', () => {
  const detail = phrase('{0} MB', 8);

  it('is to ask for less where less can be asked for', () => {
    assert.equal(
      says({ kind: 'tooLarge', operation: 'trades', status: 200, detail }),
      'The answer to reading the trade history is larger than 8 MB and was dropped. Ask for fewer rows.',
    );
  });

  it('is to look at the base URL where it cannot', () => {
    assert.equal(
      says({ kind: 'tooLarge', operation: 'feeTiers', status: 200, detail }),
      'The answer to reading the fee tiers is larger than 8 MB and was dropped. Check that the base URL is the exchange’s.',
    );
  });
});

describe('what is said of a redirect', () => {
  const to = (detail: NonNullable<Failure['detail']>): string =>
    says({ kind: 'redirected', operation: 'cancelAll', status: 302, detail });

  it('names the host that it points to, and that no key went there', () => {
    assert.equal(
      to('elsewhere.example'),
      'The exchange redirected cancelling all open orders to elsewhere.example; it was not followed, so that no key goes there. Check the base URL; where the exchange has moved, “Margin Desk: Edit Profile” takes its new address.',
    );
  });

  it('says where it named none', () => {
    for (const place of ['another path', 'an unnamed place'])
      assert.equal(
        to(phrase(place)),
        `The exchange redirected cancelling all open orders to ${place}; it was not followed, so that no key goes there. Check the base URL; where the exchange has moved, “Margin Desk: Edit Profile” takes its new address.`,
      );
  });

  it('is no link, whatever the host is called', () => {
    assert.match(to('[x](command:quit)\u202e\u0007'), / to \[x\] \(command:quit\); /);
  });
});
