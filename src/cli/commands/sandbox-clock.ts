import { Type } from 'typebox';
import { moveClock } from '../../app/sandbox-clock.ts';
import { ShiftedClock } from '../../platform/shifted-clock.ts';
import { parseDuration } from '../../vocabulary/durations.ts';
import { command } from '../command.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import { pairs } from '../table.ts';

const HOUR_MS = 3_600_000;
/** Consents and certificates of the simulators end after years; nothing is to be seen beyond. */
const MOST_AHEAD_MS = 5 * 365 * 24 * HOUR_MS;

/** `sandbox clock`: moves the clock that the service and its simulators share. */
export const sandboxClock = command({
  name: 'sandbox clock',
  args: Type.Object({ forward: Type.Optional(Type.String()) }, { additionalProperties: false }),
  result: Type.Object({ now: Type.String(), ahead_hours: Type.Number() }),
  run: async ({ app: { clock, config } }, { forward }) => {
    if (!(clock instanceof ShiftedClock)) {
      throw new CommandFailure(
        'The clock can be moved only where every provider is simulated: a real one goes by the time of day.',
      );
    }
    if (forward !== undefined) {
      const ms = parseDuration(forward);
      if (ms === null) throw usageFailure('--forward takes minutes, hours or days: 90m, 12h or 3d.');
      if (clock.aheadMs + ms > MOST_AHEAD_MS)
        throw usageFailure('The clock goes no further than five years.');
      await moveClock(config, clock, ms);
    }
    return {
      now: new Date(clock.now()).toISOString(),
      ahead_hours: Math.round((clock.aheadMs / HOUR_MS) * 100) / 100,
    };
  },
  show: ({ now, ahead_hours: ahead }) =>
    pairs([
      ['Time', now],
      ['Ahead', `${ahead} hours`],
    ]),
});
