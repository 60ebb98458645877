import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DestinationType } from '../../../../src/vocabulary/destination-kinds.ts';
import { LIMITS } from '../../../../src/vocabulary/limits.ts';
import type { SYNC_OPTION_DEFAULTS, SyncType } from '../../../../src/vocabulary/syncs.ts';
import { me } from '../../api/me.ts';
import { rulesets } from '../../api/rulesets.ts';
import { dayIn } from '../../format/moments.ts';
import { Check, Fields } from '../../parts/fields.tsx';
import { Problem } from '../../parts/page-states.tsx';
import { destinationTexts } from '../../text/kinds.ts';
import { SYNC_FIELDS_TEXT } from '../../text/sync-settings.ts';
import classes from './sync-fields.module.css';

const WORDS = SYNC_FIELDS_TEXT.options;

type Flag = keyof typeof SYNC_OPTION_DEFAULTS;
type Flags = Readonly<Record<Flag, boolean>>;

interface OptionsFieldProps {
  readonly type: SyncType;
  readonly destination: DestinationType;
  readonly dataFrom: string | null;
  readonly flags: Flags;
  readonly onDataFrom: (day: string | null) => void;
  readonly onFlags: (flags: Flags) => void;
}

/** The first day, and what is copied from the rows. Choices without an effect on this sync are left out. */
export function OptionsField({ type, destination, dataFrom, flags, onDataFrom, onFlags }: OptionsFieldProps) {
  const account = useQuery(me).data;
  const months =
    account?.status === 'trialing' ? LIMITS.sync_trial_months.default : LIMITS.sync_default_months.default;
  const flag = (name: Flag, hint: string) => (
    <Check
      label={WORDS[name]}
      hint={hint}
      checked={flags[name]}
      onChange={(on) => onFlags({ ...flags, [name]: on })}
    />
  );
  const balances = destinationTexts(destination).balances;
  return (
    <div className={classes.field}>
      {type === 'holdings' ? null : (
        <TextInput
          type="date"
          className={classes.day ?? ''}
          label={WORDS.from}
          description={WORDS.fromHint(months)}
          value={dataFrom ?? ''}
          max={account === undefined ? undefined : dayIn(account.timezone)}
          onChange={({ currentTarget }) =>
            onDataFrom(currentTarget.value === '' ? null : currentTarget.value)
          }
        />
      )}
      <Fields legend={WORDS.legend}>
        {type === 'transactions' ? (
          <>
            {flag('include_pending', WORDS.include_pendingHint)}
            {flag('custom_categories', WORDS.custom_categoriesHint)}
            {balances === null ? null : flag('include_balances_tab', balances)}
          </>
        ) : null}
        {flag('mask_account_numbers', WORDS.mask_account_numbersHint)}
      </Fields>
    </div>
  );
}

interface RulesetFieldProps {
  readonly ruleset: string | null;
  readonly onChange: (ruleset: string | null) => void;
}

/** The rules that change rows on their way: one ruleset, or none. */
export function RulesetField({ ruleset, onChange }: RulesetFieldProps) {
  const { data, error, refetch } = useQuery(rulesets);
  if (error !== null) return <Problem error={error} again={refetch} />;
  return (
    <NativeSelect
      label={WORDS.ruleset}
      description={WORDS.rulesetHint}
      value={ruleset ?? ''}
      disabled={data === undefined}
      data={[
        { value: '', label: WORDS.noRuleset },
        ...(data ?? []).map(({ id, name, enabled }) => ({
          value: id,
          label: enabled ? name : WORDS.disabled(name),
        })),
      ]}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
    />
  );
}
