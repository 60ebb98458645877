import { counted, numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/welcome.ts';

export const WELCOME: typeof english.WELCOME = {
  tour: {
    title: 'Hacer el recorrido',
    intro:
      'Esta instalación funciona con un entorno de pruebas: bancos simulados y una hoja de cálculo simulada, sin ninguna cuenta real. En cuatro pasos verá todo el recorrido, desde un banco hasta las filas y los gráficos con los que puede trabajar.',
  },
  guide: {
    title: 'Primeros pasos',
    intro: 'Tres pasos llevan de su banco a las filas en el lugar donde trabaja con ellas.',
  },
  leave: 'Ir directamente a Inicio',
  done: 'Hecho',
  linked: (bank, accounts) => `${bank}, ${counted(accounts, 'cuenta', 'cuentas')}`,
  listing: (bank) => `${bank} está vinculado. Recibiendo la lista de sus cuentas…`,
  copies: (sync) => `La sincronización «${sync}» copia ahora automáticamente los movimientos nuevos.`,
  sandboxBank: {
    title: 'Vincular un banco de prueba',
    text: 'Verá quién recibe qué, iniciará sesión en el banco simulado como uno de sus clientes ficticios y volverá aquí.',
    action: (bank) => `Vincular ${bank}`,
    other: 'Elegir otro banco',
  },
  bank: {
    title: 'Vincular un banco',
    text: 'Antes de que se comparta nada, verá quién lo recibe y qué recibe, y podrá ponerle fin en cualquier momento.',
    action: 'Vincular un banco',
    failed: 'Ahora no se puede abrir el banco',
  },
  spreadsheet: {
    title: 'Copiar sus movimientos a una hoja de cálculo',
    text: 'Conecte el Google Sheets simulado y vuelva aquí. No se necesita una cuenta de Google.',
    connect: 'Conectar las hojas de cálculo de prueba',
    connectFailed: 'Ahora no se pueden conectar las hojas de cálculo',
    connected:
      'Google Sheets está conectado. A continuación, Tributary crea allí una hoja de cálculo y copia los movimientos.',
    copy: 'Crear la hoja de cálculo y copiar',
    copyFailed: 'Los movimientos no se están copiando',
    name: 'Movimientos de Tributary',
    syncName: (bank) => `${bank} en una hoja de cálculo`,
  },
  rows: {
    title: 'Abrir las filas',
    text: 'En cuanto termine la primera ejecución, la hoja de cálculo se abre desde aquí.',
    waiting: 'La primera ejecución está empezando…',
    reading: (read, added) =>
      `${counted(read, 'fila leída', 'filas leídas')}, ${numberText(added)} ${added === 1 ? 'copiada' : 'copiadas'} hasta ahora…`,
    copied: (added) => `${counted(added, 'fila copiada', 'filas copiadas')}.`,
    failed: 'La ejecución no se ha completado.',
    again: 'Volver a ejecutar',
    open: 'Abrir la hoja de cálculo',
  },
  destination: {
    title: 'Añadir un destino',
    text: 'Una hoja de cálculo, una base de datos, una aplicación de presupuesto o un programa propio: el lugar donde trabaja con sus movimientos.',
    action: 'Añadir un destino',
  },
  sync: {
    title: 'Crear una sincronización',
    text: 'Copia al destino las cuentas que usted elija, ahora y después según una programación.',
    action: 'Crear una sincronización',
  },
  charts: {
    title: 'Ver adónde va el dinero',
    text: 'Inicio muestra las mismas cuentas y los mismos movimientos en gráficos: lo que hay y lo que se gastó en cada cosa.',
    action: 'Ver saldos y gastos',
  },
  notConnected: {
    failed: 'No se han conectado las hojas de cálculo',
    unknown: 'No se ha permitido nada allí. Puede volver a empezar en cualquier momento.',
  },
  finished:
    'Ese es todo el recorrido. Los saldos, los gastos y el estado de cada sincronización están en la página de inicio.',
  home: 'Ir a Inicio',
};
