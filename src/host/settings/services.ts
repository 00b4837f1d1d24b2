import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import type { Log } from '../shared/log.ts';
import type { DisplayState } from './displayState.ts';
import type { RiskAssessment } from './riskAssessment.ts';

/** What a window has one of, and most features of the host use. */
export type Services = {
  readonly active: ActiveAccount;
  readonly display: DisplayState;
  readonly risk: RiskAssessment;
  readonly log: Log;
  /** In privacy mode, asks whether real values may be copied, or written to a file. */
  readonly confirmRealValues: () => Promise<boolean>;
};
