import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Sync } from '#client';
import { DESTINATION_KINDS } from '../../../src/vocabulary/destination-kinds.ts';
import { SYNC_FIELDS } from '../../../src/vocabulary/row-fields.ts';
import { useAccountNames } from '../api/accounts.ts';
import { rulesets } from '../api/rulesets.ts';
import { categoryMappings } from '../api/syncs.ts';
import { dayText } from '../format/moments.ts';
import { Card } from '../parts/card.tsx';
import { OwnerOnly } from '../parts/owner-only.tsx';
import rows from '../parts/rows.module.css';
import { SYNC_FIELDS_TEXT } from '../text/sync-settings.ts';
import { SYNC } from '../text/syncs.ts';
import { mapsCategories } from './fields/mapping-modes.ts';
import { scheduleWords } from './fields/schedule-words.ts';
import { accountsTitle, type Setting } from './setting-dialog.tsx';
import classes from './syncs.module.css';

interface SettingsCardProps {
  readonly sync: Sync;
  readonly onChange: (setting: Setting) => void;
}

/** What can be changed about a sync, as it is now. */
export function SettingsCard({ sync, onChange }: SettingsCardProps) {
  const { name, type, accounts, destination, columns, options, schedule } = sync;
  const nameOf = useAccountNames();
  const maps = mapsCategories(type, destination.type);
  const mapped = useQuery({ ...categoryMappings(sync.id), enabled: maps }).data?.length;
  const sets = useQuery({ ...rulesets, enabled: sync.rulesets.length > 0 }).data;
  const words = SYNC_FIELDS_TEXT.options;
  const flags = (
    ['include_pending', 'custom_categories', 'include_balances_tab', 'mask_account_numbers'] as const
  )
    .filter((flag) => options[flag])
    .map((flag) => words[flag]);
  const shown: readonly (readonly [setting: Setting, title: string, value: string])[] = [
    ['name', SYNC.name, name],
    ['accounts', accountsTitle(sync), accounts.map(nameOf).join(', ')],
    ...(maps
      ? ([
          ['categories', SYNC.categories, mapped === undefined ? '' : SYNC.categoriesMapped(mapped)],
        ] as const)
      : []),
    ...(type === 'transactions'
      ? ([
          [
            'ruleset',
            SYNC.ruleset,
            sync.rulesets.length === 0
              ? SYNC.noRuleset
              : sync.rulesets.map((id) => sets?.find((one) => one.id === id)?.name ?? id).join(', '),
          ],
        ] as const)
      : []),
    [
      'options',
      SYNC.options,
      [...(type === 'holdings' ? [] : [SYNC.sinceDay(dayText(options.data_from))]), ...flags].join(' · '),
    ],
    ...(DESTINATION_KINDS[destination.type].columns
      ? ([
          [
            'columns',
            SYNC.columns,
            columns === null
              ? SYNC.standardColumns
              : columns.map((one) => SYNC_FIELDS[type][one]?.header ?? one).join(', '),
          ],
        ] as const)
      : []),
    ['schedule', SYNC.schedule, scheduleWords(schedule)],
  ];
  return (
    <Card title={SYNC.settings}>
      <ul className={rows.rows}>
        {shown.map(([setting, title, value]) => (
          <li key={setting} className={rows.row}>
            <div className={rows.words}>
              <p className={rows.detail}>{title}</p>
              <p>{value}</p>
            </div>
            <OwnerOnly scope="syncs:write">
              <Button
                size="xs"
                variant="default"
                aria-label={SYNC.changeOf(title)}
                onClick={() => onChange(setting)}
              >
                {SYNC.change}
              </Button>
            </OwnerOnly>
          </li>
        ))}
      </ul>
      <p className={classes.fixed}>{SYNC.fixed}</p>
    </Card>
  );
}
