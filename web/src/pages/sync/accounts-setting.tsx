import { useState } from 'react';
import { DESTINATION_KINDS } from '../../../../src/vocabulary/destination-kinds.ts';
import { updateSync } from '../../api/syncs.ts';
import { AccountsField } from '../sync-fields/accounts-field.tsx';
import {
  type AccountMapping,
  fittingMappings,
  mapsAccounts,
  takesMappings,
  unmapped,
} from '../sync-fields/mapping-modes.ts';
import { PlacesField } from '../sync-fields/places-field.tsx';
import { notingRefused, type RefusedEntry } from '../sync-fields/refused-entry.ts';
import { SettingForm, type SettingProps } from './setting-form.tsx';

/** Which accounts a sync reads and, where they have places of their own, where each of them goes. */
export function AccountsSetting({ sync, title, onClose }: SettingProps & { readonly title: string }) {
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

/** As v2 takes them: members that have no value are left out. */
function mappingsOf(shown: readonly Readonly<Record<string, string | null>>[]): readonly AccountMapping[] {
  return shown.flatMap(({ account, ...place }) =>
    account == null
      ? []
      : [{ account, ...Object.fromEntries(Object.entries(place).filter(([, value]) => value !== null)) }],
  );
}
