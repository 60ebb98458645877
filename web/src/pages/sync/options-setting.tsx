import { useState } from 'react';
import { updateSync } from '../../api/syncs.ts';
import { SYNC } from '../../text/syncs.ts';
import { OptionsField } from '../sync-fields/options-field.tsx';
import { SettingForm, type SettingProps } from './setting-form.tsx';

/** From which day on rows are copied, and what of them. */
export function OptionsSetting({ sync, onClose }: SettingProps) {
  const { data_from: first, ...shown } = sync.options;
  const [dataFrom, setDataFrom] = useState<string | null>(first);
  const [flags, setFlags] = useState<Readonly<typeof shown>>(shown);
  return (
    <SettingForm
      title={SYNC.changeOf(SYNC.options)}
      save={() =>
        updateSync({ id: sync.id, options: { ...flags, ...(dataFrom !== null && { data_from: dataFrom }) } })
      }
      onClose={onClose}
    >
      <OptionsField
        type={sync.type}
        destination={sync.destination.type}
        dataFrom={dataFrom}
        flags={flags}
        onDataFrom={setDataFrom}
        onFlags={setFlags}
      />
    </SettingForm>
  );
}
