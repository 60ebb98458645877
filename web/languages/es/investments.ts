import { counted, listText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/investments.ts';

export const BROKERAGE: typeof english.BROKERAGE = {
  tabs: 'Posiciones y operaciones',
  account: 'Cuenta',
  everyAccount: 'Todas las cuentas',
  unlinked: 'Aún no hay ningún bróker vinculado',
  unlinkedText:
    'Vincule un bróker para ver lo que tiene y las operaciones que ha hecho. Se lee del bróker cuando usted lo consulta y no se almacena.',
  link: 'Vincular un bróker',
  locked: 'Su plan no incluye datos de inversión',
  lockedText:
    'Las posiciones y las operaciones requieren el plan Professional o una prueba. Las cuentas bancarias y sus movimientos siguen como están.',
  explain: 'Qué incluye cada plan',
  accountFailed: (name) => `No se ha podido leer ${name}, por lo que falta aquí`,
};

export const HOLDINGS: typeof english.HOLDINGS = {
  title: 'Posiciones',
  filters: 'Filtros',
  sort: 'Ordenar por',
  sorts: { value: 'Mayor valor', name: 'Nombre', gain: 'Mayor ganancia', loss: 'Mayor pérdida' },
  count: (count) => counted(count, 'posición', 'posiciones'),
  none: 'Sin posiciones',
  noneText: 'El bróker no muestra posiciones en estas cuentas. El efectivo no es una posición.',
  inCurrency: (currency) => `Posiciones en ${currency}`,
  value: 'Valor de mercado',
  gain: 'Ganancia no realizada',
  loss: 'Pérdida no realizada',
  even: 'Ganancia o pérdida',
  unknownValues: (count) =>
    count === 1
      ? `${counted(count, 'posición', 'posiciones')} no tiene valor en el bróker y no está en los totales.`
      : `${counted(count, 'posición', 'posiciones')} no tienen valor en el bróker y no están en los totales.`,
  unknownGains: (count) =>
    `${counted(count, 'posición no tiene', 'posiciones no tienen')} ganancia ni pérdida en el bróker.`,
  holding: 'Posición',
  quantity: 'Cantidad',
  averagePrice: 'Precio promedio',
  price: 'Precio',
  account: 'Cuenta',
  share: 'Proporción del valor',
  unknown: 'No se comunica',
  unnamed: 'Posición sin nombre',
  refresh: 'Volver a leer',
};

export const ALLOCATION: typeof english.ALLOCATION = {
  title: 'Distribución',
  by: 'Agrupar por',
  choices: { position: 'Posición', type: 'Tipo', account: 'Cuenta', currency: 'Moneda' },
  types: {
    stock: 'Acciones',
    adr: 'Recibos de depósito (ADR)',
    etf: 'Fondos cotizados',
    mutual_fund: 'Fondos de inversión',
    closed_end_fund: 'Fondos de inversión cerrados',
    crypto: 'Criptomonedas',
    option: 'Opciones',
    future: 'Futuros',
    cfd: 'Contratos por diferencia',
    other: 'Otros',
    unknown: 'Tipo no comunicado',
  },
  label: (by, currency) => `Distribución por ${by.toLowerCase()}, en ${currency}`,
  inCurrency: (currency) => `En ${currency}`,
  others: (count) => `Otros: ${count}`,
  value: 'Valor',
  share: 'Proporción',
  apart: 'Las monedas van por separado si el operador no ha fijado un tipo de cambio entre ellas.',
  rates: (rates) => `Convertido a ${listText(rates)}, según lo fijado por el operador.`,
};

export const TRADES: typeof english.TRADES = {
  title: 'Operaciones',
  filters: 'Filtros',
  from: 'Desde',
  to: 'Hasta',
  type: 'Tipo',
  types: {
    all: 'Todos los tipos',
    buy: 'Compra',
    sell: 'Venta',
    dividend: 'Dividendo',
    split: 'Desdoblamiento',
    transfer: 'Transferencia',
    fee: 'Comisión',
    interest: 'Intereses',
    other: 'Otra',
  },
  rows: (count) => counted(count, 'operación', 'operaciones'),
  quantityAt: (quantity, price) => `${quantity} a ${price}`,
  fees: (fees) => `Comisiones: ${fees}`,
  settles: (day) => `Liquidación: ${day}`,
  noAmount: 'Sin importe',
  older: 'Buscar operaciones anteriores',
  loading: 'Cargando operaciones anteriores…',
  end: 'No hay operaciones anteriores en este período',
  none: 'No hay operaciones en este período',
  noneText: 'Elija días anteriores u otra cuenta.',
  unmatched: 'Ninguna operación coincide',
  unmatchedText: 'Elija otro tipo u otra cuenta.',
  moreFailed: 'No se han podido cargar las operaciones anteriores',
};
