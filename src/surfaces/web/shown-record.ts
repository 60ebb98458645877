import type { FastifyRequest } from 'fastify';
import type { AccountRecord } from '../../storage/account-records.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { SHOWN_RECORD_FIELD } from '../../vocabulary/shown-record.ts';
import { Html, html } from '../http/html.ts';
import { field } from './form.ts';

/** What strangers wrote is escaped, so this is a form of ours. */
const FORM = /<form\b[^>]*\bmethod="post"[^>]*>/g;

/** The body of a page with the account record that it shows in each of its forms. */
export function sayingRecord(body: Html, { id }: Pick<AccountRecord, 'id'>): Html {
  const said = html`<input type="hidden" name="${SHOWN_RECORD_FIELD}" value="${publicId('account_record', id)}">`;
  return new Html(body.text.replaceAll(FORM, (form) => `${form}${said.text}`));
}

/** Whether the form was of a page that showed another account record than the one the session works with now. */
export function isOfOtherRecord(request: FastifyRequest, { id }: Pick<AccountRecord, 'id'>): boolean {
  const shown = field(request, SHOWN_RECORD_FIELD);
  return shown !== '' && shown !== publicId('account_record', id);
}
