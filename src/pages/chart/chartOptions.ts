import type { NumberText } from '../../base/decimal.ts';
import type { TimeZone } from '../../base/timeZone.ts';
import type { ChartData } from '../../protocol/chart.ts';

/** `detail` says what else is there. */
type OpenButton = {
  readonly series: number;
  readonly label: string;
  readonly detail: string | null;
};

/** What a chart shows of its data, and what it does. */
export type ChartOptions = {
  readonly data: ChartData;
  readonly title: string;
  /** First, last, least and greatest value in words. */
  readonly summary: string;
  /** What is hatched. */
  readonly gapLabel: string;
  /** What to do, while no point is chosen. */
  readonly hint: string;
  readonly zone: TimeZone;
  /** Whether a single series has the colours of profit and loss. */
  readonly tone: 'profit' | 'plain';
  readonly tickLabel: (value: NumberText) => string;
  /** A point with its exact values in words. */
  readonly pointText: (point: number) => string;
  /** What opens the rows of a point: a button for each series that has rows there. */
  readonly buttons: (point: number) => readonly OpenButton[];
  /** Opens the rows of a point: of one series, or of all if it is null. */
  readonly open: (point: number, series: number | null) => void;
};
