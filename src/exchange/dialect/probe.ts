import type { Findings } from './facts.ts';
import { inquireDates } from './inquireDates.ts';
import {
  inquireBeginning,
  inquireFirstPage,
  inquireSize,
  judgeSize,
  type Beginning,
} from './inquirePages.ts';
import { Inquiry, InquiryEnd, type InquiryOptions } from './inquiry.ts';
import { orderOf } from './judge.ts';

export type ProbeResult = {
  readonly findings: Findings;
  /** How many requests of the lot history were sent. */
  readonly requests: number;
};

const probed = ['firstPage', 'dates', 'dateTo', 'sort', 'maxPageSize'] as const;

/**
 * Finds out on the lot history how an exchange reads pages and dates, how it sorts and how large a
 * page may be (sections 4.3 and 4.10), with at most 7 requests. What the rows do not prove stays
 * undecided. Rejects with what `ask` throws.
 */
export async function probeDialect(options: InquiryOptions): Promise<ProbeResult> {
  const inquiry = new Inquiry(options);
  try {
    if (probed.some((entry) => !inquiry.isDecided(entry))) await inquire(inquiry);
  } catch (error) {
    if (!(error instanceof InquiryEnd)) throw error;
    inquiry.leaveOpen(error.reason, ...probed);
  }
  return { findings: inquiry.findings, requests: inquiry.requests };
}

async function inquire(inquiry: Inquiry): Promise<void> {
  const beginning = await inquireBeginning(inquiry);
  if (!beginning) {
    inquiry.leaveOpen('noRows', ...probed);
    return;
  }
  judgeOrder(inquiry, beginning);
  judgeSize(inquiry, beginning);
  await inquireFirstPage(inquiry, beginning);
  await inquireDates(inquiry, beginning);
  await inquireSize(inquiry, beginning);
}

function judgeOrder(inquiry: Inquiry, { rows }: Beginning): void {
  const order = orderOf(rows);
  if (order === undefined) inquiry.leaveOpen('tooFewTimes', 'sort');
  else inquiry.conclude('sort', order, order === 'none' ? 'timesOutOfOrder' : 'timesInOrder');
}
