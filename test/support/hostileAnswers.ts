import { anAccount, aPosition, someLocked, wire } from './builders.ts';

const hostile = '<img src=x onerror=alert(1)>[x](command:workbench.action.quit)$(trash)\u202eevil';

/** Answers of an exchange with markup, a command link, an icon and a reversal of direction in each text. */
export const hostileAnswers = { account, transactions, information } as const;

function account(): string {
  const [asset] = anAccount().assets ?? [];
  return wire(
    anAccount({
      positions: [aPosition({ symbol: hostile, marginMode: hostile })],
      assets: asset ? [{ ...asset, name: hostile }] : [],
      orders: [someLocked({ symbol: hostile })],
      tradeFeeAsset: hostile,
    }),
  );
}

function transactions(): string {
  const record = `{"transactionId":1,"transactionUuid":${text()},"asset":${text()},"link":${text('javascript:alert(1)//')},"amount":-1.5,"type":${text()},"time":1763632800123}`;
  return `{"content":[${record}],"size":20,"totalPages":1,"totalElements":1}`;
}

function information(): string {
  const symbol = ['symbol', 'marginAsset', 'baseAsset', 'pair', 'quoteAsset', 'status']
    .map((name) => `"${name}":${text()}`)
    .join(',');
  const limit = `{"intervalNum":1,"limit":1000,"interval":${text()},"rateLimitType":${text()}}`;
  return `{"rateLimits":[${limit}],"timezone":${text()},"serverTime":1763632800123,"symbols":[{${symbol}}]}`;
}

function text(prefix = ''): string {
  return JSON.stringify(prefix + hostile);
}
