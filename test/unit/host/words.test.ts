import assert from 'node:assert/strict';
import { ExchangeError } from '../../../src/exchange/errors.ts';
import { aDisplay } from '../../support/display.ts';
import { standInForVscode } from './panelsVscode.ts';

standInForVscode();
const { sentenceFor } = await import('../../../src/host/words.ts');

describe('the sentence of a failure', () => {
  it('says of a 407 that a proxy asks, not that the exchange refused', () => {
    const failure = { kind: 'refused', sent: 'yes', operation: 'orders', status: 407 } as const;
    const sentence = sentenceFor(new ExchangeError(failure), aDisplay());
    assert.match(sentence, /^A proxy wants a sign-in before it lets .+ through \(HTTP 407\)\./);
    assert.doesNotMatch(sentence, /exchange refused|filters/);
  });
});
