import * as v from 'valibot';
import { autoDialect } from '../../exchange/dialect/dialect.ts';
import { choice, noList, objectCure } from './schemaParts.ts';

const auto = 'auto';

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
      maxPageSize: v.optional(bound('rows'), autoDialect.maxPageSize),
      maxRangeDays: v.optional(bound('days'), autoDialect.maxRangeDays),
      sort: v.optional(choice([auto, 'newestFirst', 'oldestFirst', 'none']), autoDialect.sort),
      dateTo: v.optional(choice([auto, 'inclusive', 'exclusive']), autoDialect.dateTo),
      overLimitStatuses: v.optional(statuses(), autoDialect.overLimitStatuses),
    },
    objectCure,
  ),
);

const mostOfAll = 100_000;

/** How many at most; null for no bound. */
function bound(of: string) {
  const cure = `write "auto", a whole number of ${of} from 1 to ${mostOfAll}, or null for no bound.`;
  const whole = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostOfAll));
  return v.union([v.literal(auto), v.null(), whole], cure);
}

function statuses() {
  const cure = 'write "auto" or a list of different HTTP statuses from 400 to 599, such as [429, 418].';
  const status = v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599));
  const list = v.pipe(
    v.array(status),
    v.minLength(1),
    v.check((all) => new Set(all).size === all.length),
  );
  return v.union([v.literal(auto), list], cure);
}
