import { hasOneAccountRecord } from '../../storage/account-records.ts';
import type { Db } from '../../storage/database.ts';
import type { OwnerId } from '../../vocabulary/ids.ts';
import type { ProviderIdentifier } from '../../vocabulary/provider-kinds.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { ProviderGateway } from '../provider-gateway/provider-gateway.ts';

/** Who may use providers that work with one person's own credentials (docs/linking.md#personal-credentials). */
export class PersonalProviders {
  readonly #deps: {
    readonly db: Db;
    readonly gateway: { readonly providers: Pick<ProviderGateway['providers'], 'isPersonal'> };
  };
  readonly #named: OwnerId | null;

  /** @param named the account record of PERSONAL_ACCOUNT; null if it is not set */
  constructor(
    deps: {
      readonly db: Db;
      readonly gateway: { readonly providers: Pick<ProviderGateway['providers'], 'isPersonal'> };
    },
    named: OwnerId | null,
  ) {
    this.#deps = deps;
    this.#named = named;
  }

  /**
   * Whether the account record may link the provider; any may if it is not personal. Without PERSONAL_ACCOUNT, only the
   * sole account record may, since with several it is unknown whose bank it is.
   */
  async mayLink(provider: ProviderIdentifier, owner: OwnerId, db: Db = this.#deps.db): Promise<boolean> {
    if (!this.#deps.gateway.providers.isPersonal(provider)) return true;
    return this.#named === null ? hasOneAccountRecord(db) : this.#named === owner;
  }

  /** The message of a refusal, for the operator. */
  explain(provider: ProviderIdentifier): string {
    return `${provider} reads one person's own accounts, so only one account record may link it. The operator has to name it in PERSONAL_ACCOUNT.`;
  }

  /**
   * Raises `upstream_auth_failed` if PERSONAL_ACCOUNT names another account record. Without it, nothing is refused: an
   * account record that is created later does not affect the one that linked before.
   */
  requireReadable(provider: ProviderIdentifier, owner: OwnerId): void {
    if (this.#named === null || this.#named === owner || !this.#deps.gateway.providers.isPersonal(provider))
      return;
    throw new ServiceError('upstream_auth_failed', {
      message: `The operator has named another account record in PERSONAL_ACCOUNT, so ${provider} is not read for this one.`,
    });
  }
}
