import type { Interval } from '../../base/interval.ts';
import {
  fieldsOf,
  historyNames,
  type HistoryName,
  type operations,
  type ParameterName,
} from '../../api/operations.ts';
import { sortedByName } from '../../base/exactJson.ts';
import { parseTimestampMs } from '../../base/time.ts';
import type { ApiRecord } from '../records.ts';

export type HistoryRecord = RecordOf[HistoryName];

/**
 * Everything that a record says: two records may share id and time. The order of the fields that the API does
 * not name says nothing, and may be another one in each answer.
 */
export function contentOf(record: HistoryRecord): string {
  const { extra } = record;
  const isPlain = Object.keys(extra).length === 0;
  return JSON.stringify(isPlain ? record : { ...record, extra: sortedByName(extra) });
}

/**
 * Whether records of a history change, an order until it ends, a lot until its auction ends: then their time does
 * not tell them apart.
 */
export function hasChangingRecords(history: HistoryName): boolean {
  return !timeFieldsOf(history).some(([, { isIdentity }]) => isIdentity);
}

function timeFieldsOf(history: HistoryName) {
  return [...fieldsOf(history)].filter(([, { kind }]) => kind === 'time');
}

const timeFields = new Set(historyNames.flatMap(timeFieldsOf).map(([name]) => name));

/** A record's own time in epoch milliseconds; undefined if it cannot be read. */
export function timeOf(item: object): number | undefined {
  for (const name of timeFields) {
    const text = (item as Readonly<Record<string, unknown>>)[name];
    if (typeof text === 'string') return parseTimestampMs(text);
  }
  return undefined;
}

export type RecordOf = {
  readonly [Name in HistoryName]: ApiRecord<(typeof operations)[Name]['of']>;
};

/** What the rows of a history are filtered by: each filter of its operation, and nothing else. */
export type HistoryFilters<Name extends HistoryName = HistoryName> = Name extends unknown
  ? {
      readonly [Each in ParameterName<Name>]?: FilterValue<Name, Each> | undefined;
    } & {
      readonly [Each in ParameterName<Name, { readonly isRequired: true }>]: FilterValue<
        Name,
        Each
      >;
    }
  : never;
type FilterValue<
  Name extends HistoryName,
  Parameter extends keyof (typeof operations)[Name]['parameters'],
> = (typeof operations)[Name]['parameters'][Parameter] extends { readonly kind: 'list' }
  ? readonly string[]
  : (typeof operations)[Name]['parameters'][Parameter] extends {
        readonly values: readonly (infer Value)[];
      }
    ? Value
    : string;

/** One of the four histories with its filters. */
export type HistorySelection<Name extends HistoryName = HistoryName> = {
  readonly [Each in Name]: { readonly operation: Each; readonly filters: HistoryFilters<Each> };
}[Name];

export type HistoryRequest<Name extends HistoryName = HistoryName> = {
  readonly operation: Name;
  readonly filters: HistoryFilters<Name>;
  readonly period: Interval;
  /** Counted from 0. */
  readonly page: number;
  readonly size?: number | undefined;
};
