import type { Evidence, Receipt } from '../receipts.ts';
import type { CancelAccount } from './account.ts';
import { fateOf, type Ended } from './outcome.ts';
import { confirms, isCurrent, type CancelPlan } from './plan.ts';

/** Where a cancel-all is. Its request leaves on the way into `sending`, and nowhere else. */
export type CancelState =
  | { readonly at: 'idle' }
  /** `agreed`: what was confirmed, and has to be read anew before it may be sent. */
  | { readonly at: 'planning'; readonly agreed: CancelPlan | undefined }
  /** `earlier`: what was confirmed before, and is so no more. */
  | {
      readonly at: 'confirming';
      readonly plan: CancelPlan;
      readonly earlier: CancelPlan | undefined;
    }
  | { readonly at: 'sending'; readonly plan: CancelPlan }
  | {
      readonly at: 'verifying';
      readonly plan: CancelPlan;
      readonly ended: Ended;
      readonly receipt: Receipt;
    }
  /** `history`: what the order history shows, where it was asked and has not answered yet. */
  | {
      readonly at: 'reported';
      readonly plan: CancelPlan;
      readonly ended: Ended;
      readonly receipt: Receipt;
      readonly history?: Promise<Evidence | null>;
    };

export type CancelEvent =
  | { readonly kind: 'pressed' }
  | { readonly kind: 'planned'; readonly plan: CancelPlan }
  /** The person said yes, at `nowMs`, while `account` was the open one. */
  | { readonly kind: 'confirmed'; readonly account: CancelAccount; readonly nowMs: number }
  /** The person said no, or nothing can be planned or sent. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'ended'; readonly ended: Ended; readonly receipt: Receipt }
  | {
      readonly kind: 'verified';
      readonly receipt: Receipt;
      readonly history?: Promise<Evidence | null>;
    };

/** The next state. What does not belong to a state leaves it as it is: a second press joins the first. */
export function step(state: CancelState, event: CancelEvent): CancelState {
  switch (event.kind) {
    case 'pressed':
      return isAtRest(state) ? { at: 'planning', agreed: undefined } : state;
    case 'planned':
      return state.at === 'planning' ? planned(event.plan, state.agreed) : state;
    case 'confirmed':
      return state.at === 'confirming' ? confirmed(state.plan, event) : state;
    case 'stopped':
      return state.at === 'planning' || state.at === 'confirming' ? { at: 'idle' } : state;
    case 'ended':
      return state.at === 'sending' ? ended(state.plan, event) : state;
    case 'verified':
      return state.at === 'verifying' ? reported(state, event) : state;
    default:
      return event satisfies never;
  }
}

function isAtRest({ at }: CancelState): boolean {
  return at === 'idle' || at === 'reported';
}

function planned(plan: CancelPlan, agreed: CancelPlan | undefined): CancelState {
  if (agreed && confirms(agreed, plan)) return { at: 'sending', plan };
  return { at: 'confirming', plan, earlier: agreed };
}

function confirmed(
  plan: CancelPlan,
  { account, nowMs }: Extract<CancelEvent, { kind: 'confirmed' }>,
): CancelState {
  return isCurrent(plan, account, nowMs)
    ? { at: 'sending', plan }
    : { at: 'planning', agreed: plan };
}

/** What never left or was refused changed nothing: there is nothing to read back. */
function ended(
  plan: CancelPlan,
  { ended, receipt }: Extract<CancelEvent, { kind: 'ended' }>,
): CancelState {
  const fate = fateOf(ended);
  const at = fate === 'notSent' || fate === 'refused' ? 'reported' : 'verifying';
  return { at, plan, ended, receipt };
}

function reported(
  { plan, ended }: Extract<CancelState, { at: 'verifying' }>,
  { receipt, history }: Extract<CancelEvent, { kind: 'verified' }>,
): CancelState {
  return { at: 'reported', plan, ended, receipt, ...(history ? { history } : {}) };
}
