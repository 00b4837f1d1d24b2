import type { Frame, Window } from './state.ts';
import type { TimeRange, Unit } from './history.ts';

/** Before any exchange of this kind was: where windows of a bounded length end to go back. */
export const earliestMs = Date.UTC(2009, 0, 1);

type UnitOf = (timeMs: number) => Unit;

/** The range in whole units. Without `from` it is open, unless windows have a longest length. */
export function wholeWindow({ from, to }: TimeRange, unitOf: UnitOf, isBounded: boolean): Window {
  const begin = from ?? (isBounded ? earliestMs : null);
  return {
    from: begin === null ? null : unitOf(begin).from,
    to: edgeFrom(to, unitOf),
  };
}

export function holds({ from, to }: Window, unit: number): boolean {
  return (from === null || unit >= from) && unit < to;
}

/** The first edge of a unit at this time or after it. */
function edgeFrom(timeMs: number, unitOf: UnitOf): number {
  return unitOf(timeMs - 1).to;
}

export function isOneUnit({ from, to }: Window, unitOf: UnitOf): boolean {
  return from !== null && to <= unitOf(from).to;
}

/** The windows of these that hold anything. */
export function filled(windows: readonly Window[]): Window[] {
  return windows.filter(({ from, to }) => from === null || from < to);
}

/** Two halves, older first; undefined where an open window has nothing left to be halved. */
export function halves({ from, to }: Window, unitOf: UnitOf): [Window, Window] | undefined {
  const middle = from === null ? startOf(to, unitOf) : middleOf(from, to, unitOf);
  if (middle === undefined) return undefined;
  return [
    { from, to: middle },
    { from: middle, to },
  ];
}

/** The longer of two units holds the middle of both: it is never cut. */
function middleOf(from: number, to: number, unitOf: UnitOf): number {
  const middle = unitOf(from + Math.floor((to - from) / 2)).from;
  return middle > from ? middle : unitOf(from).to;
}

function startOf(to: number, unitOf: UnitOf): number | undefined {
  return [earliestMs, 0].map((start) => unitOf(start).from).find((start) => start < to);
}

/** Where ranges have a longest length none is open: windows begin with the earliest time, or are none. */
export function bounded(windows: readonly Window[], { longestMs, unitOf }: Frame): Window[] {
  const begin = longestMs === Infinity ? null : unitOf(earliestMs).from;
  return filled(windows.map(({ from, to }) => ({ from: from ?? begin, to })));
}

/** The last window made as short as the exchange allows, or one unit; the older rest is left for later. */
export function sliced(
  windows: readonly Window[],
  { longestMs, unitOf }: Frame,
): readonly Window[] {
  const { from, to } = windows.at(-1) ?? { from: null, to: 0 };
  if (from === null || to - longestMs <= from) return windows;
  const edge = Math.min(edgeFrom(to - longestMs, unitOf), unitOf(to - 1).from);
  if (edge <= from) return windows;
  return [...windows.slice(0, -1), { from, to: edge }, { from: edge, to }];
}
