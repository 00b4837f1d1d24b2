import * as v from 'valibot';
import { l10n } from 'vscode';
import { autoDialect } from '../../exchange/dialect/dialect.ts';
import { choice, noList, objectCure } from './schemaParts.ts';

const auto = 'auto';
const mostOfAll = 100_000;

/** The field `dialect` of a profile: each entry a value, or `auto` for what the exchange shows. */
export const dialectSchema = v.pipe(
  noList(),
  v.strictObject(
    {
      firstPage: v.optional(choice([auto, 0, 1]), autoDialect.firstPage),
      dates: v.optional(
        choice([auto, 'epochMs', 'epochS', 'isoInstant', 'isoLocal', 'isoDate']),
        autoDialect.dates,
      ),
      lists: v.optional(choice([auto, 'repeat', 'comma', 'brackets']), autoDialect.lists),
      maxPageSize: v.optional(bound(rowsCure), autoDialect.maxPageSize),
      maxRangeDays: v.optional(bound(daysCure), autoDialect.maxRangeDays),
      sort: v.optional(choice([auto, 'newestFirst', 'oldestFirst', 'none']), autoDialect.sort),
      dateTo: v.optional(choice([auto, 'inclusive', 'exclusive']), autoDialect.dateTo),
      overLimitStatuses: v.optional(statuses(), autoDialect.overLimitStatuses),
    },
    objectCure,
  ),
);

function rowsCure(): string {
  const most = mostOfAll;
  return l10n.t('write "auto", a whole number of rows from 1 to {0}, or null for no bound.', most);
}

function daysCure(): string {
  const most = mostOfAll;
  return l10n.t('write "auto", a whole number of days from 1 to {0}, or null for no bound.', most);
}

/** How many at most; null for no bound. */
function bound(cure: () => string) {
  const isBound = (value: unknown): boolean =>
    value === auto || value === null || isWhole(value, 1, mostOfAll);
  return v.custom<typeof auto | number | null>(isBound, cure);
}

function statuses() {
  const cure = (): string =>
    l10n.t(
      'write "auto" or a list of different HTTP statuses from 400 to 599, such as [429, 418].',
    );
  const isList = (value: unknown): boolean =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one) => isWhole(one, 400, 599)) &&
    new Set(value).size === value.length;
  return v.custom<typeof auto | readonly number[]>(
    (value) => value === auto || isList(value),
    cure,
  );
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}
