import { Type } from 'typebox';
import { LIMITS } from '../../vocabulary/limits.ts';
import { LOCAL_TIME_PATTERN } from '../../vocabulary/local-times.ts';
import { limited } from './bounds.ts';

const minutes = Type.Integer({
  ...limited({ minimum: 'sync_interval_minutes' }),
  maximum: LIMITS.sync_interval_minutes.max,
  description: 'Minutes between two runs.',
});
const timesOf = {
  minItems: 1,
  ...limited({ maxItems: 'sync_schedule_times' }),
  description: 'Times of day at which it runs, HH:MM.',
};
const timeOfDay = Type.String({
  pattern: LOCAL_TIME_PATTERN,
  description: 'HH:MM, from 00:00 to 23:59, such as 08:30',
});
const timezone = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The zone of the times, an IANA name such as Pacific/Auckland.',
});

/** docs/resources.md#schedule: one of two forms. */
export const scheduleSchema = Type.Union([
  Type.Object({ interval_minutes: minutes }, { additionalProperties: false }),
  Type.Object({ times: Type.Array(timeOfDay, timesOf), timezone }, { additionalProperties: false }),
]);

/** As sent. Which members belong together, the feature says in words (sync-schedules.ts). */
export const scheduleBody = Type.Object(
  {
    interval_minutes: Type.Optional(minutes),
    times: Type.Optional(Type.Array(timeOfDay, timesOf)),
    timezone: Type.Optional(timezone),
  },
  { additionalProperties: false },
);
