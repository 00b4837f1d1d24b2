import Big from 'big.js';
import assert from 'node:assert/strict';
import { jsonText } from '../../../../src/practice/http/jsonResponse.ts';

describe('JSON of the practice exchange', () => {
  it('has numbers with all digits and without exponent', () => {
    const value = {
      id: 1_795_199_305_229_548_130n,
      amounts: [
        new Big('4.120394857610293847'),
        new Big('1e-9'),
        new Big('-12000000000000000000000000'),
      ],
      zero: new Big('-0'),
      time: 1_795_199_305_229,
      text: '1',
      nothing: undefined,
    };
    assert.equal(
      jsonText(value),
      '{"id":1795199305229548130,"amounts":[4.120394857610293847,0.000000001,-12000000000000000000000000],"zero":0,"time":1795199305229,"text":"1"}',
    );
  });
});
