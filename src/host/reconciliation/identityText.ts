import { l10n } from 'vscode';
import type { DisplayField } from '../../base/fieldPrivacy.ts';
import type { IdentityName } from '../../ledger/ledger.ts';

/** What an identity is called, and what it says. */
export function identityTexts(identity: IdentityName): {
  readonly title: string;
  readonly meaning: string;
} {
  const { t } = l10n;
  return {
    deposited: {
      title: t('Balances'),
      meaning: t(
        'Between two checkpoints, the deposited balance of an asset changes by the sum of its transactions.',
      ),
    },
    position: {
      title: t('Positions'),
      meaning: t(
        'Between two checkpoints, the amount of a position changes by its buys less its sells.',
      ),
    },
    tradeFees: {
      title: t('Trade fees'),
      meaning: t('The fees of the trades are those of the FEE transactions.'),
    },
    realizedPl: {
      title: t('Realised P&L'),
      meaning: t('The realised P&L of the trades is that of the REALIZED_PL transactions.'),
    },
    transferLegs: {
      title: t('Transfers'),
      meaning: t('The two transactions of a transfer between the accounts sum to 0.'),
    },
    filled: {
      title: t('Filled amounts'),
      meaning: t('The filled amount of an order is the sum of its trades.'),
    },
    averageExecutionPrice: {
      title: t('Average prices'),
      meaning: t(
        'The average price of an order is that of its trades, weighted by volume, within its last digit or the 15th.',
      ),
    },
  }[identity];
}

/** Which way of booking was found, where there are several. */
export function readingText(identity: IdentityName, reading: string): string | undefined {
  const { t } = l10n;
  const readings: Partial<Record<IdentityName, Readonly<Record<string, string>>>> = {
    deposited: {
      FUTURE: t('The balances of this exchange follow the FUTURE transactions.'),
      SPOT: t('The balances of this exchange follow the SPOT transactions.'),
      FUTURE_AND_SPOT: t(
        'The balances of this exchange follow the FUTURE and SPOT transactions together.',
      ),
    },
    tradeFees: {
      oppositeSigns: t('On this exchange, a fee and its transaction have opposite signs.'),
      sameSigns: t('On this exchange, a fee and its transaction have the same sign.'),
    },
  };
  return readings[identity]?.[reading];
}

/**
 * What an identity is about: its subject, the field whose privacy its remainder has, and the figure of a trade. A
 * trade confirms a balance by its fee or its realised P&L.
 */
export const identities: Readonly<
  Record<
    IdentityName,
    {
      readonly subject: 'asset' | 'symbol';
      readonly remainder: DisplayField;
      readonly trade: 'fee' | 'rpnl' | 'amount' | 'feeOrRpnl';
    }
  >
> = {
  deposited: { subject: 'asset', remainder: 'deposited', trade: 'feeOrRpnl' },
  position: { subject: 'symbol', remainder: 'amount', trade: 'amount' },
  tradeFees: { subject: 'asset', remainder: 'fee', trade: 'fee' },
  realizedPl: { subject: 'asset', remainder: 'rpnl', trade: 'rpnl' },
  transferLegs: { subject: 'asset', remainder: 'amount', trade: 'amount' },
  filled: { subject: 'symbol', remainder: 'filled', trade: 'amount' },
  averageExecutionPrice: { subject: 'symbol', remainder: 'notional', trade: 'amount' },
};
