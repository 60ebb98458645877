import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/shell.ts';

export const SHELL: typeof english.SHELL = {
  product: 'Tributary',
  skip: 'Ir al contenido',
  navigation: 'Principal',
  home: 'Inicio',
  needsYou: (count) => counted(count, 'asunto requiere su atención', 'asuntos requieren su atención'),
  connections: 'Conexiones',
  transactions: 'Movimientos',
  syncs: 'Sincronizaciones',
  categories: 'Categorías',
  destinations: 'Destinos',
  holdings: 'Posiciones',
  developer: 'Desarrollo',
  more: 'Más',
  account: 'Su cuenta',
  plan: { saver: 'Saver', developer: 'Developer', professional: 'Professional' },
  trial: 'Prueba',
  settings: 'Configuración',
  security: 'Seguridad y sesiones',
  guides: 'Guías',
  reference: 'Referencia de la API',
  signOut: 'Cerrar sesión',
  language: 'Idioma',
  theme: 'Tema',
  themes: { auto: 'Sistema', light: 'Claro', dark: 'Oscuro' },
  missing: {
    title: 'Página no encontrada',
    text: 'No hay nada en esta dirección.',
    action: 'Ir a Inicio',
    documentation: 'Buscar en la documentación',
  },
  offline:
    'No hay conexión. Lo que se muestra puede no estar al día, y no se puede cambiar nada hasta que vuelva la red.',
  palette: {
    title: 'Buscar en todo',
    button: 'Buscar',
    placeholder: 'Busque o escriba qué quiere hacer',
    shortcut: (isMac) => (isMac ? '⌘ K' : 'Ctrl K'),
    shortcuts: 'Control+K Meta+K',
  },
  keys: {
    title: 'Atajos de teclado',
    all: [
      ['j', 'Fila siguiente de una lista'],
      ['k', 'Fila anterior'],
      ['Enter', 'Abrir la fila'],
      ['x', 'Marcar o desmarcar la fila, donde se puedan seleccionar filas'],
      ['?', 'Mostrar estas teclas'],
      ['Ctrl K', 'Buscar en todo; en un Mac, ⌘ K. Este atajo siempre funciona.'],
    ],
    use: 'Usar estas teclas',
    hint: 'Desactívelas si habla con su equipo o usa pulsadores. La elección se guarda en este navegador.',
    close: 'Cerrar',
  },
  records: {
    shown: 'Cuenta de Tributary',
    switchTo: 'Cambiar de cuenta de Tributary',
    all: 'Todas las cuentas de Tributary',
  },
  switched: {
    title: 'Ahora está viendo otra cuenta',
    text: 'Ha cambiado a ella en otra pestaña de este navegador. Lo que estaba haciendo aquí no se ha realizado.',
  },
  ended: {
    title: 'Se ha cerrado la sesión',
    text: 'Su sesión ha terminado. Vuelva a iniciar sesión en una pestaña nueva y regrese aquí para continuar: lo que ha introducido se conserva.',
    again: 'Ya he iniciado sesión',
    notYet: 'Aún no ha iniciado sesión.',
  },
  tooMany: {
    title: (seconds) =>
      `Demasiadas solicitudes. Disponible de nuevo en ${seconds === 1 ? 'un segundo' : `${seconds} segundos`}.`,
    text: 'Lo que ve se conserva, y esta página continúa automáticamente.',
  },
  abandoned: {
    title: 'No se ha realizado un cambio',
    text: 'El servicio estaba demasiado ocupado para guardarlo, y usted salió o canceló antes de que se volviera a enviar.',
  },
  pageTitle: (title) => `${title} · Tributary`,
};
