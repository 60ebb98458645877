import { DESTINATION_KINDS, type DestinationType } from '../../vocabulary/destination-kinds.ts';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { invalidParameter, ServiceError } from '../../vocabulary/service-error.ts';

type Target = Readonly<Record<string, string>>;

/**
 * A target with exactly the keys of its type (docs/resources.md#destination). Raises `parameter_missing` for a key left
 * out and `parameter_invalid` for one the type does not have or a value that is empty or too long.
 */
export function validateTarget(type: DestinationType, given: Target): Target {
  const keys: readonly string[] = DESTINATION_KINDS[type].target.keys;
  for (const [key, value] of Object.entries(given)) {
    const param = `target.${key}`;
    if (!keys.includes(key)) {
      throw invalidParameter(param, `The target of a destination of type ${type} is ${keys.join(', ')}.`);
    }
    const most = key === 'url' ? FIXED_LIMITS.url_characters : FIXED_LIMITS.name_characters;
    if (value.length === 0 || value.length > most) {
      throw invalidParameter(param, `${param} must have 1 to ${most} characters.`);
    }
  }
  for (const key of keys) {
    if (!Object.hasOwn(given, key)) {
      throw new ServiceError('parameter_missing', {
        param: `target.${key}`,
        message: `target.${key} is required for a destination of type ${type}.`,
      });
    }
  }
  return given;
}

/** Whether two targets are the same place: names are for people and may change. */
export function samePlace(one: Target, other: Target): boolean {
  const ids = (target: Target) =>
    Object.entries(target)
      .filter(([key]) => !key.endsWith('_name'))
      .map(([key, value]) => `${key}\n${value}`)
      .toSorted();
  return ids(one).join('\n\n') === ids(other).join('\n\n');
}
