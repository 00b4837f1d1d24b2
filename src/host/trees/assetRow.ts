import * as vscode from 'vscode';
import { plain } from '../../base/decimal.ts';
import { glance, grouped } from '../../base/format.ts';
import type { AssetBalance } from '../../exchange/records.ts';
import type { Row, RowField } from './row.ts';

/** An asset: what is deposited and locked; no figure that the interface does not give. */
export function assetRow(asset: AssetBalance): Row {
  const words = [
    vscode.l10n.t('deposited {0}', grouped(glance(asset.deposited))),
    vscode.l10n.t('locked {0}', grouped(glance(asset.locked))),
    ...(asset.isMargin ? [vscode.l10n.t('margin asset')] : []),
  ];
  const fields = assetFields(asset);
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
function assetFields(asset: AssetBalance): RowField[] {
  return [
    ['name', asset.name],
    ['deposited', plain(asset.deposited)],
    ['locked', plain(asset.locked)],
    ['margin', plain(asset.margin)],
    ['isMargin', String(asset.isMargin)],
  ];
}
