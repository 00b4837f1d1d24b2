import { l10n } from 'vscode';
import type { Display } from '../../base/display.ts';
import { minuteMs } from '../../base/time.ts';

export function rowCountText(rows: number, display: Display): string {
  return rows === 1 ? l10n.t('1 row') : l10n.t('{0} rows', display.count(rows));
}

/** What something costs, in a unit that is the same on every exchange. */
export function requestsText(requests: number, display: Display): string {
  return requests === 1 ? l10n.t('1 request') : l10n.t('{0} requests', display.count(requests));
}

export function timeLeftText(leftMs: number, display: Display): string {
  const minutes = Math.ceil(leftMs / minuteMs);
  if (minutes <= 1) return l10n.t('less than a minute left');
  if (minutes < 120) return l10n.t('about {0} min left', display.count(minutes));
  return l10n.t('about {0} h left', display.count(Math.ceil(minutes / 60)));
}
