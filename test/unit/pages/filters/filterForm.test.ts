import assert from 'node:assert/strict';
import { TimeZone } from '../../../../src/base/timeZone.ts';
import { parseForm, toFormValues } from '../../../../src/pages/table/state/filterForm.ts';
import { description, texts } from '../builders.ts';

const { filters } = description;
const context = { filters, zone: new TimeZone('UTC'), appliedFilters: {}, texts };
const query = {
  filters: { symbol: 'x', statuses: ['CANCELED'], dateFrom: '2026-11-20T10:00:05.000Z' },
  page: 0,
  size: 20,
};

describe('the filter form', () => {
  it('is filled from a query and parsed to the same filters', () => {
    const values = toFormValues(query, filters, context.zone);
    assert.equal(values.dateFrom, '2026-11-20T10:00:05');
    assert.deepEqual(parseForm(values, context), { filters: query.filters, fieldErrors: null });
  });

  it('leaves out empty values', () => {
    const values = { symbol: '   ', side: '', statuses: [], dateFrom: '', dateTo: '' };
    assert.deepEqual(parseForm(values, context).filters, {});
  });

  it('sends several choices in the order of the options', () => {
    const values = { statuses: ['CANCELED', 'EXECUTED'] };
    assert.deepEqual(parseForm(values, context).filters, { statuses: ['EXECUTED', 'CANCELED'] });
  });

  it('sends dates in UTC for every time zone of the form', () => {
    const parsed = parseForm({ dateFrom: '2026-11-20T10:00' }, context);
    assert.deepEqual(parsed.filters, { dateFrom: '2026-11-20T10:00:00.000Z' });
    const zone = new TimeZone('Pacific/Kiritimati');
    const there = parseForm({ dateFrom: '2026-11-20T10:00' }, { ...context, zone });
    assert.deepEqual(there.filters, { dateFrom: '2026-11-19T20:00:00.000Z' });
  });

  it('rejects what is no date', () => {
    const parsed = parseForm({ dateTo: '20.11.2026' }, context);
    const sentence = 'To is not a date. Enter it as 2026-11-20 or 2026-11-20T10:00.';
    assert.deepEqual(parsed.fieldErrors, { dateTo: sentence });
  });

  it('reads a day without a time as the whole day, of whatever length', () => {
    const zone = new TimeZone('America/New_York');
    const day = { dateFrom: '2026-11-01', dateTo: '2026-11-01' };
    assert.deepEqual(parseForm(day, { ...context, zone }).filters, {
      dateFrom: '2026-11-01T04:00:00.000Z',
      dateTo: '2026-11-02T04:59:59.000Z',
    });
  });

  it('accepts a period of one instant and rejects one that ends before it starts', () => {
    const at = '2026-11-20T10:00';
    assert.equal(parseForm({ dateFrom: at, dateTo: at }, context).fieldErrors, null);
    const reversed = parseForm({ dateFrom: at, dateTo: '2026-11-20T09:59:59' }, context);
    assert.deepEqual(reversed.fieldErrors, { dateFrom: 'From is later than To.' });
  });

  it('keeps an unedited instant, even if two instants look the same', () => {
    const zone = new TimeZone('America/New_York');
    const appliedFilters = { dateFrom: '2026-11-01T06:30:00.000Z' };
    const values = toFormValues({ ...query, filters: appliedFilters }, filters, zone);
    assert.equal(values.dateFrom, '2026-11-01T01:30');
    assert.deepEqual(
      parseForm(values, { filters, zone, appliedFilters, texts }).filters,
      appliedFilters,
    );
    assert.deepEqual(parseForm(values, { filters, zone, appliedFilters: {}, texts }).filters, {
      dateFrom: '2026-11-01T05:30:00.000Z',
    });
  });

  it('compares the ends of a period as instants', () => {
    const zone = new TimeZone('America/New_York');
    const appliedFilters = { dateFrom: '2026-11-01T06:30:00.000Z' };
    const values = { dateFrom: '2026-11-01T01:30', dateTo: '2026-11-01T01:45' };
    const parsed = parseForm(values, { filters, zone, appliedFilters, texts });
    assert.deepEqual(parsed.fieldErrors, { dateFrom: 'From is later than To.' });
  });
});
