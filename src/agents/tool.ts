import * as v from 'valibot';
import { records, type AnyField, type RecordName } from '../api/fields.ts';
import { fieldsOf } from '../api/operations.ts';
import {
  operationOf,
  type LedgerHistory,
  type LedgerRecord,
  type RowPlace,
} from '../ledger/ledger.ts';
import { coverageSchema, texts, type Known, type OpenAccount } from './account.ts';
import { argument, type Asked } from './arguments.ts';

/** What a tool found, before it is shown. */
export type Found = {
  readonly known: Known;
  readonly evidence?: readonly Evidence[];
  /** Beside the rows. */
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly rows: readonly object[];
  /** Where the tool reads on after so many of these rows, which are not all; null at the end. */
  readonly placeAfter?: (count: number) => Promise<RowPlace | null>;
};

export const mostEvidence = 20;

/** A record that a figure is made of. */
export type Evidence = { readonly history: LedgerHistory; readonly id: string };

type Entries = v.ObjectEntries;

/** A question that an agent can ask of an account. */
export type Tool = {
  readonly name: string;
  readonly description: string;
  readonly input: Entries;
  readonly output: v.GenericSchema;
  find(account: OpenAccount, asked: object, place: RowPlace | null): Promise<Found>;
};

type Described<Asks extends Entries> = Pick<Tool, 'name' | 'description'> & {
  /** Beside the account and the cursor. */
  readonly asks: Asks;
  readonly facts?: Entries;
  readonly row: v.GenericSchema;
  readonly find: (
    account: OpenAccount,
    asked: Asked<Asks>,
    place: RowPlace | null,
  ) => Promise<Found>;
};

export function tool<Asks extends Entries>(described: Described<Asks>): Tool {
  const { name, description, asks, facts = {}, row, find } = described;
  const output = v.strictObject({
    ...texts('account', 'environment', 'asOf', 'cursor'),
    coverage: coverageSchema,
    truncated: v.boolean(),
    evidence: v.array(v.strictObject(texts('history', 'id'))),
    ...facts,
    rows: v.array(row),
  });
  const input = { account: argument.account, ...asks, cursor: argument.cursor };
  // It is called with arguments that were read by `input`.
  return { name, description, input, output, find };
}

/**
 * A record of any history, by the fields of the API. `otherFields` only if they were asked for, `unlistedSince` only if the
 * exchange no longer lists it.
 */
export const anyRecord = v.union(
  (['order', 'trade', 'lot', 'transaction'] as const).map((name: RecordName) => {
    const fields = Object.entries<AnyField>(records[name].fields).map(([field, { kind }]) => {
      return [field, v.nullable(kind === 'flag' ? v.boolean() : v.string())] as const;
    });
    const text = v.optional(v.string());
    return v.strictObject({
      ...Object.fromEntries(fields),
      ...{ otherFields: text, unlistedSince: text },
    });
  }),
);

export function evidenceOf(history: LedgerHistory, record: LedgerRecord): Evidence {
  const own = [...fieldsOf(operationOf(history))];
  const [idField = ''] = own.find(([, { kind, isIdentity }]) => kind === 'id' && isIdentity) ?? [];
  return { history, id: (record as unknown as Readonly<Record<string, string>>)[idField] ?? '' };
}
