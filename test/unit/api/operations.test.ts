import assert from 'node:assert/strict';
import { records } from '../../../src/api/fields.ts';
import {
  historyNames,
  operations,
  type FilterField,
  type FilterParameter,
  type Parameter,
} from '../../../src/api/operations.ts';
import { ledgerHistories } from '../../../src/ledger/ledger.ts';

/** These compile only as long as each marked line is an error. */
export const typeErrors = {
  // @ts-expect-error A filter takes text: no page could send a number.
  kind: { kind: 'integer', field: 'orderId' } satisfies Parameter,
  // @ts-expect-error A filter that does not say which field shows it.
  unverified: { kind: 'text' } satisfies Parameter,
  field: {
    kind: 'text',
    // @ts-expect-error A field that the record does not have.
    field: 'asset',
  } satisfies FilterParameter<FilterField<'trade'>>,
  number: {
    kind: 'text',
    // @ts-expect-error A number, of which a row may show 10.0 for 10.
    field: 'price',
  } satisfies FilterParameter<FilterField<'trade'>>,
};

describe('the operations of the API', () => {
  for (const name of historyNames) {
    const { of, parameters } = operations[name];
    const filters = Object.entries<Parameter>(parameters).flatMap(([parameter, description]) =>
      'field' in description ? [{ parameter, ...description }] : [],
    );

    it(`verify a filter of ${name} by the field of its name`, () => {
      for (const { parameter, field } of filters)
        if (Object.hasOwn(records[of].fields, parameter)) assert.equal(field, parameter);
    });

    it(`have values for a filter of ${name} that is required`, () => {
      for (const { isRequired, values } of filters)
        assert.equal(isRequired === true, values !== undefined);
    });

    it(`leave no filter of ${name} to the ledger that its histories do not separate`, () => {
      const separated = Object.values(ledgerHistories).flatMap(({ filters: own }) =>
        Object.keys(own),
      );
      for (const { parameter, field } of filters)
        if (field === null) assert.ok(separated.includes(parameter));
    });
  }
});
