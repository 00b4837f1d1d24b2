import assert from 'node:assert/strict';
import { draftOf, readDraft } from '../../../src/pages/table/draft.ts';
import { description } from './builders.ts';

const { filters } = description;
const query = {
  filters: { symbol: 'x', statuses: ['CANCELED'], dateFrom: '2026-11-20T10:00:05.000Z' },
  page: 0,
  size: 20,
};

describe('the draft of the filters', () => {
  it('shows a query and reads back as the same', () => {
    const draft = draftOf(query, filters);
    assert.equal(draft.dateFrom, '2026-11-20T10:00:05');
    assert.deepEqual(readDraft(draft, filters), { filters: query.filters, problems: null });
  });

  it('leaves out what is empty', () => {
    const draft = { symbol: '   ', side: '', statuses: [], dateFrom: '', dateTo: '' };
    assert.deepEqual(readDraft(draft, filters).filters, {});
  });

  it('sends several choices in the order in which they are offered', () => {
    const draft = { statuses: ['CANCELED', 'EXECUTED'] };
    assert.deepEqual(readDraft(draft, filters).filters, { statuses: ['EXECUTED', 'CANCELED'] });
  });

  it('sends an instant to the second, in UTC', () => {
    const read = readDraft({ dateFrom: '2026-11-20T10:00' }, filters);
    assert.deepEqual(read.filters, { dateFrom: '2026-11-20T10:00:00.000Z' });
  });

  it('names a date that is only half filled in', () => {
    const read = readDraft({ dateTo: null }, filters);
    assert.deepEqual(read.problems, { dateTo: 'To is not a complete date and time.' });
  });

  it('takes a period of one instant and refuses one that ends before it begins', () => {
    const at = '2026-11-20T10:00';
    assert.equal(readDraft({ dateFrom: at, dateTo: at }, filters).problems, null);
    const reversed = readDraft({ dateFrom: at, dateTo: '2026-11-20T09:59:59' }, filters);
    assert.deepEqual(reversed.problems, { dateFrom: 'From is later than To.' });
  });
});
