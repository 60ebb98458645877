import type { SimulatedRequest } from '../shared/request.ts';
import { unauthorized } from '../shared/vendor-error.ts';
import type { User, Users } from './users.ts';

/** How the app identifies itself. */
export type AppCredentials = { readonly appToken: string; readonly appSecret: string };

/** Checks who calls: every call names the app, and has a user's token or the app's secret. */
export class Credentials {
  readonly #app: AppCredentials;
  readonly #users: Users;

  constructor(app: AppCredentials, users: Users) {
    this.#app = app;
    this.#users = users;
  }

  get appToken(): string {
    return this.#app.appToken;
  }

  /** Refuses calls that do not name the app. */
  requireApp({ headers }: Pick<SimulatedRequest, 'headers'>): void {
    if (headers['x-akahu-id'] !== this.#app.appToken) throw unauthorized('Invalid X-Akahu-Id header');
  }

  /** The user of the token in the request. */
  userOf({ headers }: Pick<SimulatedRequest, 'headers'>): User {
    const [, token = ''] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? [];
    const user = this.#users.ofToken(token);
    if (user === null) throw unauthorized('Invalid user token');
    return user;
  }

  /** Refuses calls that do not prove the app's secret. */
  requireSecret({ headers }: Pick<SimulatedRequest, 'headers'>): void {
    const { appToken, appSecret } = this.#app;
    const basic = Buffer.from(`${appToken}:${appSecret}`).toString('base64');
    if (headers.authorization !== `Basic ${basic}`) throw unauthorized('Invalid app token or secret');
  }

  isApp(appToken: string, appSecret: string): boolean {
    return appToken === this.#app.appToken && appSecret === this.#app.appSecret;
  }
}
