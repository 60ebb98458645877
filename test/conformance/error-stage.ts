import { sql } from 'kysely';
import { startWithVendor } from '../connectors/destinations/support/linked.ts';
import type { Vendor } from '../connectors/destinations/support/vendor.ts';
import { withReadDeadline } from '../support/read-deadline.ts';
import { startService, type TestOwner, type TestService } from '../support/service.ts';
import { type AwayStage, openAway } from './away.ts';
import { PATIENT, SET_UP, Stage } from './stage.ts';

/** Every tier permits one request, every stranger one attempt. */
const HURRIED = {
  ROLES: 'api',
  LIMIT_RATE_CHEAP: '1',
  LIMIT_RATE_MID: '1',
  LIMIT_RATE_HEAVY: '1',
  LIMIT_RATE_MUTATING: '1',
  LIMIT_AUTH_FAILURES: '1',
  LIMIT_API_KEYS: '1',
  LIMIT_SIMPLEFIN_APPS: '1',
  LIMIT_READ_DEADLINE_MS: '8000',
  LIMIT_INSTITUTIONS_CACHE_SECONDS: '0',
};

const IMPATIENT_MS = 750;

interface Others {
  readonly hurried: TestService;
  /** Can no longer look keys up. */
  readonly broken: TestService;
  readonly unlucky: TestOwner;
  readonly away: AwayStage;
}

/** The stage of those who are refused, with services in states that no other answers from. */
export class ErrorStage extends Stage {
  readonly hurried: TestService;
  /** Someone with a key at a service that can no longer look keys up. */
  readonly unlucky: Pick<TestOwner, 'v2'>;
  /** Someone with a key at a service whose database does not answer in time. */
  readonly away: AwayStage;
  readonly #broken: TestService;
  #limited: Promise<TestOwner> | null = null;
  #saver: Promise<TestOwner> | null = null;

  private constructor(service: TestService, vendor: Vendor, { hurried, broken, unlucky, away }: Others) {
    super(service, vendor);
    this.hurried = hurried;
    this.#broken = broken;
    this.unlucky = unlucky;
    this.away = away;
  }

  static override async open(): Promise<ErrorStage> {
    const { service, vendor } = await startWithVendor(PATIENT, SET_UP);
    const hurried = await startService(HURRIED);
    const broken = await startService({ ROLES: 'api' });
    const unlucky = await broken.owner();
    await sql`alter table api_keys rename to mislaid_keys`.execute(broken.app.database.db);
    return new ErrorStage(service, vendor, { hurried, broken, unlucky, away: await openAway() });
  }

  override async close(): Promise<void> {
    await super.close();
    await this.hurried.close();
    await this.#broken.close();
    await this.away.close();
  }

  /** Does the work with a short read deadline, which should end it. */
  impatiently<T>(work: () => Promise<T>): Promise<T> {
    return withReadDeadline(this.service, IMPATIENT_MS, () =>
      withReadDeadline(this.hurried, IMPATIENT_MS, work),
    );
  }

  /** Sends a number of requests at once. Of several, those that are admitted should end by the read deadline. */
  atOnce<T>(times: number, ask: () => Promise<T>): Promise<T[]> {
    const askAll = () => Promise.all(Array.from({ length: times }, ask));
    return times === 1 ? askAll() : this.impatiently(askAll);
  }

  /** Someone who may ask once in each tier, and whom every provocation may refuse. */
  limited(): Promise<TestOwner> {
    this.#limited ??= this.hurried.owner();
    return this.#limited;
  }

  /** Someone on a plan without the API. */
  saver(): Promise<TestOwner> {
    this.#saver ??= this.#onSaver();
    return this.#saver;
  }

  async #onSaver(): Promise<TestOwner> {
    const owner = await this.service.owner();
    await this.service.app.services.accountRecords.update(owner.record.id, { plan: 'saver' });
    return owner;
  }
}
