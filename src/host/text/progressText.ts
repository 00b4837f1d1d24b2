import type { Display } from '../../base/display.ts';
import { minuteMs } from '../../base/time.ts';
import { t } from '../shared/translate.ts';

export function rowCountText(rows: number, display: Display): string {
  return rows === 1 ? t('1 row') : t('{0} rows', display.count(rows));
}

/** What something costs, in a unit that is the same on every exchange. */
export function requestsText(requests: number, display: Display): string {
  return requests === 1 ? t('1 request') : t('{0} requests', display.count(requests));
}

export function timeLeftText(leftMs: number, display: Display): string {
  const minutes = Math.ceil(leftMs / minuteMs);
  if (minutes <= 1) return t('less than a minute left');
  if (minutes < 120) return t('about {0} min left', display.count(minutes));
  return t('about {0} h left', display.count(Math.ceil(minutes / 60)));
}
