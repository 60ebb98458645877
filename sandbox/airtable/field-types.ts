import { isRecord, type JsonObject } from '../shared/json.ts';
import { VendorError } from '../shared/vendor-error.ts';

/** Types of columns that the simulator supports, and what may be done with them. */
export const FIELD_TYPES = {
  singleLineText: { computed: false, primary: true, merge: true },
  multilineText: { computed: false, primary: true, merge: true },
  number: { computed: false, primary: true, merge: true },
  currency: { computed: false, primary: true, merge: false },
  date: { computed: false, primary: true, merge: true },
  singleSelect: { computed: false, primary: false, merge: true },
  multipleSelects: { computed: false, primary: false, merge: true },
  checkbox: { computed: false, primary: false, merge: false },
  formula: { computed: true, primary: true, merge: false },
} as const;
export type FieldType = keyof typeof FIELD_TYPES;

export function fieldType(name: unknown): FieldType | null {
  return typeof name === 'string' && isFieldType(name) ? name : null;
}

function isFieldType(name: string): name is FieldType {
  return Object.hasOwn(FIELD_TYPES, name);
}

const DATE_FORMATS = ['local', 'friendly', 'us', 'european', 'iso'];

/** The options a column is created with, as the vendor shows them afterwards; undefined for a type that has none. */
export function optionsOf(type: FieldType, given: unknown, newId: () => string): JsonObject | undefined {
  switch (type) {
    case 'number':
    case 'currency': {
      if (!isRecord(given)) throw refused();
      const { precision, symbol } = given;
      if (typeof precision !== 'number' || !Number.isInteger(precision)) throw refused();
      if (precision < 0 || precision > (type === 'number' ? 8 : 7)) throw refused();
      if (type === 'number') return { precision };
      if (typeof symbol !== 'string') throw refused();
      return { precision, symbol };
    }
    case 'date': {
      const format = isRecord(given) && isRecord(given.dateFormat) ? given.dateFormat.name : undefined;
      if (typeof format !== 'string' || !DATE_FORMATS.includes(format)) throw refused();
      return { dateFormat: { name: format } };
    }
    case 'singleSelect':
    case 'multipleSelects': {
      if (!isRecord(given) || !Array.isArray(given.choices)) throw refused();
      const names = given.choices.map((choice: unknown) => {
        if (!isRecord(choice) || typeof choice.name !== 'string' || choice.name === '') throw refused();
        return choice.name;
      });
      if (new Set(names).size !== names.length) throw refused();
      return { choices: names.map((name) => ({ id: newId(), name })) };
    }
    default:
      if (given !== undefined) throw refused();
      return undefined;
  }
}

function refused(): VendorError {
  return new VendorError(
    422,
    'INVALID_FIELD_TYPE_OPTIONS_FOR_CREATE',
    'The options do not fit the type of the field.',
  );
}
