import * as vscode from 'vscode';
import type { Display } from '../../base/display.ts';
import type { AssetBalance } from '../../exchange/records.ts';
import type { Row, RowField } from './row.ts';

/** An asset: what is deposited and locked; no figure that the interface does not give. */
export function assetRow(asset: AssetBalance, display: Display): Row {
  const words = [
    vscode.l10n.t('deposited {0}', display.glance('deposited', asset.deposited)),
    vscode.l10n.t('locked {0}', display.glance('locked', asset.locked)),
    ...(asset.isMargin ? [vscode.l10n.t('margin asset')] : []),
  ];
  const fields = assetFields(asset, display);
  return {
    key: asset.name,
    label: asset.name,
    description: words.join(' · '),
    icon: asset.isMargin ? 'circle-filled' : 'circle-outline',
    spoken: fields.map((field) => field.join(' ')).join(', '),
    title: asset.name,
    fields,
    contextValue: 'asset',
  };
}

/** The five fields of section 2.6. */
function assetFields(asset: AssetBalance, display: Display): RowField[] {
  return [
    ['name', asset.name],
    ['deposited', display.full('deposited', asset.deposited)],
    ['locked', display.full('locked', asset.locked)],
    ['margin', display.full('margin', asset.margin)],
    ['isMargin', String(asset.isMargin)],
  ];
}
