import type { AccountSession } from '../../account/session/accountSession.ts';
import type { Snapshot } from '../../account/session/accountStore.ts';
import type { ActiveState } from '../../account/session/activeAccount.ts';
import type { Environment } from '../../account/session/profile.ts';
import type { Display } from '../../base/display.ts';
import type { ColumnLayout } from '../../protocol/gridMessages.ts';
import type { RiskAssessment } from '../settings/riskAssessment.ts';
import type { ReconciliationState } from '../reconciliation/accountReconciliation.ts';
import type { OnDemandReads, OverviewReads } from './onDemandRead.ts';

/** Everything that the overview shows. */
export type OverviewContext = {
  readonly state: ActiveState;
  readonly display: Display;
  readonly risk: Pick<RiskAssessment, 'rankPositions' | 'limits'>;
  readonly reads: OnDemandReads;
  /** Reads more. */
  readonly read: Pick<OverviewReads, 'readFeeTiers' | 'readRecent'>;
  /** How the user arranged the columns of the positions. */
  readonly layout: ColumnLayout;
  readonly reconciliation: ReconciliationState;
  /** The environment of a profile that is not open. */
  readonly environmentOf: (name: string) => Environment;
};

/** The same of an account that was read. */
export type AccountContext = OverviewContext & {
  readonly session: AccountSession;
  readonly snapshot: Snapshot;
  /** The age of its figures, if they are stale. */
  readonly age: string | null;
};
