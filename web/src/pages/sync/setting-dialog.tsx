import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FIXED_LIMITS } from '../../../../src/vocabulary/limits.ts';
import { api } from '../../api/client.ts';
import { categoryMappings, updateSync } from '../../api/syncs.ts';
import { LoadingRows, Problem } from '../../parts/page-states.tsx';
import { SYNC } from '../../text/syncs.ts';
import { CategoriesField } from '../sync-fields/categories-field.tsx';
import { ColumnsField } from '../sync-fields/columns-field.tsx';
import { OptionsField, RulesetField } from '../sync-fields/options-field.tsx';
import { notingRefused, type RefusedEntry } from '../sync-fields/refused-entry.ts';
import { ScheduleField } from '../sync-fields/schedule-field.tsx';
import { timesProblem } from '../sync-fields/schedule-words.ts';
import { AccountsSetting } from './accounts-setting.tsx';
import { SettingForm, type SettingProps } from './setting-form.tsx';
import { accountsTitle, type Setting } from './settings.ts';

/** Changes one setting of a sync. */
export function SettingDialog({ setting, ...props }: SettingProps & { readonly setting: Setting }) {
  switch (setting) {
    case 'name':
      return <NameSetting {...props} />;
    case 'accounts':
      return <AccountsSetting title={SYNC.changeOf(accountsTitle(props.sync))} {...props} />;
    case 'categories':
      return <CategoriesSetting {...props} />;
    case 'ruleset':
      return <RulesetSetting {...props} />;
    case 'options':
      return <OptionsSetting {...props} />;
    case 'columns':
      return <ColumnsSetting {...props} />;
    case 'schedule':
      return <ScheduleSetting {...props} />;
  }
}

function NameSetting({ sync, onClose }: SettingProps) {
  const [name, setName] = useState(sync.name);
  const fit = name.trim() !== '';
  return (
    <SettingForm
      title={SYNC.changeOf(SYNC.name)}
      fit={fit}
      save={() => updateSync({ id: sync.id, name })}
      onClose={onClose}
    >
      <TextInput
        label={SYNC.name}
        value={name}
        maxLength={FIXED_LIMITS.name_characters}
        error={fit ? undefined : SYNC.nameMissing}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </SettingForm>
  );
}

function RulesetSetting({ sync, onClose }: SettingProps) {
  const [ruleset, setRuleset] = useState(sync.rulesets[0] ?? null);
  return (
    <SettingForm
      title={SYNC.changeOf(SYNC.ruleset)}
      save={() => api.syncs.attachRulesets({ id: sync.id, rulesets: ruleset === null ? [] : [ruleset] })}
      onClose={onClose}
    >
      <RulesetField ruleset={ruleset} onChange={setRuleset} />
    </SettingForm>
  );
}

function ColumnsSetting({ sync, onClose }: SettingProps) {
  const [columns, setColumns] = useState<readonly string[] | null>(sync.columns);
  return (
    <SettingForm
      title={SYNC.changeOf(SYNC.columns)}
      save={() => updateSync({ id: sync.id, columns: columns === null ? null : [...columns] })}
      onClose={onClose}
    >
      <ColumnsField type={sync.type} columns={columns} onChange={setColumns} />
    </SettingForm>
  );
}

function ScheduleSetting({ sync, onClose }: SettingProps) {
  const [schedule, setSchedule] = useState(sync.schedule);
  const fit = schedule === null || !('times' in schedule) || timesProblem(schedule.times) === null;
  return (
    <SettingForm
      title={SYNC.changeOf(SYNC.schedule)}
      fit={fit}
      save={() => updateSync({ id: sync.id, schedule })}
      onClose={onClose}
    >
      <ScheduleField schedule={schedule} onChange={setSchedule} />
    </SettingForm>
  );
}

function CategoriesSetting({ sync, onClose }: SettingProps) {
  const { data, error, refetch } = useQuery(categoryMappings(sync.id));
  const [changed, setChanged] = useState<typeof data>(undefined);
  const [refused, setRefused] = useState<RefusedEntry | null>(null);
  const mappings = (changed ?? data ?? []).map(
    ({ provider_category, destination_category, destination_category_name }) => ({
      provider_category,
      destination_category,
      destination_category_name,
    }),
  );
  return (
    <SettingForm
      title={SYNC.changeOf(SYNC.categories)}
      fit={data !== undefined}
      save={() =>
        notingRefused(
          api.syncs.setCategoryMappings({ id: sync.id, mappings }).page(),
          { mappings },
          setRefused,
        )
      }
      onClose={onClose}
    >
      {data === undefined ? (
        error === null ? (
          <LoadingRows count={4} />
        ) : (
          <Problem error={error} again={refetch} />
        )
      ) : (
        <CategoriesField
          destination={sync.destination.id}
          mappings={mappings}
          refused={refused}
          onChange={(next) => setChanged(next.map((one) => ({ object: 'category_mapping', ...one })))}
        />
      )}
    </SettingForm>
  );
}

/** From which day on rows are copied, and what of them. */
function OptionsSetting({ sync, onClose }: SettingProps) {
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
