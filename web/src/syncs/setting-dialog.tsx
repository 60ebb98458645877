import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Sync } from '#client';
import { DESTINATION_KINDS } from '../../../src/vocabulary/destination-kinds.ts';
import { FIXED_LIMITS } from '../../../src/vocabulary/limits.ts';
import { api } from '../api/client.ts';
import { categoryMappings, updateSync } from '../api/syncs.ts';
import { CancelButton, Dialog, DialogActions } from '../parts/dialog.tsx';
import { LoadingRows, Problem } from '../parts/page-states.tsx';
import { PROBLEMS } from '../text/problems.ts';
import { SYNC, SYNCS } from '../text/syncs.ts';
import { AccountsField } from './fields/accounts-field.tsx';
import { CategoriesField } from './fields/categories-field.tsx';
import { ColumnsField } from './fields/columns-field.tsx';
import {
  type AccountMapping,
  fittingMappings,
  mapsAccounts,
  takesMappings,
  unmapped,
} from './fields/mapping-modes.ts';
import { OptionsField, RulesetField } from './fields/options-field.tsx';
import { PlacesField } from './fields/places-field.tsx';
import { notingRefused, type RefusedEntry } from './fields/refused-entry.ts';
import { ScheduleField } from './fields/schedule-field.tsx';
import { timesProblem } from './fields/schedule-words.ts';
import classes from './syncs.module.css';

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

interface SettingProps {
  readonly sync: Sync;
  readonly onClose: () => void;
}

interface FormProps {
  readonly title: string;
  readonly fit?: boolean;
  /** What is sent to v2. */
  readonly save: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The frame of every setting: its fields, the errors of v2, and the buttons. */
function SettingForm({ title, fit = true, save, onClose, children }: FormProps) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: save,
    onSuccess: onClose,
    onSettled: () => {
      queries.invalidateQueries({ queryKey: ['syncs'] });
      queries.invalidateQueries({ queryKey: ['category-mappings'] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (fit) change.mutate();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form className={classes.form} onSubmit={submit} noValidate>
        {change.error === null ? null : <Problem error={change.error} title={SYNCS.failed.save} />}
        {children}
        <DialogActions>
          <CancelButton onClose={onClose} />
          <Button type="submit" loading={change.isPending} disabled={!fit}>
            {PROBLEMS.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Which accounts a sync reads and, if they have separate places, where each of them goes. */
function AccountsSetting({ sync, title, onClose }: SettingProps & { readonly title: string }) {
  const { type, destination } = sync;
  const [accounts, setAccounts] = useState<readonly string[]>(sync.accounts);
  const [mappings, setMappings] = useState<readonly AccountMapping[]>(mappingsOf(sync.account_mappings));
  const [refused, setRefused] = useState<RefusedEntry | null>(null);
  const mode = destination.mapping_mode;
  const maps = mapsAccounts(type, destination.type) && takesMappings(destination.type, mode);
  // Places are made for the accounts that a sync began with, and for those alone.
  const makes =
    DESTINATION_KINDS[destination.type].mapping.entry?.needed === 'when_added' ? sync.accounts : [];
  const lacking = maps ? unmapped(mappings, accounts).filter((account) => !makes.includes(account)) : [];
  return (
    <SettingForm
      title={title}
      fit={accounts.length > 0 && lacking.length === 0}
      save={() => {
        const sent = maps ? { account_mappings: fittingMappings(mappings, accounts) } : {};
        return notingRefused(updateSync({ id: sync.id, accounts: [...accounts], ...sent }), sent, setRefused);
      }}
      onClose={onClose}
    >
      <AccountsField type={type} chosen={accounts} onChange={setAccounts} />
      {maps ? (
        <PlacesField
          destination={destination}
          accounts={accounts}
          mode={mode}
          mappings={mappings}
          makes={makes}
          refused={refused}
          onMappings={setMappings}
        />
      ) : null}
    </SettingForm>
  );
}

/** In the form of v2: members without a value are left out. */
function mappingsOf(shown: readonly Readonly<Record<string, string | null>>[]): readonly AccountMapping[] {
  return shown.flatMap(({ account, ...place }) =>
    account == null
      ? []
      : [{ account, ...Object.fromEntries(Object.entries(place).filter(([, value]) => value !== null)) }],
  );
}

/** What can be changed about a sync. */
export type Setting = 'name' | 'accounts' | 'categories' | 'ruleset' | 'options' | 'columns' | 'schedule';

/** Accounts are changed together with their places, where they have some. */
export function accountsTitle({ type, destination }: Sync): string {
  return mapsAccounts(type, destination.type) && takesMappings(destination.type, destination.mapping_mode)
    ? SYNC.accountsAndPlaces
    : SYNC.accounts;
}
