import * as v from 'valibot';
import { accountTypes } from '../api/operations.ts';
import { always, type Interval } from '../base/interval.ts';
import { isTimeZone } from '../base/timeZone.ts';
import { ledgerHistoryNames, type LedgerReader } from '../ledger/ledger.ts';
import { idPlaces } from '../ledger/relatedRecords.ts';

type RefusalCode = 'invalidInput' | 'notAllowed' | 'noLedger' | 'unavailable';

/** Why a question is not answered. Its message has no path, and no text of the question or the ledger. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  /** The argument that is wrong. */
  readonly field: string | null;

  constructor(code: RefusalCode, message: string, field: string | null = null) {
    super(message);
    this.code = code;
    this.field = field;
  }
}

const momentShape = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

function isMoment(text: string): boolean {
  const [, year = '', month = '', day = ''] = momentShape.exec(text) ?? [];
  // JavaScript would take 31 June for 1 July.
  const isDay = new Date(Date.UTC(+year, +month - 1, +day)).getUTCDate() === Number(day);
  return isDay && !Number.isNaN(Date.parse(text));
}

function moment(meaning: string) {
  return v.optional(
    v.pipe(
      v.string(),
      v.check(isMoment),
      v.transform((text) => Date.parse(text)),
      v.description(`${meaning}, ISO 8601 with zone, up to 3 decimals: 2026-11-01T00:00:00Z`),
    ),
  );
}

const shortText = v.pipe(v.string(), v.minLength(1), v.maxLength(200));

/** Of a number that JSON rounds, the digits are lost. */
function idText(meaning: string) {
  const id = v.union([shortText, v.pipe(v.number(), v.safeInteger(), v.minValue(0))]);
  return v.pipe(id, v.transform(String), v.description(`${meaning}, as text`));
}

/** What several tools ask. A refusal says the description as well. */
export const argument = {
  account: v.pipe(v.string(), v.description('From list_accounts')),
  from: moment('Start'),
  to: moment('End, exclusive'),
  cursor: v.optional(
    v.pipe(v.string(), v.description('From the answer before, with its arguments')),
  ),
  id: idText('Id of an order, trade or transaction, client order id or UUID'),
  orderId: v.optional(idText('Id of an order')),
  history: v.pipe(v.picklist(ledgerHistoryNames), v.description('Which records')),
  accountType: v.optional(
    v.pipe(v.picklist(accountTypes), v.description('Of cash and cashFlow')),
    'FUTURE',
  ),
  zone: v.optional(
    v.pipe(v.string(), v.check(isTimeZone), v.description('IANA zone of days: Europe/Berlin')),
    'UTC',
  ),
  limit: v.optional(
    v.pipe(
      v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,3}$/), v.transform(Number))]),
      v.integer(),
      v.minValue(1),
      v.maxValue(200),
      v.description('Rows, 1 to 200'),
    ),
    50,
  ),
  hasOtherFields: v.optional(
    v.pipe(v.boolean(), v.description('With fields that the API does not name')),
    false,
  ),
};

/** What names a record; the same id may be in several histories. */
export const recordAsks = {
  id: argument.id,
  history: v.optional(v.picklist([...new Set(idPlaces.map(({ history }) => history))])),
};

/** Where the ledger has the id; undefined if nowhere. */
export async function placeOf(
  { id, history }: Asked<typeof recordAsks>,
  reader: Pick<LedgerReader, 'findIds'>,
) {
  const places = idPlaces.filter((place) => history === undefined || place.history === history);
  const found = await reader.findIds(places, [id]);
  return places[found[0] ?? -1];
}

export function wordArgument(meaning: string) {
  return v.optional(v.pipe(shortText, v.description(meaning)));
}

export function periodOf({ from, to }: { from?: number | undefined; to?: number | undefined }) {
  const period: Interval = {
    from: Math.max(from ?? always.from, always.from),
    to: to ?? always.to,
  };
  if (period.from >= period.to) refuse('to', 'later than from');
  return period;
}

/** Throws a Refusal of a period where there is none: it is only of something else. */
export function refusePeriod(ends: Parameters<typeof periodOf>[0], of: string): void {
  for (const name of ['from', 'to'] as const)
    if (ends[name] !== undefined) refuse(name, `only of ${of}`);
}

/** Throws a Refusal of an argument, with its right form. */
export function refuse(field: string, form: string): never {
  throw new Refusal('invalidInput', `${field}: ${form}.`, field);
}

/** Arguments, as they were read. */
export type Asked<Entries extends v.ObjectEntries> = v.InferOutput<
  v.StrictObjectSchema<Entries, undefined>
>;

/** Some clients send null for what they leave out. */
function withoutNull(given: unknown): unknown {
  if (typeof given !== 'object' || Array.isArray(given)) return given ?? {};
  return Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== null));
}

/** The arguments of a question. Throws a Refusal that names a wrong one and its right form. */
export function readArguments<Entries extends v.ObjectEntries>(
  entries: Entries,
  given: unknown,
): Asked<Entries> {
  const result = v.safeParse(v.strictObject(entries), withoutNull(given), { abortEarly: true });
  if (result.success) return result.output;
  const [{ path: [{ key } = { key: '' }] = [], expected, received }] = result.issues;
  const field = Object.keys(entries).find((name) => name === key);
  const schema = field === undefined ? undefined : (entries[field] as v.GenericSchema);
  if (field === undefined || !schema) {
    const names = Object.keys(entries).join(', ');
    const wrong = typeof key === 'string' && /^[A-Za-z]{1,30}$/.test(key) ? key : null;
    throw new Refusal('invalidInput', `Arguments of this tool: ${names || 'none'}.`, wrong);
  }
  const inner = 'wrapped' in schema ? (schema.wrapped as v.GenericSchema) : schema;
  // Of one that is missing, valibot expects its name.
  const form = received === 'undefined' ? inner.expects : expected;
  refuse(field, [v.getDescription(inner), form].filter(Boolean).join('; '));
}
