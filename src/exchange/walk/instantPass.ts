import { createHash } from 'node:crypto';
import { unseen, type Reading, type Row } from './reading.ts';
import type { Pass } from './instantState.ts';

export const newPass: Pass = {
  ...{ first: 0, firstIds: 0, last: 0, sent: 0, rows: 0, hidden: 0, idle: 0 },
  ...{ cut: null, ids: [], print: '' },
};

/** The next page of a pass; rows outside the unit lie apart from its own where there is an order. */
export function withPage(pass: Pass, page: number, reading: Reading, isOrdered: boolean): Pass {
  const { rows, bad, outside, sent } = reading;
  const fresh = freshOf(pass, reading);
  const isFirst = page === 0;
  return {
    first: isFirst ? sent : pass.first,
    firstIds: isFirst ? fresh.length : pass.firstIds,
    last: sent > 0 ? sent : pass.last,
    sent: pass.sent + sent,
    rows: pass.rows + rows.length,
    hidden: pass.hidden + bad + (isOrdered ? 0 : outside),
    idle: sent > 0 && fresh.length === 0 ? pass.idle + 1 : 0,
    cut: cutBefore(pass, page, sent),
    ids: [...pass.ids, ...fresh.map(({ id }) => id)],
    print: printWith(pass.print, fresh),
  };
}

/** A page that shows whether the pages were all; `isDenied` where it should have had no rows. */
export function withCheck(pass: Pass, reading: Reading, isDenied: boolean): Pass {
  const ids = [...pass.ids, ...freshOf(pass, reading).map(({ id }) => id)];
  const isCut = isDenied && pass.ids.length > pass.firstIds;
  return { ...pass, ids, cut: isCut ? pass.last : pass.cut };
}

/** A page of another length than the first that rows came after: the next one begins elsewhere. */
function cutBefore({ cut, first, last, sent: before }: Pass, page: number, sent: number) {
  const isEven = sent === 0 || page === 0 || (before === page * first && sent <= first);
  return isEven ? cut : Math.min(cut ?? last, last);
}

function freshOf({ ids }: Pass, { rows }: Reading): Row[] {
  return unseen(
    rows,
    ids.map((id) => [0, id]),
  );
}

/** The print of the wanted ids so far and these, in their order. */
function printWith(print: string, rows: readonly Row[]): string {
  return rows
    .filter(({ isWanted }) => isWanted)
    .reduce((last, { id }) => createHash('sha256').update(`${last} ${id}`).digest('hex'), print);
}
