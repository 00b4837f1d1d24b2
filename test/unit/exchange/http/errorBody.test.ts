import assert from 'node:assert/strict';
import { readErrorBody } from '../../../../src/exchange/http/errorBody.ts';

const spring = (message: string) =>
  `{"timestamp":1,"status":401,"error":"Unauthorized","message":"${message}","path":"/a"}`;

describe('the body of an error', () => {
  const said: [name: string, body: string, words?: string | undefined, code?: string][] = [
    ['Spring', spring('bad key'), 'bad key'],
    ['Spring without a message', spring(''), 'Unauthorized'],
    ['code and msg', '{"code":-1121,"msg":"Invalid symbol."}', 'Invalid symbol.', '-1121'],
    ['retCode and retMsg', '{"retCode":10006,"retMsg":"slow","result":{}}', 'slow', '10006'],
    ['a nested error', '{"error":{"code":7,"message":"nested"}}', 'nested', '7'],
    ['a list of errors', '{"errors":[{"code":"E1","message":"x"},{"message":"y"}]}', 'x', 'E1'],
    [
      'problem+json',
      '{"title":"Forbidden","status":403,"detail":"no permission"}',
      'no permission',
    ],
    ['problem+json without detail', '{"type":"about:blank","title":"Forbidden"}', 'Forbidden'],
    ['one word', '{"error":"Unauthorized"}', 'Unauthorized'],
    ['OAuth', '{"error":"invalid_token","error_description":"expired"}', 'expired'],
    ['a code alone', '{"code":"INVALID_SYMBOL"}', undefined, 'INVALID_SYMBOL'],
    ['a code beyond 2^53', '{"code":9007199254740993,"msg":"x"}', 'x', '9007199254740993'],
    ['a string', '"words"', 'words'],
    ['a list of strings', '["words","more"]', 'words'],
    ['plain text', 'Too many requests\r\n', 'Too many requests\r\n'],
    ['nothing', ''],
    ['white space', ' \r\n'],
    ['an HTML page', '  <html><title>nginx</title></html>'],
    ['an empty object', '{}'],
    ['null for words', '{"message":null,"code":null}'],
    ['words that cannot be seen', '{"message":"\\u200b\\u0007"}'],
    ['inherited names', '{"__proto__":{"message":"no","code":1}}'],
    ['nothing but numbers', '[1,2]'],
  ];
  for (const [name, body, words, code] of said)
    it(`is read: ${name}`, () => {
      const { serverWords, serverCode } = readErrorBody(body);
      assert.deepEqual([serverWords, serverCode], [words, code]);
    });
});
