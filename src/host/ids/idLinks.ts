import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Display } from '../../base/display.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { UserFacingError } from '../../base/errors.ts';
import type { IdPlace, LedgerReader } from '../../ledger/ledger.ts';
import {
  idPlaces,
  recordsOf,
  relatedTo,
  type StoredId,
  type StoredRecord,
} from '../../ledger/relatedRecords.ts';
import type { FeatureContext } from '../feature/context.ts';
import type { AccountLedger, OpenLedger } from '../ledger/openLedger.ts';
import type { Services } from '../settings/services.ts';
import { settingValue } from '../settings/settingValues.ts';
import { onDidChangeSetting } from '../settings/settings.ts';
import { setContextKey } from '../shared/contextKey.ts';
import { commands, contextKeys } from '../shared/contributions.ts';
import { multiStepInput } from '../shared/multiStepInput.ts';
import { t } from '../shared/translate.ts';
import { appendLinks, appendTable } from '../text/hoverTable.ts';
import { idsInText, storedIds, type IdInText } from './storedIds.ts';
import { recordLine, relatedColumns, relatedRows } from './storedRecords.ts';

export function registerIds(context: FeatureContext, needs: Pick<IdContext, 'ledger' | 'show'>) {
  const ids = { ...context, ...needs };
  context.add(new IdLinks(ids));
  return { [commands.findId]: (argument: unknown) => findId(ids, argument) };
}

/**
 * Makes links of the ids in terminals and editors that the ledger of the open account has. While there is no
 * ledger, the folder is not trusted, or the setting is off, nothing is registered.
 */
class IdLinks implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly context: IdContext;
  private registered: vscode.Disposable | undefined;

  constructor(context: IdContext) {
    this.context = context;
    const follow = (): void => this.follow();
    this.disposables.add(context.ledger.onDidChange(follow));
    this.disposables.add(onDidChangeSetting(['marginDesk.ledger.linkIds'], follow));
    this.disposables.add(vscode.workspace.onDidGrantWorkspaceTrust(follow));
    this.follow();
  }

  dispose(): void {
    this.disposables.dispose();
    this.registered?.dispose();
  }

  /** Registered again for another ledger: VS Code then asks for the links of open documents. */
  private follow(): void {
    this.registered?.dispose();
    const { current } = this.context.ledger;
    const isWanted = vscode.workspace.isTrusted && settingValue('marginDesk.ledger.linkIds');
    this.registered = current && isWanted ? this.register() : undefined;
  }

  private register(): vscode.Disposable {
    const { context } = this;
    return vscode.Disposable.from(
      vscode.window.registerTerminalLinkProvider(terminalIds(context)),
      vscode.languages.registerDocumentLinkProvider('*', {
        provideDocumentLinks: (document, token) =>
          ifReadable(context, [], (reader) => linksOf(document, reader, token)),
      }),
      vscode.languages.registerHoverProvider('*', {
        provideHover: (document, position, token) =>
          ifReadable(context, undefined, (reader) =>
            hoverOf(document, position, { ...context, reader }, token),
          ),
      }),
    );
  }
}

/** What `read` gives; `otherwise` without a ledger, or if it cannot be read, which the log then says. */
async function ifReadable<Result>(
  { ledger, log }: IdContext,
  otherwise: Result,
  read: (reader: LedgerReader) => Promise<Result>,
): Promise<Result> {
  try {
    return ledger.current ? await read(ledger.current.reader) : otherwise;
  } catch (error) {
    log.failure('looking for ids', error);
    return otherwise;
  }
}

/** More than an id and the word before it, on either side. */
const mostAround = 200;

/** The hover of an id in a document of any length: what belongs to its record. */
async function hoverOf(
  document: vscode.TextDocument,
  { line, character }: vscode.Position,
  { reader, display }: IdContext & { readonly reader: LedgerReader },
  token: vscode.CancellationToken,
): Promise<vscode.Hover | undefined> {
  const from = Math.max(0, character - mostAround);
  const text = document.getText(new vscode.Range(line, from, line, character + mostAround));
  const at = character - from;
  const named = idsInText(text).filter(({ start, end }) => start <= at && at <= end);
  const [found] = await storedIds(named, reader, token);
  const records = found ? await recordsOf(found, reader) : [];
  if (!found || records.length === 0) return undefined;
  const related = await Promise.all(records.map((record) => relatedTo(record, reader)));
  const rows = related.flatMap((each) => relatedRows(each, display.latest()));
  const range = new vscode.Range(line, from + found.start, line, from + found.end);
  const markdown = new vscode.MarkdownString();
  appendTable(markdown, relatedColumns(related), rows);
  // VS Code shows the link of the document below the hover.
  if (!hasLinks(document)) appendShowRow(markdown, found);
  return new vscode.Hover(markdown, range);
}

function appendShowRow(markdown: vscode.MarkdownString, { id, place }: StoredId): void {
  const title = t('Show Row');
  appendLinks(markdown, [{ title, command: commands.findId, argument: { id, place } }]);
}

/** A longer document has hovers only: VS Code asks again for its links after each change. */
const mostCharacters = 2 ** 20;

async function linksOf(
  document: vscode.TextDocument,
  reader: LedgerReader,
  token: vscode.CancellationToken,
): Promise<vscode.DocumentLink[]> {
  if (!hasLinks(document)) return [];
  const { version } = document;
  const found = await storedIds(idsInText(document.getText()), reader, token);
  if (document.version !== version) return [];
  return found.map(({ id, place, start, end }) => {
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    const argument = encodeURIComponent(JSON.stringify([{ id, place }]));
    const link = new vscode.DocumentLink(
      range,
      vscode.Uri.parse(`command:${commands.findId}?${argument}`),
    );
    link.tooltip = t('Show Row');
    return link;
  });
}

/** Whether a document is short enough to have links. Does not make its text. */
function hasLinks(document: vscode.TextDocument): boolean {
  const end = document.lineAt(document.lineCount - 1).range.end;
  return document.offsetAt(end) <= mostCharacters;
}

type IdLink = vscode.TerminalLink & { readonly records: readonly StoredRecord[] };

/** Nobody reads a longer line. */
const mostLinks = 20;

/** The links of a terminal. VS Code asks for those of the line under the mouse. */
export function terminalIds(context: IdContext) {
  return {
    provideTerminalLinks: (
      { line }: Pick<vscode.TerminalLinkContext, 'line'>,
      token: vscode.CancellationToken,
    ) =>
      ifReadable<IdLink[]>(context, [], async (reader) => {
        const found = await storedIds(idsInText(line), reader, token);
        const display = context.display.latest();
        const links = found.slice(0, mostLinks).map(async ({ start, end, ...each }) => {
          const records = await recordsOf(each, reader);
          return linksTo(records, { startIndex: start, length: end - start }, display);
        });
        return (await Promise.all(links)).flat();
      }),
    handleTerminalLink: ({ records }: IdLink) => showOne(records, context),
  };
}

function linksTo(
  records: readonly StoredRecord[],
  place: Pick<IdLink, 'startIndex' | 'length'>,
  display: Display,
): IdLink[] {
  const [record] = records;
  if (!record) return [];
  const tooltip = records.length > 1 ? severalText(records) : recordLine(record, display);
  return [{ ...place, tooltip, records }];
}

/** What finding ids needs, wherever they stand. */
type IdContext = Pick<Services, 'display' | 'log'> & {
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
async function findId(context: IdContext, argument: unknown): Promise<void> {
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
async function showOne(
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

function severalText(records: readonly StoredRecord[]): string {
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
