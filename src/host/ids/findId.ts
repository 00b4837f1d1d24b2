import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { UserFacingError } from '../../base/errors.ts';
import type { IdPlace } from '../../ledger/ledger.ts';
import {
  idPlaces,
  recordsOf,
  type StoredId,
  type StoredRecord,
} from '../../ledger/relatedRecords.ts';
import type { AccountLedger, OpenLedger } from '../ledger/openLedger.ts';
import { setContextKey } from '../shared/contextKey.ts';
import { contextKeys } from '../shared/contributions.ts';
import { multiStepInput } from '../shared/multiStepInput.ts';
import { t } from '../shared/translate.ts';
import { idsInText, type IdInText, storedIds } from './storedIds.ts';
import { recordLine } from './storedRecords.ts';
import type { Services } from '../settings/services.ts';

/** What finding ids needs, wherever they stand. */
export type IdContext = Pick<Services, 'display' | 'log'> & {
  readonly ledger: Pick<AccountLedger, 'current' | 'onDidChange'>;
  /** Opens the panel of a record of the ledger. */
  readonly show: (record: StoredRecord) => void;
};

/** What a link of ours gives to the command. */
const storedIdSchema = v.object({
  id: v.pipe(v.string(), v.maxLength(100)),
  place: v.custom<IdPlace>((place) => idPlaces.some((each) => isDeepStrictEqual(each, place))),
});

/** Shows the row of an id: that of a link, or one that is asked for. Rejects with UserFacingError or LedgerError. */
export async function findId(context: IdContext, argument: unknown): Promise<void> {
  const { current } = context.ledger;
  if (!current) throw new UserFacingError(t('This account has no ledger.'));
  const linked = v.safeParse(storedIdSchema, argument);
  const found = linked.success ? linked.output : await askForId(current);
  if (!found) return;
  const records = await recordsOf(found, current.reader);
  if (records.length === 0) throw notFound(found.id);
  await showOne(records, context);
}

/** Shows the row of a record; of several with one id, the user chooses one. */
export async function showOne(
  records: readonly StoredRecord[],
  { display, log, show }: Pick<IdContext, 'display' | 'log' | 'show'>,
): Promise<void> {
  const items = records.map((record) => ({ label: recordLine(record, display.latest()), record }));
  const options = { title: t('Go to Order or Trade by Id'), placeHolder: severalText(records) };
  const [only] = items.length === 1 ? items : [];
  const chosen = only ?? (await vscode.window.showQuickPick(items, options));
  if (!chosen) return;
  setContextKey(log, contextKeys.hasFoundId, true);
  show(chosen.record);
}

export function severalText(records: readonly StoredRecord[]): string {
  return t('{0} records have this id', String(records.length));
}

async function askForId({ reader }: OpenLedger): Promise<StoredId | undefined> {
  const answers = await multiStepInput(() => [
    {
      name: 'id',
      title: t('Go to Order or Trade by Id'),
      prompt: t('The id of an order, a trade or a transaction, a client order id, or a UUID.'),
      validate: (text) => (namedBy(text) ? undefined : t('Enter a number or a UUID.')),
    },
  ]);
  const named = namedBy(answers?.id ?? '');
  if (!named) return undefined;
  const [found] = await storedIds([named], reader, { isCancellationRequested: false });
  if (!found) throw notFound(named.id);
  return found;
}

/** A number that is typed alone may be short. */
function namedBy(typed: string): IdInText | undefined {
  const text = typed.trim();
  const [named] = idsInText(/^\d{1,11}$/.test(text) ? `order ${text}` : text);
  return named?.id === text
    ? { ...named, kind: named.kind === 'uuid' ? 'uuid' : 'any' }
    : undefined;
}

function notFound(missing: string): UserFacingError {
  return new UserFacingError(
    t('The ledger has no order, trade or transaction with the id {0}.', missing),
  );
}
