import { SentenceError } from '../../base/sentenceError.ts';
import { defaultProfileSetting, profilesSetting, writeSetting } from '../settings.ts';
import { parseProfiles, type ProfileEntry } from './parseProfile.ts';

/** One profile as the settings have it, before it is read. */
export type WrittenProfile = Readonly<Record<string, unknown>>;
type WrittenProfiles = Readonly<Record<string, unknown>>;

/** The person's profiles in the order in which the settings have them. */
export function profileEntries(): readonly ProfileEntry[] {
  return parseProfiles(profilesSetting());
}

export function findProfile(name: string): ProfileEntry | undefined {
  return profileEntries().find((entry) => entry.name === name);
}

/** A profile as it is written; undefined where there is none, or no object. */
export function writtenProfile(name: string): WrittenProfile | undefined {
  const profiles = writtenProfiles();
  const written = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  return isRecord(written) ? written : undefined;
}

/** Writes one profile in place of the one named `earlierName`, or as a new one. */
export async function writeProfile(
  name: string,
  written: WrittenProfile,
  earlierName = name,
): Promise<void> {
  const entries = Object.entries(writtenProfiles());
  const place = entries.findIndex(([at]) => at === earlierName);
  entries.splice(place < 0 ? entries.length : place, place < 0 ? 0 : 1, [name, written]);
  await writeSetting('marginDesk.profiles', Object.fromEntries(entries));
}

/** Writes several profiles at once, each in place of the one of its name, or as a new one. */
export async function writeProfiles(
  profiles: Readonly<Record<string, WrittenProfile>>,
): Promise<void> {
  await writeSetting('marginDesk.profiles', { ...writtenProfiles(), ...profiles });
}

export async function removeWrittenProfile(name: string): Promise<void> {
  const entries = Object.entries(writtenProfiles()).filter(([at]) => at !== name);
  const left = entries.length === 0 ? undefined : Object.fromEntries(entries);
  await writeSetting('marginDesk.profiles', left);
}

/** Where new windows open `from`, they open `to` from now on; undefined for none. */
export async function replaceDefaultProfile(from: string, to: string | undefined): Promise<void> {
  if (defaultProfileSetting() === from) await writeSetting('marginDesk.defaultProfile', to);
}

function writtenProfiles(): WrittenProfiles {
  const setting = profilesSetting();
  if (isRecord(setting)) return setting;
  const [entry] = parseProfiles(setting);
  throw new SentenceError(entry?.kind === 'bad' ? entry.problem : '', { cure: 'editProfile' });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
