import { l10n } from 'vscode';
import { isTimeZone } from '../base/timeZone.ts';
import { settingRanges, settings } from './contributions.ts';
import { userValue, type SettingKey } from './userValue.ts';

type Rule<Value> = {
  takes(value: unknown): value is Value;
  /** What a person is told of a value that it does not take. */
  warning(key: RuledKey): string;
};

/** Names of `fetchers`. */
const carriers = ['vscode', 'node-fetch'] as const;
const statusBarPlaces = ['left', 'right', 'hidden'] as const;
export type StatusBarPlace = (typeof statusBarPlaces)[number];

/**
 * What each setting takes; anything else counts as its default. The profiles are judged one by one
 * where they are read, and the two percentages of danger together.
 */
export const settingRules = {
  'marginDesk.defaultProfile': profileName(),
  'marginDesk.http': oneOf(carriers),
  'marginDesk.weightShare': share(),
  'marginDesk.confirmByTyping': flag(),
  'marginDesk.timeZone': timeZone(),
  'marginDesk.pollSeconds.focused': ranged('marginDesk.pollSeconds.focused'),
  'marginDesk.pollSeconds.unfocused': ranged('marginDesk.pollSeconds.unfocused'),
  'marginDesk.alerts.positions': flag(),
  'marginDesk.alerts.liquidations': flag(),
  'marginDesk.alerts.equity': flag(),
  'marginDesk.alerts.equityFallPercent': ranged('marginDesk.alerts.equityFallPercent'),
  'marginDesk.alerts.connection': flag(),
  'marginDesk.statusBarAlignment': oneOf(statusBarPlaces),
  'marginDesk.hideZeroAssets': flag(),
};
export type RuledKey = keyof typeof settingRules;
type Taken<Key extends RuledKey> =
  (typeof settingRules)[Key] extends Rule<infer Value> ? Value : never;

/** The person's value where the setting takes it, else the default. */
export function settingValue<Key extends RuledKey>(key: Key): Taken<Key> {
  return (isTaken(key) ? userValue(key) : settings[key]) as Taken<Key>;
}

/** Whether the setting holds a value that it takes. */
export function isTaken(key: RuledKey): boolean {
  return settingRules[key].takes(userValue(key));
}

function flag(): Rule<boolean> {
  return {
    takes: (value) => typeof value === 'boolean',
    warning: (key) =>
      l10n.t('The setting {0} must be true or false: {1} counts.', key, String(settings[key])),
  };
}

function ranged(own: SettingKey & keyof typeof settingRanges): Rule<number> {
  const [least, most] = settingRanges[own];
  return {
    takes: (value): value is number => typeof value === 'number' && value >= least && value <= most,
    warning: (key) =>
      l10n.t(
        'The setting {0} must be a number from {1} to {2}: {3} counts.',
        key,
        least,
        most,
        String(settings[key]),
      ),
  };
}

/** The part of each limit that the desk may take. */
function share(): Rule<number> {
  return {
    takes: (value): value is number => typeof value === 'number' && value > 0 && value <= 1,
    warning: (key) =>
      l10n.t(
        'The setting {0} must be a number above 0 and at most 1: {1} counts.',
        key,
        String(settings[key]),
      ),
  };
}

function oneOf<Value extends string>(values: readonly Value[]): Rule<Value> {
  return {
    takes: (value): value is Value => values.some((one) => one === value),
    warning: (key) =>
      l10n.t(
        'The setting {0} must be one of {1}: {2} counts.',
        key,
        values.join(', '),
        String(settings[key]),
      ),
  };
}

/** `local`, `UTC` or an IANA name. */
function timeZone(): Rule<string> {
  return {
    takes: (value): value is string =>
      value === 'local' || (typeof value === 'string' && isTimeZone(value)),
    warning: () =>
      l10n.t(
        'The setting marginDesk.timeZone is neither local, UTC nor a zone such as Europe/Berlin: local counts.',
      ),
  };
}

/** Any text: whether there is such a profile shows when it is opened. */
function profileName(): Rule<string> {
  return {
    takes: (value) => typeof value === 'string',
    warning: (key) => l10n.t('The setting {0} must be the name of a profile: none counts.', key),
  };
}
