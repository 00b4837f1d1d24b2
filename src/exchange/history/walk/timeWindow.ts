import type { TimeRange, TimeUnit } from './historySource.ts';
import { nonEmptyWindows, type WalkContext, type TimeWindow } from './walkState.ts';

/** Earlier than any exchange of this kind: windows of a bounded length go back no further. */
export const earliestMs = Date.UTC(2009, 0, 1);

type UnitOf = (timeMs: number) => TimeUnit;

/** The range in whole units. Without `from` it is open, unless the length of windows is bounded. */
export function wholeWindow(
  { from, to }: TimeRange,
  unitOf: UnitOf,
  isBounded: boolean,
): TimeWindow {
  const begin = from ?? (isBounded ? earliestMs : null);
  return {
    from: begin === null ? null : unitOf(begin).from,
    to: edgeFrom(to, unitOf),
  };
}

export function containsUnit({ from, to }: TimeWindow, unit: number): boolean {
  return (from === null || unit >= from) && unit < to;
}

/** The first edge of a unit at this time or after it. */
function edgeFrom(timeMs: number, unitOf: UnitOf): number {
  return unitOf(timeMs - 1).to;
}

export function isOneUnit({ from, to }: TimeWindow, unitOf: UnitOf): boolean {
  return from !== null && to <= unitOf(from).to;
}

/** Two halves, older first; undefined where an open window cannot be halved further. */
export function halves(
  { from, to }: TimeWindow,
  unitOf: UnitOf,
): [TimeWindow, TimeWindow] | undefined {
  const middle = from === null ? startOf(to, unitOf) : middleOf(from, to, unitOf);
  if (middle === undefined) return undefined;
  return [
    { from, to: middle },
    { from: middle, to },
  ];
}

/** The start of the unit in the middle; units are never split. */
function middleOf(from: number, to: number, unitOf: UnitOf): number {
  const middle = unitOf(from + Math.floor((to - from) / 2)).from;
  return middle > from ? middle : unitOf(from).to;
}

function startOf(to: number, unitOf: UnitOf): number | undefined {
  return [earliestMs, 0].map((start) => unitOf(start).from).find((start) => start < to);
}

/** Where the length of ranges is bounded, open windows begin at the earliest time. */
export function boundedWindows(
  windows: readonly TimeWindow[],
  { longestMs, unitOf }: WalkContext,
): TimeWindow[] {
  const begin = longestMs === Infinity ? null : unitOf(earliestMs).from;
  return nonEmptyWindows(windows.map(({ from, to }) => ({ from: from ?? begin, to })));
}

/** Shortens the last window to the longest allowed length, or one unit; the older rest stays for later. */
export function withLastWindowShortened(
  windows: readonly TimeWindow[],
  { longestMs, unitOf }: WalkContext,
): readonly TimeWindow[] {
  const { from, to } = windows.at(-1) ?? { from: null, to: 0 };
  if (from === null || to - longestMs <= from) return windows;
  const edge = Math.min(edgeFrom(to - longestMs, unitOf), unitOf(to - 1).from);
  if (edge <= from) return windows;
  return [...windows.slice(0, -1), { from, to: edge }, { from: edge, to }];
}
