import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn } from '../../features/sign-in/session-authenticator.ts';
import type { AccountRecord } from '../../storage/account-records.ts';
import { parsePublicId, publicId } from '../../vocabulary/ids.ts';
import { SHOWN_RECORD_FIELD } from '../../vocabulary/shown-record.ts';
import { isFromElsewhere } from '../http/form-origin.ts';
import { Html, html } from '../http/html.ts';
import { type PageContent, sendOn, sendPage } from '../http/page.ts';
import { queryOf, sameAddress } from '../http/request-url.ts';
import { signInQuery } from '../http/sign-in-query.ts';
import { SETTINGS } from '../text/account.ts';
import { field, problemOf } from './form.ts';
import { isFresh } from './signed-in.ts';
import { pathOf, type WebOptions } from './web-options.ts';

/** The notice above the parts of a page: what was done, or why it was not. */
export interface SettingsNotice<D extends string> {
  readonly done: D | null;
  readonly problem: string | null;
}

/** A settings page: its address, and what it shows to a person. */
interface SettingsPage<D extends string> {
  readonly path: `/${string}`;
  /** The notices of what was done, by their names in the address. */
  readonly isDone: (text: string) => text is D;
  /** Whether it requires a recent sign-in. */
  readonly fresh?: boolean;
  /** Raises if a person may not use the page and its forms. */
  readonly allow?: (signedIn: SignedIn) => Promise<void>;
  readonly content: (
    signedIn: SignedIn,
    page: string,
    notice: SettingsNotice<D>,
    request: FastifyRequest,
  ) => Promise<PageContent>;
}

/** What a form does; returns the notice to show, or has answered the request itself. */
export type SettingsStep<D extends string> = (
  signedIn: SignedIn,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<D | FastifyReply>;

type NeedsFresh = (signedIn: SignedIn, request: FastifyRequest) => Promise<boolean>;

interface SettingsForms<D extends string> {
  /**
   * Registers a form of the page. `fresh`: whether it requires a recent sign-in, or for which requests. `kept`: the
   * fields that are added to the page's address when the person has to sign in first, so that it shows them again.
   */
  readonly takes: (
    path: `/${string}` | '',
    fresh: boolean | NeedsFresh,
    step: SettingsStep<D>,
    kept?: readonly string[],
  ) => void;
}

/** Registers a settings page for signed-in people, and returns a function that registers its forms. */
export function registerSettingsPage<D extends string>(
  scope: FastifyInstance,
  options: Pick<WebOptions, 'appUrl' | 'webSessions' | 'clock' | 'limits'>,
  { path, isDone, content, fresh: always = false, allow = async () => undefined }: SettingsPage<D>,
): SettingsForms<D> {
  const { appUrl, webSessions } = options;
  const page = pathOf(appUrl, path);
  /** `kept`: fields of the form that the page shows again. */
  const signIn = (
    request: FastifyRequest,
    signedIn: SignedIn | null,
    kept: readonly string[] = [],
  ): string => {
    const typed = kept
      .map((name): [string, string] => [name, field(request, name)])
      .filter(([, value]) => value !== '');
    const back = typed.length === 0 ? sameAddress(request) : `?${new URLSearchParams(typed)}`;
    const record =
      signedIn?.caller.accountRecord.id ??
      parsePublicId('account_record', field(request, SHOWN_RECORD_FIELD));
    const query = signInQuery(`${page}${back}`, { fresh: signedIn !== null, record });
    return `${pathOf(appUrl, '/sign-in')}${query}`;
  };

  const show = async (
    reply: FastifyReply,
    status: number,
    signedIn: SignedIn,
    notice: SettingsNotice<D>,
    request: FastifyRequest,
  ): Promise<FastifyReply> => {
    const shown = await content(signedIn, page, notice, request);
    const body = sayingRecord(shown.body, signedIn.caller.accountRecord);
    return sendPage(reply, status, { ...shown, body });
  };

  scope.get(path, async (request, reply) => {
    const signedIn = await webSessions.find(request.headers.cookie);
    if (signedIn === null) return sendOn(reply, signIn(request, null));
    await allow(signedIn);
    if (always && !isFresh(signedIn, options)) return sendOn(reply, signIn(request, signedIn));
    const { done = '' } = queryOf(request);
    const notice = { problem: null, done: isDone(done) ? done : null };
    return show(reply, 200, signedIn, notice, request);
  });

  return {
    takes(below, fresh, step, kept = []) {
      scope.post(`${path}${below}`, async (request, reply) => {
        if (isFromElsewhere(request.headers, appUrl)) return sendOn(reply, page);
        const signedIn = await webSessions.find(request.headers.cookie);
        if (signedIn === null) return sendOn(reply, signIn(request, null, kept));
        await allow(signedIn);
        const needsFresh = typeof fresh === 'boolean' ? fresh : await fresh(signedIn, request);
        if (isOfOtherRecord(request, signedIn.caller.accountRecord)) {
          const notice = { problem: SETTINGS.otherRecord, done: null };
          return show(reply, 409, signedIn, notice, request);
        }
        if (needsFresh && !isFresh(signedIn, options)) {
          return sendOn(reply, signIn(request, signedIn, kept));
        }
        try {
          const answer = await step(signedIn, request, reply);
          return typeof answer === 'string' ? sendOn(reply, `${page}?done=${answer}`) : answer;
        } catch (error) {
          const notice = { problem: problemOf(error), done: null };
          return show(reply, 400, signedIn, notice, request);
        }
      });
    },
  };
}

/** Text from strangers is escaped, so this is a form of ours. */
const FORM = /<form\b[^>]*\bmethod="post"[^>]*>/g;

/** The body of a page, with the shown account record added to each of its forms. */
function sayingRecord(body: Html, { id }: Pick<AccountRecord, 'id'>): Html {
  const said = html`<input type="hidden" name="${SHOWN_RECORD_FIELD}" value="${publicId('account_record', id)}">`;
  return new Html(body.text.replaceAll(FORM, (form) => `${form}${said.text}`));
}

/** Whether the form's page showed another account record than the session's current one. */
function isOfOtherRecord(request: FastifyRequest, { id }: Pick<AccountRecord, 'id'>): boolean {
  const shown = field(request, SHOWN_RECORD_FIELD);
  return shown !== '' && shown !== publicId('account_record', id);
}
