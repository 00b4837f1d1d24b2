import assert from 'node:assert/strict';
import { clientKey } from '../../src/exchange/client.ts';
import { type AlertMemory, AlertMonitor } from '../../src/account/alerts/alertMonitor.ts';
import type { Alert, AlertKind } from '../../src/account/alerts/alerts.ts';
import type { AlertedAccount, HeldPositions } from '../../src/account/alerts/vanishedPositions.ts';
import { AccountStore } from '../../src/account/session/accountStore.ts';
import { rankPositions } from './risks.ts';
import { phrase } from '../../src/base/phrase.ts';
import { TimeZone } from '../../src/base/timeZone.ts';
import { autoConventions } from '../../src/exchange/history/apiConventions.ts';
import { ExchangeConventions } from '../../src/exchange/history/exchangeConventions.ts';
import type { HistoryPage } from '../../src/exchange/history/page.ts';
import type { HistoryRequest } from '../../src/exchange/history/records.ts';
import type { Account, BadRecord, Order, Position } from '../../src/exchange/records.ts';
import { anAccount, aPosition } from './builders.ts';
import { FakeClock } from './fakeClock.ts';
import { aHistoryPage } from './historyPage.ts';
import type { FirstEquity, NotifiedTimes } from '../../src/account/alerts/alertCondition.ts';

const limits = { nearPercent: 10, criticalPercent: 5 };

/** A position whose mark price is this far from its liquidation, in percent. */
export function at(distancePercent: number, fields: Partial<Position> = {}): Position {
  return aPosition({
    markPrice: '100',
    liquidationPrice: String(100 - distancePercent),
    ...fields,
  });
}

export const unreadable: BadRecord[] = [{ path: '$.positions[0]', problem: phrase('broken') }];
export const unlisted: BadRecord[] = [{ path: '$.positions', problem: phrase('missing') }];

/** One window that watches the account. */
export class AlertWindow {
  readonly alerts: Alert[] = [];
  readonly readErrors: unknown[] = [];
  readonly store = new AccountStore();
  readonly monitor: AlertMonitor;
  private readonly clock: FakeClock;

  constructor(world: AlertWorld) {
    this.clock = world.clock;
    this.monitor = new AlertMonitor({
      store: this.store,
      account: { [clientKey]: world.orderHistory },
      clock: world.clock,
      memory: world.memory,
      limits: () => ({ ...limits, equityFallPercent: world.equityFallPercent }),
      sortByRisk: rankPositions,
      zone: () => new TimeZone('UTC'),
      isOn: (kind) => !world.off.has(kind),
      alert: (alert) => this.alerts.push(alert),
      onReadError: (error) => this.readErrors.push(error),
    });
    world.windows.push(this);
  }

  sees(account: Partial<Account>, badRecords: readonly BadRecord[] = []): void {
    this.store.replace({
      account: anAccount(account),
      badRecords,
      asOf: this.clock.now(),
      readAt: this.clock.now(),
      sentAt: this.clock.now(),
      answeredAt: this.clock.now(),
    });
  }

  seesPositions(...positions: Position[]): void {
    this.sees({ positions });
  }

  /** The alerts about positions, each as `btc_usdt near`. */
  get positionAlerts(): string[][] {
    return this.alerts.flatMap((alert) =>
      alert.kind === 'positions'
        ? [alert.positions.map(({ symbol, band }) => `${symbol} ${band}`)]
        : [],
    );
  }
}

/** An account at an exchange, and the windows that watch it. */
class AlertWorld {
  readonly clock = new FakeClock();
  readonly memory = new RememberedAlerts();
  readonly off = new Set<AlertKind>();
  equityFallPercent = 10;
  readonly windows: AlertWindow[] = [];
  /** What the order history was asked for. */
  readonly requests: string[] = [];
  orders: readonly Order[] = [];
  failure: Error | undefined;
  /** How the exchange answers beside the rows. */
  page: Partial<HistoryPage<Order>> = {};
  totalElements: string | undefined;
  readonly orderHistory: AlertedAccount[typeof clientKey] = {
    clockAheadMs: 0,
    conventions: new ExchangeConventions(autoConventions),
    serverNow: () => this.clock.now(),
    history: ((request: HistoryRequest<'orders'>) => this.read(request)) as never,
  };

  read({ filters }: HistoryRequest<'orders'>): Promise<HistoryPage<Order>> {
    const { symbol = 'all', statuses } = filters;
    this.requests.push(`${symbol} ${statuses?.join()}`);
    if (this.failure) return Promise.reject(this.failure);
    const { orders } = this;
    const totalElements = this.totalElements ?? String(orders.length);
    return Promise.resolve(aHistoryPage(orders, { total: totalElements, ...this.page }));
  }
}

/** What a test of alerts works with. */
export type WatchedAccount = {
  readonly world: AlertWorld;
  /** The first window of that account. */
  readonly window: AlertWindow;
  /** Begins with another account. */
  readonly begin: () => void;
  readonly pass: (ms: number) => Promise<void>;
};

/** Called in a `describe`: each test has an account of its own, which one window watches. */
export function watchedAccountOfEachTest(): WatchedAccount {
  let world = new AlertWorld();
  let window = new AlertWindow(world);
  const begin = (): void => {
    world = new AlertWorld();
    window = new AlertWindow(world);
  };
  beforeEach(begin);
  afterEach(() => {
    for (const { monitor } of world.windows) monitor.dispose();
    assert.equal(world.clock.waiting, 0, 'a timer was left behind');
  });
  return {
    get world() {
      return world;
    },
    get window() {
      return window;
    },
    begin,
    pass: (ms) => world.clock.advance(ms),
  };
}

/** The alert memory that the windows of a test share. */
class RememberedAlerts implements AlertMemory {
  private readonly times = new Map<string, number>();
  firstEquities: readonly FirstEquity[] = [];
  held: HeldPositions | undefined;

  notifiedTimes(): NotifiedTimes {
    return new Map(this.times);
  }

  recordNotified(subjects: readonly string[], now: number): void {
    for (const subject of subjects) this.times.set(subject, now);
  }

  saveFirstEquity(first: FirstEquity): void {
    this.firstEquities = [first];
  }

  saveHeld(held: HeldPositions): void {
    if (!this.held || this.held.asOf <= held.asOf) this.held = held;
  }
}
