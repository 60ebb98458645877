import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { Sync } from '#client';
import { me } from '../../api/me.ts';
import { Check, Fields } from '../../parts/fields.tsx';
import { Icon } from '../../parts/icon.tsx';
import { SYNC_FIELDS_TEXT } from '../../text/sync-settings.ts';
import { nextTime, scheduleWords, timesProblem } from './schedule-words.ts';
import classes from './sync-fields.module.css';

const WORDS = SYNC_FIELDS_TEXT.schedule;
const DAILY = 1440;

type Schedule = Sync['schedule'];

interface ScheduleFieldProps {
  readonly schedule: Schedule;
  readonly onChange: (schedule: Schedule) => void;
}

/** When a sync runs automatically: as often as allowed, at an interval, or at times of day. */
export function ScheduleField({ schedule, onChange }: ScheduleFieldProps) {
  const zone = useQuery(me).data?.timezone ?? 'UTC';
  const group = useId();
  const interval = schedule !== null && 'interval_minutes' in schedule ? schedule.interval_minutes : null;
  const times = schedule !== null && 'times' in schedule ? schedule : null;
  return (
    <div className={classes.field}>
      <Fields legend={WORDS.legend}>
        <Check
          group={group}
          label={WORDS.often}
          hint={WORDS.oftenHint}
          checked={schedule === null}
          onChange={() => onChange(null)}
        />
        <Check
          group={group}
          label={WORDS.interval}
          checked={interval !== null}
          onChange={() => onChange({ interval_minutes: DAILY })}
        />
        {interval === null ? null : (
          <div className={classes.inner}>
            <NativeSelect
              label={WORDS.every}
              value={String(interval)}
              data={intervalsWith(interval)}
              onChange={({ currentTarget }) => onChange({ interval_minutes: Number(currentTarget.value) })}
            />
          </div>
        )}
        <Check
          group={group}
          label={WORDS.times}
          hint={WORDS.timesHint}
          checked={times !== null}
          onChange={() => onChange({ times: ['08:00'], timezone: zone })}
        />
        {times === null ? null : <Times schedule={times} onChange={onChange} />}
      </Fields>
      <p className={classes.hint}>{WORDS.manual}</p>
    </div>
  );
}

/** The offered ones, and the current one if it is not among them. */
function intervalsWith(interval: number): readonly { value: string; label: string }[] {
  const offered = Object.entries(WORDS.intervals).map(([value, label]) => ({ value, label }));
  if (offered.some(({ value }) => value === String(interval))) return offered;
  return [...offered, { value: String(interval), label: scheduleWords({ interval_minutes: interval }) }];
}

interface TimesProps {
  readonly schedule: { readonly times: readonly string[]; readonly timezone: string };
  readonly onChange: (schedule: Schedule) => void;
}

function Times({ schedule: { times, timezone }, onChange }: TimesProps) {
  const problem = timesProblem(times);
  // A time that is being written is known by its place alone.
  const placed = times.map((time, at) => ({ time, at, key: `time ${at}` }));
  const set = (next: readonly string[]) => onChange({ times: [...next], timezone });
  return (
    <div className={classes.inner}>
      <div className={classes.times}>
        {placed.map(({ time, at, key }) => (
          <div key={key} className={classes.time}>
            <TextInput
              type="time"
              label={WORDS.time(at + 1)}
              value={time}
              onChange={({ currentTarget }) =>
                set(times.map((one, other) => (other === at ? currentTarget.value : one)))
              }
            />
            {times.length === 1 ? null : (
              <ActionIcon
                variant="default"
                size={36}
                aria-label={WORDS.removeTime(time)}
                onClick={() => set(times.filter((_, other) => other !== at))}
              >
                <Icon name="close" />
              </ActionIcon>
            )}
          </div>
        ))}
        <Button variant="default" onClick={() => set([...times, nextTime(times)])}>
          {WORDS.addTime}
        </Button>
      </div>
      {problem === null ? null : (
        <p className={classes.error} role="alert">
          {problem}
        </p>
      )}
      <NativeSelect
        label={WORDS.zone}
        description={WORDS.zoneHint}
        value={timezone}
        data={zonesWith(timezone)}
        onChange={({ currentTarget }) => onChange({ times: [...times], timezone: currentTarget.value })}
      />
    </div>
  );
}

function zonesWith(zone: string): string[] {
  const known = ['UTC', ...Intl.supportedValuesOf('timeZone')];
  return [...new Set(known.includes(zone) ? known : [zone, ...known])];
}
