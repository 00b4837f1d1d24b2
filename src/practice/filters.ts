/** A part of a history. Both ends, in ms since the Unix epoch, belong to it. */
export type Period = {
  readonly dateFrom?: number | undefined;
  readonly dateTo?: number | undefined;
};

/** Values that a row must have; what is undefined asks for nothing. */
export type Wanted<Row> = { readonly [Name in keyof Row]?: Row[Name] | undefined };

export function isWithin(
  time: number,
  { dateFrom = -Infinity, dateTo = Infinity }: Period,
): boolean {
  return time >= dateFrom && time <= dateTo;
}

export function hasAll<Row extends object>(row: Row, wanted: Wanted<Row>): boolean {
  const names = Object.keys(wanted) as (keyof Row)[];
  return names.every((name) => wanted[name] === undefined || wanted[name] === row[name]);
}

/** Orders rows newest first; of one moment, the higher id first. */
export function newestFirst<Row>(timeOf: (row: Row) => number, idOf: (row: Row) => bigint) {
  return (one: Row, other: Row): number => {
    const laterBy = timeOf(other) - timeOf(one);
    if (laterBy !== 0) return laterBy;
    return idOf(one) < idOf(other) ? 1 : -1;
  };
}
