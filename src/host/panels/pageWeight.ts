import { l10n } from 'vscode';
import type { Display } from '../../base/display.ts';
import { operations, type OperationName } from '../../exchange/operations.ts';
import type { RateLimitUsage } from '../../exchange/rateLimit/usage.ts';

/** `Costs weight 10; 480 of 500 left of the share`. */
export function pageWeightText(
  operation: OperationName,
  usage: RateLimitUsage,
  display: Display,
): string {
  const weight = display.count(operations[operation].weight);
  if (usage.limit === 0) return l10n.t('Costs weight {0}', weight);
  const left = display.count(leftOfShare(usage));
  const share = display.count(Math.floor(usage.ownShare));
  return l10n.t('Costs weight {0}; {1} of {2} left of the share', weight, left, share);
}

/** Whether a page may be read before the user asks for it: nothing else may have to wait for it. */
export function hasRoomToPrefetch(usage: RateLimitUsage): boolean {
  const { waiting, pausedUntil, isStateWritable, ownShare } = usage;
  const isFree = waiting === 0 && pausedUntil === undefined && isStateWritable;
  return isFree && leftOfShare(usage) > ownShare / 2;
}

function leftOfShare({ ownShare, used }: RateLimitUsage): number {
  return Math.max(0, Math.floor(ownShare - used));
}
