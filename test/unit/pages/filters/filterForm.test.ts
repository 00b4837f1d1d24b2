import assert from 'node:assert/strict';
import { formValue, parseForm } from '../../../../src/pages/table/state/filterForm.ts';
import { aDisplay } from '../../../support/display.ts';
import { description, firstQuery, texts } from '../builders.ts';

const { filters } = description;
type Form = Parameters<typeof parseForm>[1];
/** A form without applied filters. */
const formOf = (formValues: Form['formValues'], changes: Partial<Form> = {}): Form => ({
  formValues,
  query: firstQuery,
  display: aDisplay(),
  texts,
  ...changes,
});
const parse = (...form: Parameters<typeof formOf>) => parseForm(filters, formOf(...form));
const inZone = (timeZone: string) => ({ display: aDisplay({ timeZone }) });
const shownIn = (form: Form) =>
  Object.fromEntries(filters.map((filter) => [filter.parameter, formValue(filter, form)]));

describe('the filter form', () => {
  it('shows what is applied, and is parsed to the same filters', () => {
    const applied = {
      symbol: 'x',
      statuses: ['CANCELED'],
      dateFrom: '2026-11-20T10:00:05.000Z',
    };
    const query = { ...firstQuery, filters: applied };
    const values = shownIn(formOf({}, { query }));
    assert.equal(values.dateFrom, '2026-11-20T10:00:05');
    for (const typed of [{}, values])
      assert.deepEqual(parse(typed, { query }), { filters: applied, fieldErrors: null });
    assert.deepEqual(parse(values).filters, applied);
  });

  it('leaves out empty values', () => {
    const values = { symbol: '   ', side: '', statuses: [], dateFrom: '', dateTo: '' };
    assert.deepEqual(parse(values).filters, {});
  });

  it('sends several choices in the order of the options', () => {
    const values = { statuses: ['CANCELED', 'EXECUTED'] };
    assert.deepEqual(parse(values).filters, { statuses: ['EXECUTED', 'CANCELED'] });
  });

  it('rejects what is no date', () => {
    const parsed = parse({ dateTo: '20.11.2026' });
    const sentence = 'To is not a date. Enter it as 2026-11-20 or 2026-11-20T10:00.';
    assert.deepEqual(parsed.fieldErrors, { dateTo: sentence });
  });

  it('reads a day without a time as the whole day, of whatever length', () => {
    const day = { dateFrom: '2026-11-01', dateTo: '2026-11-01' };
    assert.deepEqual(parse(day, inZone('America/New_York')).filters, {
      dateFrom: '2026-11-01T04:00:00.000Z',
      dateTo: '2026-11-02T04:59:59.000Z',
    });
  });

  it('accepts a period of one instant and rejects one that ends before it starts', () => {
    const at = '2026-11-20T10:00';
    assert.equal(parse({ dateFrom: at, dateTo: at }).fieldErrors, null);
    const reversed = parse({ dateFrom: at, dateTo: '2026-11-20T09:59:59' });
    assert.deepEqual(reversed.fieldErrors, { dateFrom: 'From is later than To.' });
  });

  const query = { ...firstQuery, filters: { dateFrom: '2026-11-01T06:30:00.000Z' } };
  const applied = { query, ...inZone('America/New_York') };

  it('keeps an unedited instant, even if two instants look the same', () => {
    const values = shownIn(formOf({}, applied));
    assert.equal(values.dateFrom, '2026-11-01T01:30');
    assert.deepEqual(parse(values, applied).filters, query.filters);
    assert.deepEqual(parse(values, inZone('America/New_York')).filters, {
      dateFrom: '2026-11-01T05:30:00.000Z',
    });
  });

  it('compares the ends of a period as instants', () => {
    const parsed = parse({ dateFrom: '2026-11-01T01:30', dateTo: '2026-11-01T01:45' }, applied);
    assert.deepEqual(parsed.fieldErrors, { dateFrom: 'From is later than To.' });
  });
});
