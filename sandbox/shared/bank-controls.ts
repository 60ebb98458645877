import { type TProperties, Type } from 'typebox';
import { ControlError } from './control.ts';
import { bare, type ControlRoute } from './control-api.ts';
import { parseControl } from './control-input.ts';

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1 });

/** The body of rows to enter at a bank: what all banks have, which the command line sends, and what one adds. */
export function newRows<More extends TProperties>(more: More) {
  const row = Type.Object(
    {
      amount: text,
      description: Type.String(),
      status: Type.Optional(Type.Union([Type.Literal('PENDING'), Type.Literal('POSTED')])),
      ...more,
    },
    strict,
  );
  return Type.Object({ transactions: Type.Array(row) }, strict);
}

/** A row that is pending now. */
export type PendingRow = { readonly id: string; readonly amount: string; readonly description: string };

/** What may be done to the pending rows of every simulated bank, whose accounts are in states of their own. */
type AccountsControl<State extends string> = {
  pendingRows(account: string): readonly PendingRow[];
  settle(row: string): void;
  drop(row: string): void;
  setAccountState(account: string, state: State): void;
};

/** The routes of accounts and of their pending rows. */
export function accountRoutes<State extends string, Control extends AccountsControl<State>>(
  states: readonly State[],
): readonly ControlRoute<Control>[] {
  const body = Type.Object({ state: Type.String() }, strict);
  const isState = (sent: string): sent is State => states.some((state) => state === sent);
  return [
    [
      'GET',
      /^\/accounts\/([^/]+)\/pending$/,
      (control, { params: [id = ''] }) => ({ pending: control.pendingRows(id) }),
    ],
    [
      'POST',
      /^\/accounts\/([^/]+)\/state$/,
      (control, { params: [id = ''], body: sent }) => {
        const { state } = parseControl(body, sent);
        if (!isState(state)) throw new ControlError(`state must be one of ${states.join(', ')}.`);
        control.setAccountState(id, state);
      },
    ],
    ['POST', /^\/transactions\/([^/]+)\/settle$/, bare((control, id) => control.settle(id))],
    ['POST', /^\/transactions\/([^/]+)\/drop$/, bare((control, id) => control.drop(id))],
  ];
}
