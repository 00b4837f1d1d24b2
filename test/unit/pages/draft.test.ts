import assert from 'node:assert/strict';
import { draftOf, draftOfDays, readDraft } from '../../../src/pages/table/draft.ts';
import { TimeZone } from '../../../src/base/timeZone.ts';
import { description, words } from './builders.ts';

const { filters } = description;
const reading = { filters, zone: new TimeZone('UTC'), sent: {}, words };
const query = {
  filters: { symbol: 'x', statuses: ['CANCELED'], dateFrom: '2026-11-20T10:00:05.000Z' },
  page: 0,
  size: 20,
};

describe('the draft of the filters', () => {
  it('shows a query and reads back as the same', () => {
    const draft = draftOf(query, filters, reading.zone);
    assert.equal(draft.dateFrom, '2026-11-20T10:00:05');
    assert.deepEqual(readDraft(draft, reading), { filters: query.filters, problems: null });
  });

  it('leaves out what is empty', () => {
    const draft = { symbol: '   ', side: '', statuses: [], dateFrom: '', dateTo: '' };
    assert.deepEqual(readDraft(draft, reading).filters, {});
  });

  it('sends several choices in the order in which they are offered', () => {
    const draft = { statuses: ['CANCELED', 'EXECUTED'] };
    assert.deepEqual(readDraft(draft, reading).filters, { statuses: ['EXECUTED', 'CANCELED'] });
  });

  it('sends an instant to the second, in UTC, whatever the zone in which it was typed', () => {
    const read = readDraft({ dateFrom: '2026-11-20T10:00' }, reading);
    assert.deepEqual(read.filters, { dateFrom: '2026-11-20T10:00:00.000Z' });
    const zone = new TimeZone('Pacific/Kiritimati');
    const there = readDraft({ dateFrom: '2026-11-20T10:00' }, { ...reading, zone });
    assert.deepEqual(there.filters, { dateFrom: '2026-11-19T20:00:00.000Z' });
  });

  it('names a date that is only half filled in', () => {
    const read = readDraft({ dateTo: null }, reading);
    assert.deepEqual(read.problems, { dateTo: 'To is not a complete date and time.' });
  });

  it('takes a period of one instant and refuses one that ends before it begins', () => {
    const at = '2026-11-20T10:00';
    assert.equal(readDraft({ dateFrom: at, dateTo: at }, reading).problems, null);
    const reversed = readDraft({ dateFrom: at, dateTo: '2026-11-20T09:59:59' }, reading);
    assert.deepEqual(reversed.problems, { dateFrom: 'From is later than To.' });
  });

  it('keeps an instant that nobody touched, also where the clocks show two alike', () => {
    const zone = new TimeZone('America/New_York');
    const sent = { dateFrom: '2026-11-01T06:30:00.000Z' };
    const draft = draftOf({ ...query, filters: sent }, filters, zone);
    assert.equal(draft.dateFrom, '2026-11-01T01:30');
    assert.deepEqual(readDraft(draft, { filters, zone, sent, words }).filters, sent);
    assert.deepEqual(readDraft(draft, { filters, zone, sent: {}, words }).filters, {
      dateFrom: '2026-11-01T05:30:00.000Z',
    });
  });

  it('compares the bounds as instants, not as clocks', () => {
    const zone = new TimeZone('America/New_York');
    const sent = { dateFrom: '2026-11-01T06:30:00.000Z' };
    const draft = { dateFrom: '2026-11-01T01:30', dateTo: '2026-11-01T01:45' };
    const read = readDraft(draft, { filters, zone, sent, words });
    assert.deepEqual(read.problems, { dateFrom: 'From is later than To.' });
  });

  it('fills in the last days of the zone and leaves the other filters', () => {
    const zone = new TimeZone('Europe/Berlin');
    const now = Date.parse('2026-03-29T12:00Z');
    const draft = draftOfDays({ symbol: 'x', dateTo: null }, 1, now, zone);
    assert.deepEqual(draft, {
      symbol: 'x',
      dateFrom: '2026-03-29T00:00',
      dateTo: '2026-03-29T23:59:59',
    });
    assert.deepEqual(readDraft(draft, { ...reading, zone }).filters, {
      symbol: 'x',
      dateFrom: '2026-03-28T23:00:00.000Z',
      dateTo: '2026-03-29T21:59:59.000Z',
    });
  });
});
