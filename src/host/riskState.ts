import { byDanger, type PositionRisk, type RiskLimits } from '../account/risk.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { Position } from '../exchange/records.ts';
import { settings } from './contributions.ts';
import { onDidChangeRiskLimits, riskLimitsSetting } from './settings.ts';

const defaultLimits: RiskLimits = {
  nearPercent: settings['marginDesk.nearPercent'],
  criticalPercent: settings['marginDesk.criticalPercent'],
};

type Drawn = {
  readonly positions: readonly Position[];
  readonly limits: RiskLimits;
  readonly risks: readonly PositionRisk[];
};

/** How near positions are to their liquidation, by the limits that hold in this window. */
export class RiskState implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly didChange = this.disposables.add(new Emitter<void>());
  private current = riskLimitsSetting();
  private last: Drawn | undefined;

  readonly onDidChange: Event<void> = this.didChange.event;

  constructor() {
    this.disposables.add(onDidChangeRiskLimits(() => this.update()));
  }

  get limits(): RiskLimits {
    return this.current ?? defaultLimits;
  }

  /** `byDanger` within these limits; the last answer is kept, as several surfaces ask for the same. */
  byDanger(positions: readonly Position[]): readonly PositionRisk[] {
    const { limits } = this;
    if (this.last?.positions !== positions || this.last.limits !== limits)
      this.last = { positions, limits, risks: byDanger(positions, limits) };
    return this.last.risks;
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private update(): void {
    this.current = riskLimitsSetting();
    this.didChange.fire();
  }
}
