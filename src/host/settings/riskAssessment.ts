import {
  riskLimits,
  sortByRisk,
  type PositionRisk,
  type RiskLimits,
} from '../../account/session/positionRisk.ts';
import type { Snapshot } from '../../account/session/accountStore.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { settings } from '../shared/contributions.ts';
import { onDidChangeSetting } from './settings.ts';
import { userSetting } from './userSetting.ts';

const limitKeys = ['marginDesk.nearPercent', 'marginDesk.criticalPercent'] as const;
const defaultLimits: RiskLimits = {
  nearPercent: settings['marginDesk.nearPercent'],
  criticalPercent: settings['marginDesk.criticalPercent'],
};

type RankedPositions = Pick<Snapshot, 'directed'> & {
  readonly limits: RiskLimits;
  readonly risks: readonly PositionRisk[];
};

/** The user's risk limits; undefined if the two values are invalid together. */
export function riskLimitsSetting(): RiskLimits | undefined {
  const [near, critical] = limitKeys.map((key) => userSetting(key));
  return riskLimits(near, critical);
}

/** How close positions are to liquidation, by the limits in the settings. */
export class RiskAssessment extends DisposableOwner {
  private readonly didChange = this.disposables.add(new Emitter<void>());
  private configuredLimits = riskLimitsSetting();
  private cached: RankedPositions | undefined;

  readonly onDidChange: Event<void> = this.didChange.event;

  constructor() {
    super();
    this.disposables.add(onDidChangeSetting(limitKeys, () => this.update()));
  }

  get limits(): RiskLimits {
    return this.configuredLimits ?? defaultLimits;
  }

  /** Positions sorted by risk. Cached, because several views ask for the same list. */
  rankPositions({ directed }: Pick<Snapshot, 'directed'>): readonly PositionRisk[] {
    const { limits } = this;
    if (this.cached?.directed !== directed || this.cached.limits !== limits)
      this.cached = { directed, limits, risks: sortByRisk(directed, limits) };
    return this.cached.risks;
  }

  private update(): void {
    this.configuredLimits = riskLimitsSetting();
    this.didChange.fire();
  }
}
