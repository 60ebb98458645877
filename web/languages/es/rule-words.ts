import type * as english from '../../src/text/rule-words.ts';

/** With articles, because they are read before operators: "Si la descripción contiene «café», …" */
export const FIELD_WORDS: typeof english.FIELD_WORDS = {
  description: 'la descripción',
  extended_description: 'la descripción ampliada',
  merchant_name: 'el comercio',
  reference: 'la referencia',
  amount: 'el importe',
  currency: 'la moneda',
  direction: 'el sentido',
  status: 'el estado',
  class: 'el tipo',
  date: 'la fecha',
  provider_category: 'el código del proveedor',
  merchant_category_code: 'el código de categoría del comercio',
  category: 'la categoría',
  account: 'la cuenta',
};

/** For fields of both genders. */
const COMMON: typeof english.OPERATOR_WORDS.text = {
  equals: 'es',
  not_equals: 'no es',
  contains: 'contiene',
  not_contains: 'no contiene',
  starts_with: 'empieza por',
  ends_with: 'termina en',
  matches: 'coincide con el patrón',
  in: 'es uno de los textos',
  not_in: 'no es ninguno de los textos',
  gt: 'es mayor que',
  gte: 'es como mínimo',
  lt: 'es menor que',
  lte: 'es como máximo',
  between: 'está entre',
  is_empty: 'está en blanco',
  is_not_empty: 'no está en blanco',
};
const MASCULINE: typeof COMMON = { ...COMMON, in: 'es uno de', not_in: 'no es ninguno de' };
const FEMININE: typeof COMMON = { ...COMMON, in: 'es una de', not_in: 'no es ninguna de' };

export const OPERATOR_WORDS: typeof english.OPERATOR_WORDS = {
  text: COMMON,
  code: MASCULINE,
  amount: MASCULINE,
  day: {
    ...FEMININE,
    gt: 'es posterior a',
    gte: 'es igual o posterior a',
    lt: 'es anterior a',
    lte: 'es igual o anterior a',
  },
  word: MASCULINE,
  currency: FEMININE,
  category: FEMININE,
  account: FEMININE,
};

export const VALUE_WORDS: typeof english.VALUE_WORDS = {
  credit: 'una entrada de dinero',
  debit: 'una salida de dinero',
  posted: 'contabilizado',
  pending: 'pendiente',
  payment: 'pago',
  transfer: 'transferencia',
  fee: 'comisión',
  interest: 'intereses',
  other: 'otro',
};

export const READING: typeof english.READING = {
  when: (conditions) => `Si ${conditions}`,
  it: 'el movimiento',
  every: 'En todos los movimientos',
  rule: (when, actions) => `${when}, ${actions}.`,
  stop: 'detenerse ahí',
  quoted: (text) => `«${text}»`,
  sameCase: ' (con las mismas mayúsculas)',
  between: (low, high) => `${low} y ${high}`,
  or: 'o',
  and: 'y',
  not: (conditions) => `no se cumple (${conditions})`,
  group: (conditions) => `(${conditions})`,
  nothing: '…',
  gone: 'una categoría eliminada',
  setDescription: (value) => `poner ${value} en la descripción`,
  replace: (find, value, field) => `sustituir ${find} por ${value} en ${field}`,
  remove: (find, field) => `quitar ${find} donde aparezca en ${field}`,
  setMerchant: (value) => `poner ${value} en el comercio`,
  setCategory: (name) => `asignar la categoría ${name}`,
  clearCategory: 'quitar la categoría',
  setMemo: (value) => `poner ${value} en la nota`,
  flipSign: 'cambiar el signo del importe',
  addTag: (value) => `añadir la etiqueta ${value}`,
  skip: 'omitir el movimiento',
};
