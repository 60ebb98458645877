import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { DestinationResource } from '#client';
import { DESTINATION_KINDS, type DestinationType } from '../../../../src/vocabulary/destination-kinds.ts';
import type { MappingMode } from '../../../../src/vocabulary/syncs.ts';
import { accounts as accountsQuery, useAccountNames } from '../../api/accounts.ts';
import { destinationResources } from '../../api/destinations.ts';
import { Check, Fields } from '../../parts/fields.tsx';
import { LoadingRows, Problem } from '../../parts/page-states.tsx';
import { SYNC_FIELDS_TEXT } from '../../text/sync-settings.ts';
import { type AccountMapping, takesMappings, withMapping } from './mapping-modes.ts';
import { accountProposals } from './proposals.ts';
import { Proposed, proposalText, useEarlierPlaces } from './proposed.tsx';
import { errorOf, placeIn, type RefusedEntry } from './refused-entry.ts';
import classes from './sync-fields.module.css';

const WORDS = SYNC_FIELDS_TEXT.places;

interface PlacesFieldProps {
  readonly destination: { readonly id: string; readonly type: DestinationType };
  readonly accounts: readonly string[];
  readonly mode: MappingMode;
  readonly mappings: readonly AccountMapping[];
  /** Accounts for which the first run creates a tab: those with which a sync begins. */
  readonly makes: readonly string[];
  /** The entry that was refused; null for none. */
  readonly refused: RefusedEntry | null;
  readonly onMappings: (mappings: readonly AccountMapping[]) => void;
  /** Absent if the mode cannot change any more. */
  readonly onMode?: (mode: MappingMode) => void;
}

/** Where the rows of each account go inside the destination. */
export function PlacesField(props: PlacesFieldProps) {
  const { destination, mode, onMode } = props;
  const group = useId();
  if (DESTINATION_KINDS[destination.type].mapping.entry?.needed !== 'when_added')
    return <Places {...props} kind="account" />;
  return (
    <div className={classes.field}>
      {onMode === undefined ? null : (
        <Fields legend={WORDS.sheet.legend}>
          {(['bulk', 'per_account'] as const).map((one) => (
            <Check
              key={one}
              group={group}
              label={one === 'bulk' ? WORDS.sheet.bulk : WORDS.sheet.perAccount}
              hint={one === 'bulk' ? WORDS.sheet.bulkHint : WORDS.sheet.perAccountHint}
              checked={mode === one}
              onChange={() => onMode(one)}
            />
          ))}
        </Fields>
      )}
      {takesMappings(destination.type, mode) ? <Places {...props} kind="sheet" /> : null}
    </div>
  );
}

function Places({
  destination,
  accounts,
  mappings,
  makes,
  refused,
  onMappings,
  kind,
}: PlacesFieldProps & { readonly kind: 'sheet' | 'account' }) {
  const { data, error, refetch, isFetching } = useQuery(destinationResources(destination.id, { type: kind }));
  const nameOf = useAccountNames();
  const known = useQuery(accountsQuery).data ?? [];
  const earlier = useEarlierPlaces(destination.id);
  const words = kind === 'sheet' ? WORDS.sheet : WORDS.budget;
  if (data === undefined) {
    return error === null || isFetching ? (
      <LoadingRows count={accounts.length} />
    ) : (
      <Problem error={error} title={WORDS.failed} again={refetch} />
    );
  }
  const proposals = accountProposals({
    accounts: known.filter(({ id }) => accounts.includes(id)),
    targets: data.items,
    mapped: mappings.flatMap((one) => ({ of: one.account, to: placeIn(one), toName: null })),
    earlier,
  });
  const accepted = proposals.reduce<readonly AccountMapping[]>(
    (all, { of, target }) => withMapping(all, of, placeOf(kind, target)),
    mappings,
  );
  return (
    <Fields legend={kind === 'sheet' ? WORDS.tabs : WORDS.budget.legend}>
      {data.items.length === 0 && kind === 'account' ? <p className={classes.hint}>{WORDS.none}</p> : null}
      <Proposed count={proposals.length} now={mappings} accepted={accepted} onChange={onMappings} />
      {accounts.map((account) => {
        const now = mappings.find((one) => one.account === account);
        const made = kind === 'sheet' && makes.includes(account);
        const value = placeIn(now);
        return (
          <NativeSelect
            key={account}
            label={words.place(nameOf(account))}
            description={proposalText(proposals.find(({ of }) => of === account))}
            value={value}
            error={errorOf(refused, account, value)}
            data={[
              { value: '', label: made ? WORDS.sheet.newTab : words.choose },
              ...optionsOf(data.items, value, now),
            ]}
            onChange={({ currentTarget }) => {
              const place = data.items.find(({ id }) => id === currentTarget.value);
              onMappings(withMapping(mappings, account, place === undefined ? null : placeOf(kind, place)));
            }}
          />
        );
      })}
      {data.truncated ? <p className={classes.hint}>{WORDS.truncated}</p> : null}
      <div>
        <Button variant="default" size="xs" loading={isFetching} onClick={() => refetch()}>
          {WORDS.again}
        </Button>
      </div>
    </Fields>
  );
}

function placeOf(
  kind: 'sheet' | 'account',
  { id, name }: DestinationResource,
): Omit<AccountMapping, 'account'> {
  return kind === 'sheet'
    ? { sheet_id: id, sheet_name: name }
    : { destination_account: id, destination_account_name: name };
}

/** The choices, and the current one even if it no longer exists. */
function optionsOf(
  items: readonly DestinationResource[],
  value: string,
  now: AccountMapping | undefined,
): readonly { value: string; label: string }[] {
  const there = items.map(({ id, name }) => ({ value: id, label: name }));
  if (value === '' || there.some((one) => one.value === value)) return there;
  return [...there, { value, label: now?.sheet_name ?? now?.destination_account_name ?? value }];
}
