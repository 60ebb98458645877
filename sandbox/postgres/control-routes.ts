import { Type } from 'typebox';
import type { ControlRoute } from '../shared/control-api.ts';
import { parseControl } from '../shared/control-input.ts';
import type { PostgresControl } from './control.ts';

const ExecuteBody = Type.Object({ sql: Type.String({ minLength: 1 }) }, { additionalProperties: false });
const PasswordBody = Type.Object(
  { password: Type.String({ minLength: 1 }) },
  { additionalProperties: false },
);

/** The JSON interface of {@link PostgresControl}; see docs/sandbox.md. */
export const CONTROL_ROUTES: readonly ControlRoute<PostgresControl>[] = [
  ['POST', /^\/execute$/, (control, { body }) => control.execute(parseControl(ExecuteBody, body).sql)],
  [
    'POST',
    /^\/password$/,
    (control, { body }) => {
      control.password = parseControl(PasswordBody, body).password;
    },
  ],
  ['GET', /^\/tables$/, (control) => ({ tables: control.tables() })],
  ['GET', /^\/rows$/, (control) => ({ rows: control.rows() })],
];
