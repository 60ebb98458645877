import { ActionIcon } from '@mantine/core';
import { useId } from 'react';
import { SYNC_FIELDS, SYNC_KEYS } from '../../../../src/vocabulary/row-fields.ts';
import type { SyncType } from '../../../../src/vocabulary/syncs.ts';
import { Check, Fields } from '../../parts/fields.tsx';
import { Icon } from '../../parts/icon.tsx';
import { SYNC_FIELDS_TEXT } from '../../text/sync-settings.ts';
import { movedColumn, standardColumns, toggledColumn } from './column-choice.ts';
import classes from './sync-fields.module.css';

const WORDS = SYNC_FIELDS_TEXT.columns;

interface ColumnsFieldProps {
  readonly type: SyncType;
  /** Null: the standard ones. */
  readonly columns: readonly string[] | null;
  readonly onChange: (columns: readonly string[] | null) => void;
}

/** Which fields a row shows, and in which order. */
export function ColumnsField({ type, columns, onChange }: ColumnsFieldProps) {
  const group = useId();
  return (
    <div className={classes.field}>
      <Fields legend={WORDS.legend}>
        <Check
          group={group}
          label={WORDS.standard}
          hint={standardColumns(type)
            .map((name) => SYNC_FIELDS[type][name]?.header ?? name)
            .join(', ')}
          checked={columns === null}
          onChange={() => onChange(null)}
        />
        <Check
          group={group}
          label={WORDS.own}
          hint={WORDS.ownHint}
          checked={columns !== null}
          onChange={() => onChange(standardColumns(type))}
        />
      </Fields>
      {columns === null ? null : <Choice type={type} columns={columns} onChange={onChange} />}
    </div>
  );
}

interface ChoiceProps extends ColumnsFieldProps {
  readonly columns: readonly string[];
}

function Choice({ type, columns, onChange }: ChoiceProps) {
  const fields = SYNC_FIELDS[type];
  const rest = Object.keys(fields).filter((name) => !columns.includes(name));
  return (
    <div className={classes.group}>
      <ul className={classes.columns}>
        {[...columns, ...rest].map((name) => {
          const header = fields[name]?.header ?? name;
          const at = columns.indexOf(name);
          return (
            <li key={name} className={classes.column}>
              <Check
                label={header}
                {...(name === SYNC_KEYS[type] && { hint: WORDS.key })}
                checked={at >= 0}
                disabled={at >= 0 && columns.length === 1}
                onChange={() => onChange(toggledColumn(columns, name))}
              />
              {at < 0 ? null : (
                <>
                  <ActionIcon
                    variant="default"
                    size="lg"
                    aria-label={WORDS.up(header)}
                    disabled={at === 0}
                    onClick={() => onChange(movedColumn(columns, name, -1))}
                  >
                    <Icon name="up" />
                  </ActionIcon>
                  <ActionIcon
                    variant="default"
                    size="lg"
                    aria-label={WORDS.down(header)}
                    disabled={at === columns.length - 1}
                    onClick={() => onChange(movedColumn(columns, name, 1))}
                  >
                    <Icon name="down" />
                  </ActionIcon>
                </>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
