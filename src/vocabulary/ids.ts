/**
 * Identity (docs/api-conventions.md#identifiers): one UUIDv7 (RFC 9562) per row. v2 shows `prefix_` plus 22 base62
 * characters of its 128 bits, v1 and webhook rows show the same UUID raw, so one row has one identity on every surface.
 */

/** Every prefix v2 uses for a row of our own, by the type of resource (docs/api-conventions.md#identifiers). */
export const ID_PREFIXES = {
  account_record: 'acc',
  api_key: 'key',
  link_session: 'ls',
  connection: 'conn',
  consent: 'cons',
  account: 'acct',
  destination: 'dest',
  destination_link: 'dl',
  sync: 'sync',
  sync_run: 'run',
  category: 'cat',
  ruleset: 'rset',
  rule: 'rule',
  event_destination: 'ed',
  event: 'evt',
  webhook_delivery: 'wd',
  simplefin_app: 'sfa',
  simplefin_setup_token: 'sft',
  user: 'usr',
  web_session: 'ses',
  passkey: 'pk',
  invitation: 'inv',
  oauth_grant: 'oag',
  rejected_row: 'rej',
  audit_event: 'aud',
  notification: 'ntf',
  push_device: 'pd',
  notification_threshold: 'nt',
  saved_view: 'sv',
  category_assignment: 'cas',
  document: 'doc',
} as const;

export type ResourceType = keyof typeof ID_PREFIXES;

/** Lower-case UUID text of a row of the type `N`. The brand prevents a sync's id from being used as a run's. */
export type RowId<N extends ResourceType> = string & { readonly __resource: N };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE62_LENGTH = 22;
const MAX_UUID = (1n << 128n) - 1n;
const DIGITS = new Map([...ALPHABET].map((character, value) => [character, BigInt(value)]));

/** The id of an account record, which owns everything else. */
export type OwnerId = RowId<'account_record'>;

/** Whether the text is a UUID in the form that is stored: lower case with hyphens. */
export function isRowId<N extends ResourceType>(_noun: N, text: string): text is RowId<N> {
  return UUID.test(text);
}

/** The UUID as a row id of `resource`. Raises a TypeError for anything that is not a lower-case UUID. */
export function rowId<N extends ResourceType>(resource: N, uuid: string): RowId<N> {
  if (!isRowId(resource, uuid)) throw new TypeError(`not a UUID for ${resource}`);
  return uuid;
}

/** `prefix_` plus 22 base62 characters, the form of every own id in v2. */
export function publicId<N extends ResourceType>(resource: N, id: RowId<N>): string {
  return `${ID_PREFIXES[resource]}_${rememberedBase62(id)}`;
}

const LABELS: Partial<Record<ResourceType, string>> = {
  api_key: 'API key',
  oauth_grant: 'app',
  simplefin_app: 'app',
  simplefin_setup_token: 'setup token',
};

/** What people call a row of the resource. */
export function resourceLabel(resource: ResourceType): string {
  return LABELS[resource] ?? resource.replaceAll('_', ' ');
}

/** A JSON Schema pattern that every id of the resource matches. Not every matching text is an id. */
export function publicIdPattern(resource: ResourceType): string {
  return `^${ID_PREFIXES[resource]}_[0-9A-Za-z]{${BASE62_LENGTH}}$`;
}

/** About 150 bytes each. Workers encode the id of each event, most of them once. */
const MAX_REMEMBERED = 2_000;
const remembered = new Map<string, string>();

/** The same few ids are shown over and over, and encoding one costs more than everything else in a small response. */
function rememberedBase62(uuid: string): string {
  const known = remembered.get(uuid);
  if (known !== undefined) return known;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const text = toBase62(uuid);
  remembered.set(uuid, text);
  return text;
}

/** The row id behind a public id, or null when the text is not an id of this resource. Never raises. */
export function parsePublicId<N extends ResourceType>(resource: N, text: string): RowId<N> | null {
  const prefix = `${ID_PREFIXES[resource]}_`;
  if (text.length !== prefix.length + BASE62_LENGTH || !text.startsWith(prefix)) return null;
  let value = 0n;
  for (let at = prefix.length; at < text.length; at++) {
    const digit = DIGITS.get(text.charAt(at));
    if (digit === undefined) return null;
    value = value * 62n + digit;
  }
  if (value > MAX_UUID) return null;
  const hex = value.toString(16).padStart(32, '0');
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  return isRowId(resource, uuid) ? uuid : null;
}

/** Five base62 digits at a time: the largest power whose long division by 16-bit limbs stays exact in a number. */
const STEP = 62 ** 5;
const LIMBS = [0, 4, 9, 14, 19, 24, 28, 32];

/** Long division by hand: ids are shown on every row of every list, and big integers cost ten times as much. */
function toBase62(uuid: string): string {
  let limbs = LIMBS.map((at) => Number.parseInt(uuid.slice(at, at + 4), 16));
  let text = '';
  while (text.length < BASE62_LENGTH) {
    let rest = 0;
    limbs = limbs.map((limb) => {
      const value = rest * 65_536 + limb;
      const whole = Math.floor(value / STEP);
      rest = value - whole * STEP;
      return whole;
    });
    let digits = '';
    for (let digit = 0; digit < 5; digit++) {
      const whole = Math.floor(rest / 62);
      digits = ALPHABET.charAt(rest - whole * 62) + digits;
      rest = whole;
    }
    text = digits + text;
  }
  return text.slice(-BASE62_LENGTH);
}
