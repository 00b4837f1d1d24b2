import assert from 'node:assert/strict';
import { JournalBooks, type JournalItem } from '../../../../src/account/statement/journal.ts';
import { journalAccounts } from '../../../../src/account/statement/journalNames.ts';
import { journalLanguages } from '../../../../src/account/statement/journalFiles.ts';
import { monthAt } from '../../../../src/account/statement/statementMonth.ts';
import { TimeZone } from '../../../../src/base/timeZone.ts';
import { aTransaction } from '../../../support/builders.ts';

describe('a journal', () => {
  const time = Date.UTC(2026, 9, 10);
  const amounts = ['5', null, '7'];

  function booked(): { items: readonly JournalItem[]; balances: readonly (string | null)[] } {
    const books = new JournalBooks({
      month: monthAt(time, new TimeZone('UTC')),
      accounts: journalAccounts('Main'),
      commodities: new Map([['usdt', 'USDT']]),
      openings: [],
    });
    const items = amounts.flatMap((amount, index) =>
      books.add('FUTURE', aTransaction({ transactionId: String(index), amount }), time),
    );
    const balances = books.balances.map(({ balance }) => balance);
    return { items: [...items, ...books.close()], balances };
  }

  it('claims no balance after a transaction whose amount is unknown', () => {
    const { items, balances } = booked();
    assert.deepEqual(balances, [null]);
    const [hledger, beancount] = journalLanguages.map(({ item }) => items.map(item).join(''));
    for (const text of [hledger, beancount])
      assert.match(text ?? '', /^; 2026-10-10 FEE FUTURE 1: unknown amount of USDT in Assets:/m);
    assert.match(hledger ?? '', /5 USDT = 5 USDT\n/);
    assert.match(hledger ?? '', / 7 USDT\n/);
    assert.doesNotMatch(beancount ?? '', / balance /);
  });
});
