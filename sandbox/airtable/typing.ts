import { isRecord, type JsonObject } from '../shared/json.ts';
import { VendorError } from '../shared/vendor-error.ts';
import { FIELD_TYPES } from './field-types.ts';
import type { Cell, SimulatedField } from './table.ts';

const MOST_CHARACTERS = 100_000;

/**
 * The value of a cell after a value was sent for it; null for an empty one. Refuses values that the column cannot
 * store.
 */
export function cellOf(
  field: SimulatedField,
  value: unknown,
  { typecast, newId }: { readonly typecast: boolean; readonly newId: () => string },
): Cell | null {
  const { type } = field;
  if (FIELD_TYPES[type].computed) throw invalid(field, 'is computed');
  if (value === null || value === '') return null;
  switch (type) {
    case 'singleLineText':
    case 'multilineText': {
      const text = typeof value === 'number' && typecast ? String(value) : value;
      if (typeof text !== 'string' || text.length > MOST_CHARACTERS) throw invalid(field, 'takes text');
      return text;
    }
    case 'number':
    case 'currency': {
      if (typeof value === 'number' && Number.isFinite(value)) return value;
      if (typecast && typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value)) return Number(value);
      throw invalid(field, 'takes numbers');
    }
    case 'date': {
      if (typeof value !== 'string' || !isDay(value)) throw invalid(field, 'takes dates');
      return value;
    }
    case 'checkbox': {
      const checked = typecast && typeof value === 'string' ? value === 'true' : value;
      if (typeof checked !== 'boolean') throw invalid(field, 'takes true and false');
      return checked ? true : null;
    }
    case 'singleSelect': {
      if (typeof value !== 'string') throw invalid(field, 'takes one of its options');
      return chosen(field, value, typecast, newId);
    }
    case 'multipleSelects': {
      const names = typecast && typeof value === 'string' ? value.split(',').map((one) => one.trim()) : value;
      if (!Array.isArray(names)) throw invalid(field, 'takes a list of its options');
      return names.map((name: unknown) => {
        if (typeof name !== 'string') throw invalid(field, 'takes a list of its options');
        return chosen(field, name, typecast, newId);
      });
    }
    default:
      throw invalid(field, 'takes nothing');
  }
}

function chosen(field: SimulatedField, name: string, typecast: boolean, newId: () => string): string {
  const choices = choicesOf(field);
  if (choices.some((choice) => choice.name === name)) return name;
  if (!typecast)
    throw new VendorError(
      422,
      'INVALID_MULTIPLE_CHOICE_OPTIONS',
      `Insufficient permissions to create new select option "${name}"`,
    );
  field.options = { choices: [...choices, { id: newId(), name }] };
  return name;
}

function choicesOf({ options }: SimulatedField): readonly JsonObject[] {
  const choices = isRecord(options) ? options.choices : undefined;
  return Array.isArray(choices) ? choices.filter((one): one is JsonObject => isRecord(one)) : [];
}

function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function invalid({ name }: SimulatedField, why: string): VendorError {
  return new VendorError(
    422,
    'INVALID_VALUE_FOR_COLUMN',
    `Field "${name}" cannot accept the provided value: it ${why}`,
  );
}
