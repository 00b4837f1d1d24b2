import type { Frame, Window } from './state.ts';
import type { TimeRange } from './history.ts';

/** Before any exchange of this kind was: where windows of a bounded length end to go back. */
export const earliestMs = Date.UTC(2009, 0, 1);

export function unitOf(timeMs: number, unitMs: number): number {
  return Math.floor(timeMs / unitMs) * unitMs;
}

/** The range in whole units. Without `from` it is open, unless windows have a longest length. */
export function wholeWindow({ from, to }: TimeRange, unitMs: number, isBounded: boolean): Window {
  const begin = from ?? (isBounded ? earliestMs : null);
  return {
    from: begin === null ? null : unitOf(begin, unitMs),
    to: Math.ceil(to / unitMs) * unitMs,
  };
}

export function holds({ from, to }: Window, unit: number): boolean {
  return (from === null || unit >= from) && unit < to;
}

export function isOneUnit({ from, to }: Window, unitMs: number): boolean {
  return from !== null && to - from <= unitMs;
}

/** The windows of these that hold anything. */
export function filled(windows: readonly Window[]): Window[] {
  return windows.filter(({ from, to }) => from === null || from < to);
}

/** Two halves, older first; undefined where an open window has nothing left to be halved. */
export function halves({ from, to }: Window, unitMs: number): [Window, Window] | undefined {
  const middle = from === null ? startOf(to, unitMs) : unitOf(from + (to - from) / 2, unitMs);
  if (middle === undefined) return undefined;
  return [
    { from, to: middle },
    { from: middle, to },
  ];
}

function startOf(to: number, unitMs: number): number | undefined {
  return [earliestMs, 0].map((start) => unitOf(start, unitMs)).find((start) => start < to);
}

/** The last window made as short as the exchange allows; the older rest is left for later. */
export function sliced(windows: readonly Window[], { longestMs }: Frame): readonly Window[] {
  const { from, to } = windows.at(-1) ?? { from: null, to: 0 };
  const edge = to - longestMs;
  if (from === null || edge <= from) return windows;
  return [...windows.slice(0, -1), { from, to: edge }, { from: edge, to }];
}
