import { l10n } from 'vscode';
import type { LockedFigures } from '../../account/cancelAll/cancelOutcome.ts';
import { lastReadBack, type Receipt } from '../../account/cancelAll/receipts.ts';
import { cleanText } from '../../base/cleanText.ts';
import { unknownText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { DocumentTable, Label } from '../../protocol/documentTable.ts';
import { bothSides, isLocked, type LockedSide } from '../text/lockedOrdersText.ts';
import { localized } from '../text/messageText.ts';

/** What was locked at one moment; a symbol that is missing was not locked, unless `isComplete` is false. */
type LockedThen = { readonly locked: readonly LockedFigures[]; readonly isComplete: boolean };

const unknown: LockedThen = { locked: [], isComplete: false };

/** What open orders locked before the request, and at the last read after it, per symbol and side. */
export function lockedTable(receipt: Receipt, display: Display): DocumentTable {
  const hasAfter = receipt.after.length > 0;
  const then = [lockedBefore(receipt), ...(hasAfter ? [lockedAfter(receipt)] : [])];
  const number = (label: string) => ({ label, isNumeric: true });
  return {
    title: hasAfter ? l10n.t('Locked before and after') : l10n.t('Locked before'),
    notes: [...timeNotes(receipt, display), ...notes(receipt, then)],
    columns: [
      { label: l10n.t('Symbol'), isNumeric: false },
      { label: l10n.t('Side'), isNumeric: false },
      ...[l10n.t('Size before'), l10n.t('Locked before')].map(number),
      ...(hasAfter ? [l10n.t('Size after'), l10n.t('Locked after')].map(number) : []),
    ],
    rows: rows(then, display),
  };
}

function lockedBefore({ before }: Receipt): LockedThen {
  return { locked: before.locked, isComplete: before.asOf !== null && before.unread.length === 0 };
}

function lockedAfter(receipt: Receipt): LockedThen {
  const read = lastReadBack(receipt);
  return read ? { locked: read.locked, isComplete: true } : unknown;
}

function rows(then: readonly LockedThen[], display: Display): Label[][] {
  const symbols = new Set(then.flatMap(({ locked }) => locked.map(({ symbol }) => symbol)));
  return [...symbols].flatMap((symbol) => {
    const found = then.flatMap(({ locked }) => locked.filter((one) => one.symbol === symbol));
    const sides = bothSides().filter((side) => found.some((one) => isLocked(one, side)));
    return sides.map((side) => [
      { text: cleanText(symbol, 60) },
      { text: side.label },
      ...then.flatMap((one) => figures(one, symbol, side, display)),
    ]);
  });
}

function figures(
  { locked, isComplete }: LockedThen,
  symbol: string,
  side: LockedSide,
  display: Display,
): Label[] {
  const found = locked.find((one) => one.symbol === symbol);
  const missing = isComplete ? l10n.t('none') : unknownText;
  return [side.size, side.locked].map((field) => ({
    text: found ? display.full(field, found[field]) : missing,
  }));
}

function timeNotes(receipt: Receipt, display: Display): string[] {
  const time = (at: number): string => display.timeOfDay(String(at));
  const { asOf } = receipt.before;
  const read = lastReadBack(receipt);
  const times = [
    ...(asOf === null ? [] : [l10n.t('Before: {0}.', time(asOf))]),
    ...(read ? [l10n.t('After: {0}.', time(read.at))] : []),
  ];
  return times.length === 0 ? [] : [times.join(' ')];
}

function notes({ before }: Receipt, [then, after]: readonly LockedThen[]): string[] {
  const isUnknown = before.asOf === null || (then?.isComplete === false && !then.locked.length);
  return [
    ...(before.isFresh ? [] : [l10n.t('Confirmed without current figures.')]),
    ...before.unread.map((problem) =>
      l10n.t('A record could not be read: {0}', cleanText(localized(problem))),
    ),
    ...(isUnknown ? [l10n.t('What was locked before is unknown.')] : []),
    ...(then?.isComplete && !then.locked.length ? [l10n.t('Nothing was locked before.')] : []),
    ...(after?.isComplete === false ? [l10n.t('What is still locked could not be read.')] : []),
    ...(after?.isComplete && !after.locked.length ? [l10n.t('Nothing is locked afterwards.')] : []),
  ];
}
