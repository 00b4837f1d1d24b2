const baseUrl = 'https://host.example';
const profile = (fields: object): object => ({ baseUrl, ...fields });
const auth = (fields: unknown): object => profile({ auth: fields });
const custom = (fields: object): object => auth({ custom: fields });
const dialect = (fields: unknown): object => profile({ dialect: fields });

/** Entries of the setting that are refused; each text that must not be quoted has the word MARKED. */
export const wrongProfiles: readonly unknown[] = [
  ...['https://host.example', [], {}, { baseUrl: 1 }, { baseUrl: 'host' }],
  ...['http://host.example', 'https://MARKED@host.example', `${baseUrl}?a=MARKED`].map(
    (address) => ({ baseUrl: address }),
  ),
  ...['MARKED', 'practice'].map((environment) => profile({ environment })),
  ...[{ readOnly: 'MARKED' }, { color: 'MARKED' }, { apiKey: 'MARKED' }].map(profile),
  ...[auth('MARKED'), auth([]), dialect([1])],
  ...[{ apiSecret: 'MARKED' }, { scheme: 'MARKED' }].map(auth),
  ...['', 'Host', 'cookie', 'X\r\nHost: MARKED'].map((keyHeader) => auth({ keyHeader })),
  ...[{ timestampParam: 'page' }, { timestampParam: 'x', signatureParam: 'x' }].map(auth),
  ...[0, 1.5, '5'].map((recvWindowMs) => auth({ recvWindowMs })),
  auth({ scheme: 'hmacHeaders', keyHeader: 'x-timestamp' }),
  auth({ stringToSign: '{timestamp}{nonce}' }),
  ...['MARKED{apiSecret}', 'MARKED{'].map((stringToSign) => custom({ stringToSign })),
  ...[
    { 'X-A': '{secret}' },
    { A: 'MARKED\r\nHost: a' },
    { Cookie: 'MARKED' },
    { A: 'MARKED', a: 'MARKED' },
    {},
  ].map((headers) => custom({ headers })),
  ...[{ a: '{query}' }, { page: 'MARKED' }].map((query) => custom({ query })),
  ...[{ algorithm: 'MARKED' }, { privateKey: 'MARKED' }, { aheadMs: -1 }].map(custom),
  ...['accounts', ['accounts', 'accounts'], ['accounts', 'MARKED']].map((sign) => auth({ sign })),
  ...[2, '0'].map((firstPage) => dialect({ firstPage })),
  ...[
    { dates: 'MARKED' },
    { lists: null },
    { maxPageSize: 0 },
    { overLimitStatuses: [429, 429] },
    { color: 1 },
  ].map(dialect),
];
