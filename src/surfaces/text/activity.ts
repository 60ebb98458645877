import { AUDIT_KINDS, type AuditDetail, type AuditKind } from '../../vocabulary/audit-kinds.ts';
import { type Html, html } from '../http/html.ts';

const DETAILS: Readonly<Record<AuditDetail, string>> = {
  password: 'with a password',
  second_factor: 'with a password and a code',
  recovery_code: 'with a password and a recovery code',
  passkey: 'with a passkey',
  invitation: 'with an invitation',
  first_run: 'with the link for the first person',
};

export const ACTIVITY = {
  title: 'Activity',
  text: (days: number) =>
    `Who changed what can be done with this account record, and from where. Events are kept for ${days} days; none of them holds financial data.`,
  none: 'Nothing has been recorded yet.',
  happened: (kind: AuditKind, detail: AuditDetail | null): string => {
    const { text } = AUDIT_KINDS[kind];
    return detail === null ? text : `${text} ${DETAILS[detail]}`;
  },
  /** A person or a program, and where it asked from. */
  by: (name: string, browser: string | null, network: string): string =>
    [name, browser, network].filter((part) => part !== null && part !== '').join(', '),
  operator: 'The operator',
  operatorNamed: (name: string) => `${name} as operator`,
  key: (name: string) => `API key “${name}”`,
  app: (name: string) => `App “${name}”`,
  unknown: 'Unknown',
  service: 'The service',
  times: (count: number, last: Html): Html => html`${String(count)} times, last ${last}`,
  older: 'Older',
  newest: 'Newest',
} as const;
