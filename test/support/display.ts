import { Display, type DisplaySettings } from '../../src/base/display.ts';

/** A display in UTC and English that hides nothing: a test names only what it is about. */
export function aDisplay(settings: Partial<DisplaySettings> = {}): Display {
  return new Display({
    hidesMoney: false,
    digits: 'compact',
    timeZone: 'UTC',
    otherTimeZone: 'UTC',
    locale: 'en',
    ...settings,
  });
}
