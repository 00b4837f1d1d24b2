import { records, type FieldName, type RecordDescription, type RecordName } from '../api/fields.ts';

/** Figures of no record but computed: an estimate, a sum, percentages, times. */
const computedFields = {
  asOf: 'public',
  notional: 'private',
  total: 'private',
  distance: 'public',
  direction: 'public',
  equityFallPercent: 'public',
  criticalPercent: 'public',
  ratio: 'public',
  rows: 'public',
  complete: 'public',
  first: 'private',
  lowest: 'private',
  highest: 'private',
  seconds: 'public',
  expectedFee: 'private',
  overcharge: 'private',
  // With every digit it could tell the amount.
  impliedRate: 'private',
  tierRate: 'public',
  billedAs: 'public',
  netPl: 'private',
  funding: 'private',
  opened: 'public',
  held: 'public',
  liquidation: 'public',
  orders: 'public',
  doubt: 'private',
  judgement: 'public',
  cause: 'public',
  botRow: 'public',
  botAmount: 'private',
  botPrice: 'public',
  botFee: 'private',
  botFeeAsset: 'public',
  botPnl: 'private',
} as const satisfies Readonly<Record<string, 'private' | 'public'>>;

export type ComputedField = keyof typeof computedFields;

/** A field whose figures can be shown. */
export type DisplayField = { [Name in RecordName]: FieldName<Name> }[RecordName] | ComputedField;

/** By name, as figures are shown by the name of their field alone: one that is private in any record is hidden. */
const isPrivateByName = privacyByName();

function privacyByName(): ReadonlyMap<string, boolean> {
  const isPrivate = new Map<string, boolean>();
  const add = (name: string, privacy: 'private' | 'public'): unknown =>
    isPrivate.set(name, privacy === 'private' || isPrivate.get(name) === true);
  for (const { fields } of Object.values<RecordDescription>(records))
    for (const [name, field] of Object.entries(fields))
      if (field.kind !== 'list') add(name, field.privacy);
  for (const [name, privacy] of Object.entries(computedFields)) add(name, privacy);
  return isPrivate;
}

export function isDisplayField(name: unknown): name is DisplayField {
  return typeof name === 'string' && isPrivateByName.has(name);
}

export function isPrivateField(field: DisplayField): boolean {
  return isPrivateByName.get(field) === true;
}
