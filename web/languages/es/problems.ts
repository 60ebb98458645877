import { numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/problems.ts';

export const PROBLEMS: typeof english.PROBLEMS = {
  title: 'No se ha podido cargar',
  failed: 'No ha funcionado',
  unreachable: 'El servicio no responde. Compruebe su conexión e inténtelo de nuevo.',
  pageMissing: 'Página no cargada',
  scriptMissing:
    'Falta esta parte de la aplicación. Inténtelo de nuevo más tarde; si sigue igual, comuníquelo.',
  unknown: 'Ha ocurrido algo inesperado en esta página. Vuelva a cargarla; si ocurre otra vez, comuníquelo.',
  signedOut: 'Su sesión ha terminado, por lo que no se ha leído ni cambiado nada.',
  reference: (id) => `Referencia: ${id}`,
  explain: 'Qué significa esto',
  switchTo: (record) => `Cambiar a ${record}`,
  againAt: (time) => `Su banco permite otra lectura a las ${time}. Entonces se leerá.`,
  again: 'Intentar de nuevo',
  signIn: 'Volver a iniciar sesión en una pestaña nueva',
  signInHint: 'Después, vuelva a esta página y repita lo que hizo. Lo que ha introducido se conserva.',
  dismiss: 'Descartar',
  undo: 'Deshacer',
  undoShortcut: 'Control+Z Meta+Z',
  undoKeys: 'Pulse Control Z para deshacer.',
  undone: 'Deshecho',
  partlyUndone: 'No se ha deshecho todo',
  loading: 'Cargando',
  cancel: 'Cancelar',
  close: 'Cerrar',
  save: 'Guardar',
  copy: 'Copiar',
  copied: 'Copiado',
  showMore: 'Mostrar más',
  printedOnly: (shown, all) =>
    `Las primeras ${numberText(shown)} entradas de ${numberText(all)}. Para tenerlas todas, descargue un archivo.`,
  listKeys: 'Use las flechas para moverse entre las filas y la tecla Enter para abrir una.',
  asTable: 'Mostrar como tabla',
  dayOutOfRange: 'Este día está fuera del intervalo que se puede mostrar.',
};

export const ROLES: typeof english.ROLES = {
  title: 'Solo un propietario puede hacer esto',
  text: 'Puede leer esta cuenta, pero no cambiarla. Consulte a uno de sus propietarios o pídale que cambie su rol.',
  sentence: 'Solo un propietario puede cambiar esto.',
};
