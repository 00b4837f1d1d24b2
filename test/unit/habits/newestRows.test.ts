import assert from 'node:assert/strict';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../src/base/time.ts';
import { testHabits, type Habit } from '../../support/habits.ts';
import { ScriptedLedger, type ScriptedExchange } from '../../support/scriptedLedger.ts';

/** A downloaded ledger of 30 rows, one every 16 hours, that was kept current once. */
async function downloaded(habits: Partial<ScriptedExchange> = {}): Promise<ScriptedLedger> {
  const scripted = new ScriptedLedger(habits);
  scripted.addEvery(16 * hourMs, 30);
  await scripted.world.client.exchangeInfo();
  await scripted.download();
  scripted.pass(minuteMs);
  await scripted.change();
  return scripted;
}

async function assertHonest(scripted: ScriptedLedger): Promise<void> {
  const { lost, doubled, isTooLate } = await scripted.check();
  assert.deepEqual({ lost, doubled, isTooLate }, { lost: 0, doubled: 0, isTooLate: false });
}

/** A pause of 30 hours, and then a row every eight hours, each with a change of the account. */
async function tradeOn(scripted: ScriptedLedger, days = 5): Promise<void> {
  scripted.pass(30 * hourMs);
  await scripted.change();
  for (let row = 1; row <= 3 * days; row += 1) {
    scripted.pass(8 * hourMs);
    scripted.add({ time: scripted.now - 10 * secondMs });
    await scripted.change();
    await assertHonest(scripted);
  }
}

/** The rows since the download are there, in a period that is complete until lately. */
async function assertCurrent(scripted: ScriptedLedger, withinMs = minuteMs): Promise<void> {
  await assertHonest(scripted);
  const { behindMs, checks } = await scripted.check();
  assert.ok(behindMs < withinMs, `complete to ${behindMs / minuteMs} minutes ago`);
  assert.ok(checks >= scripted.rows.length - 30, `${checks} of ${scripted.rows.length}`);
}

const bybit = 'Bybit: startTime without endTime means 7 days from startTime';
const current = 'every new row, complete to now';
const honest = 'no period that is complete and lacks a row';
const starts = (habit: string, sees: string, habits: Partial<ScriptedExchange>): Habit => ({
  habit,
  source: habits.daysWithEnd || habits.refuses ? `a sibling of ${bybit}` : bybit,
  sees,
  check: async () => {
    const scripted = await downloaded({ daysWithoutEnd: 7, ...habits });
    await tradeOn(scripted);
    if (sees === current) await assertCurrent(scripted);
  },
});

testHabits('a question that is answered for some days from its start', [
  starts('a start without an end is answered for 7 days', current, {}),
  starts('so it is, and rows have no count', current, { totals: 'absent' }),
  starts('one with an end is answered for 7 days, too', current, { daysWithEnd: 7 }),
  starts('so it is, and rows have no count', current, { daysWithEnd: 7, totals: 'absent' }),
  starts('an end that lies ahead is refused', current, { refuses: 'endsAhead' }),
  starts('so it is, and a start without an end is answered for one day', honest, {
    refuses: 'endsAhead',
    daysWithoutEnd: 1,
  }),
  starts(
    'so it is, and one with an end is answered for 7 days',
    `${honest}, after a download that ends`,
    {
      refuses: 'endsAhead',
      daysWithEnd: 7,
      dateByMs: -hourMs,
    },
  ),
  {
    habit: 'each end is refused, and a start without one is answered for 7 days',
    source: `a sibling of ${bybit}`,
    sees: `${honest}; all rows, complete, once it takes ends again`,
    check: async () => {
      const scripted = await downloaded({ daysWithoutEnd: 7 });
      scripted.exchange = { ...scripted.exchange, refuses: 'ends' };
      await tradeOn(scripted);
      scripted.exchange = { ...scripted.exchange, refuses: 'none' };
      await scripted.download();
      scripted.pass(16 * minuteMs);
      await scripted.change();
      await assertCurrent(scripted, hourMs);
    },
  },
]);

const jumps = 'this machine’s clock jumps (NTP, a resumed VM)';
const jump = (
  habit: string,
  sees: string,
  act: (scripted: ScriptedLedger) => void | Promise<void>,
  habits: Partial<ScriptedExchange> = {},
): Habit => ({
  habit,
  source: habit.startsWith('it is set forward by an hour') ? jumps : `a sibling of ${jumps}`,
  sees,
  check: async () => {
    const scripted = await downloaded(habits);
    await act(scripted);
    await assertHonest(scripted);
    for (let read = 0; read < 5; read += 1) {
      scripted.pass(2 * minuteMs);
      scripted.add();
      await scripted.change();
      await assertHonest(scripted);
    }
    scripted.pass(10 * secondMs);
    await scripted.change();
    await assertCurrent(scripted, 20 * secondMs);
  },
});

testHabits('the clock of this machine', [
  jump('it is set forward by an hour', current, (scripted) => scripted.setClock(hourMs)),
  jump('it is set back by an hour', current, (scripted) => scripted.setClock(-hourMs)),
  jump('it is set forward, without serverTime', current, (scripted) => scripted.setClock(hourMs), {
    hasServerTime: false,
  }),
  jump('it is set forward, without Date', current, (scripted) => scripted.setClock(hourMs), {
    dateByMs: null,
  }),
  jump('it is set forward, and Date is ahead', current, (scripted) => scripted.setClock(hourMs), {
    dateByMs: hourMs,
  }),
  jump('it was set forward before a window opened, which downloads', current, (scripted) => {
    scripted.pass(minuteMs);
    scripted.setClock(hourMs);
    scripted.reopen();
    return scripted.download();
  }),
  jump('the machine is suspended for a day', current, (scripted) => scripted.suspend(dayMs)),
  jump(
    'it is suspended, and its clock is set right',
    current,
    (scripted) => {
      scripted.suspend(dayMs);
      scripted.setClock(dayMs);
    },
    { dateByMs: null },
  ),
]);

const counts = 'a page of fewer than 20 rows, or of varying length, with the page’s own count';
let requests = 0;
const short = (
  habit: string,
  habits: Partial<ScriptedExchange>,
  sees = `${honest}, and all rows after 16 minutes`,
): Habit => ({
  habit,
  source: habit.startsWith('pages of 12') ? counts : `a sibling of ${counts}`,
  sees,
  check: async () => {
    const scripted = await downloaded({ order: 'oldestFirst', totals: 'ofPage', ...habits });
    for (let round = 0; round < 4; round += 1) {
      scripted.pass(20 * minuteMs);
      scripted.addEvery(secondMs, 12);
      scripted.pass(6 * secondMs);
      await scripted.change();
      await assertHonest(scripted);
    }
    scripted.pass(16 * minuteMs);
    await scripted.change();
    if (sees !== honest) await assertCurrent(scripted, hourMs);
  },
});

testHabits('pages that count their own rows', [
  short('pages of 12 rows', { pageRows: () => 12 }),
  short('pages of 12 rows, without a count', { pageRows: () => 12, totals: 'absent' }),
  short('pages of 19 rows, newest first', { pageRows: () => 19, order: 'newestFirst' }),
  short('12 rows of a question, and no more on a further page', { depth: 12 }, honest),
  short('pages of varying length', { pageRows: () => 5 + ((requests += 7) % 16) }, honest),
]);
