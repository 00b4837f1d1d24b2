import { environmentLabel } from '../../account/profile.ts';
import { practiceName } from './profileName.ts';
import { findProfile } from './profileSettings.ts';

/** The environment of a profile that is not open: what its settings say, and LIVE where they cannot be read. */
export function environmentOf(name: string): string {
  if (name === practiceName) return 'PRACTICE';
  const entry = findProfile(name);
  return entry?.kind === 'good' ? environmentLabel(entry.profile) : 'LIVE';
}
