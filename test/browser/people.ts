import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { User } from '../../src/storage/users.ts';
import type { MemberRole } from '../../src/vocabulary/member-roles.ts';
import { addPerson, signedIn } from '../support/people.ts';
import type { TestOwner, TestService } from '../support/service.ts';
import { newVisitor } from './chromium.ts';

/** Pages that the service writes. */
const WITHOUT_NAVIGATION = ['/settings', '/oauth', '/link/', '/connect/'];

/** A person with their own browser, signed in through the sign-in page. */
export interface SignedInVisitor {
  readonly owner: TestOwner;
  readonly page: Page;
  /** What pages have complained of since the visit began. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

/**
 * Signs someone in and opens a page of the application as they do, then waits until it is there. The form of the
 * sign-in page is sent without showing the page, which would take as long as a test.
 */
export async function signedInAt(
  path: string,
  {
    browser,
    service,
    owner,
    as,
    role = 'owner',
    ...options
  }: {
    readonly browser: Browser;
    readonly service: TestService;
    readonly owner: TestOwner;
    /** Who; by default a new person. */
    readonly as?: User | undefined;
    /** The role of a new person. */
    readonly role?: MemberRole;
    readonly phone?: boolean;
    readonly scheme?: BrowserContextOptions['colorScheme'];
    readonly worker?: boolean;
  },
): Promise<SignedInVisitor> {
  const person = as ?? (await addPerson(service, owner, { role }));
  const { page, context, complaints } = await newVisitor(browser, options);
  const { cookies } = await signedIn(service, person);
  await context.addCookies(
    [...cookies].map(([name, value]) => ({ name, value, url: service.url, httpOnly: true, sameSite: 'Lax' })),
  );
  await page.goto(new URL(path, service.url).href);
  if (!WITHOUT_NAVIGATION.some((start) => path.startsWith(start))) {
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  }
  return { owner, page, complaints, close: () => context.close() };
}

/** Opens a page as someone who is signed out. */
export async function signedOutAt(
  path: string,
  {
    browser,
    service,
    owner,
    ...options
  }: {
    readonly browser: Browser;
    readonly service: TestService;
    readonly owner: TestOwner;
    readonly phone?: boolean;
    readonly scheme?: BrowserContextOptions['colorScheme'];
  },
): Promise<SignedInVisitor> {
  const { page, context, complaints } = await newVisitor(browser, options);
  await page.goto(new URL(path, service.url).href);
  return { owner, page, complaints, close: () => context.close() };
}

/** Opens a scene as anyone who sees it. */
export function visitorOf(
  {
    owner,
    path,
    as,
  }: { readonly owner: TestOwner; readonly path: string; readonly as?: User | 'signed-out' },
  how: {
    readonly browser: Browser;
    readonly service: TestService;
    readonly phone?: boolean;
    readonly scheme?: BrowserContextOptions['colorScheme'];
  },
): Promise<SignedInVisitor> {
  return as === 'signed-out' ? signedOutAt(path, { ...how, owner }) : signedInAt(path, { ...how, owner, as });
}
