import { Type } from 'typebox';
import { LIMITS } from '../../vocabulary/limits.ts';
import { LOCAL_TIME_PATTERN } from '../../vocabulary/local-times.ts';

const minutes = Type.Integer({
  minimum: 1,
  maximum: LIMITS.sync_interval_minutes.max,
  description: 'Minutes between two runs.',
});
const timesOf = {
  minItems: 1,
  maxItems: LIMITS.sync_schedule_times.max,
  description: 'Times of day at which it runs, HH:MM.',
};
const timezone = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The zone of the times, an IANA name such as Pacific/Auckland.',
});

/** docs/resources.md#schedule: one of two forms. */
export const scheduleSchema = Type.Union([
  Type.Object({ interval_minutes: minutes }, { additionalProperties: false }),
  Type.Object(
    { times: Type.Array(Type.String({ pattern: LOCAL_TIME_PATTERN }), timesOf), timezone },
    { additionalProperties: false },
  ),
]);

/** As sent. What a time looks like and which members belong together, the feature says in words (sync-schedules.ts). */
export const scheduleBody = Type.Object(
  {
    interval_minutes: Type.Optional(minutes),
    times: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), timesOf)),
    timezone: Type.Optional(timezone),
  },
  { additionalProperties: false },
);
