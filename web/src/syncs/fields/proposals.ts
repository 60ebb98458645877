import type { Account, Category, ProviderCategory } from '#client';

/** What something could be mapped to, as the destination lists it. */
export interface Target {
  readonly id: string;
  readonly name: string;
}

/** A mapping that is set already, here or in another sync. */
export interface KnownMapping {
  /** The account, or the code of the category. */
  readonly of: string;
  readonly to: string;
  readonly toName: string | null;
}

/** A mapping of another sync, by its name. */
export interface EarlierMapping extends KnownMapping {
  readonly sync: string;
}

export type ProposalReason =
  | { readonly by: 'history'; readonly sync: string }
  | { readonly by: 'number'; readonly digits: string }
  | { readonly by: 'same_name' }
  | { readonly by: 'own_category'; readonly name: string }
  | { readonly by: 'similar_name' | 'type' };

/** What a select could be set to, and why. Nothing is set by it. */
export interface Proposal<T extends Target = Target> {
  readonly of: string;
  readonly target: T;
  readonly reason: ProposalReason;
}

interface Match<T extends Target> extends Proposal<T> {
  readonly score: number;
}

/** The order of reasons: what was decided before, then what identifies, then what resembles. */
const SCORES = {
  history: 100,
  earlierName: 90,
  number: 80,
  sameName: 70,
  ownCategory: 60,
  similar: 50,
} as const;

interface AccountsToMap<T extends Target> {
  /** Those of the sync, whether they are mapped or not. */
  readonly accounts: readonly Account[];
  readonly targets: readonly T[];
  readonly mapped: readonly KnownMapping[];
  readonly earlier: readonly EarlierMapping[];
}

/**
 * A place for each account that has none: at most one account for each place, and none that is in use. If two choices
 * are equally good, neither is proposed. The order of what is given changes nothing.
 */
export function accountProposals<T extends Target>({
  accounts,
  targets,
  mapped,
  earlier,
}: AccountsToMap<T>): readonly Proposal<T>[] {
  const done = new Set(mapped.map(({ of }) => of));
  const used = new Set(mapped.map(({ to }) => to));
  const open = accounts.filter(({ id }) => !done.has(id));
  const free = targets.filter(({ id }) => !used.has(id));
  const matches = open.flatMap((account) =>
    free.flatMap((target) => accountMatch(account, target, earlier) ?? []),
  );
  return oneToOne(matches);
}

interface CategoriesToMap<T extends Target> {
  readonly codes: readonly ProviderCategory[];
  readonly targets: readonly T[];
  readonly mapped: readonly KnownMapping[];
  readonly earlier: readonly EarlierMapping[];
  /** The person's own, whose claims say what codes are called. */
  readonly own: readonly Category[];
}

/**
 * A category of the destination for each code that has none. Several codes may share one. A specific code whose general
 * one leads to the same category gets none, because its rows go there anyway.
 */
export function categoryProposals<T extends Target>({
  codes,
  targets,
  mapped,
  earlier,
  own,
}: CategoriesToMap<T>): readonly Proposal<T>[] {
  const done = new Map(mapped.map(({ of, to }) => [of, to]));
  const claims = new Map(own.flatMap(({ name, sources }) => sources.map((code) => [code, name] as const)));
  const found = codes
    .filter(({ code }) => !done.has(code))
    .flatMap((code) => best(targets.flatMap((target) => categoryMatch(code, target, claims, earlier) ?? [])));
  const parents = new Map(codes.map(({ code, parent }) => [code, parent]));
  // A general code that merely resembles what one of its specific codes is called has other rows as well.
  const specific = new Set([
    ...[...done].map(([of, to]) => `${parents.get(of)} ${to}`),
    ...found
      .filter(({ reason }) => reason.by !== 'similar_name')
      .map(({ of, target }) => `${parents.get(of)} ${target.id}`),
  ]);
  const fitting = found.filter(
    ({ of, target, reason }) => reason.by !== 'similar_name' || !specific.has(`${of} ${target.id}`),
  );
  const leadsTo = new Map([...done, ...fitting.map(({ of, target }) => [of, target.id] as const)]);
  return fitting.filter(({ of, target }) => {
    const parent = parents.get(of) ?? null;
    return parent === null || leadsTo.get(parent) !== target.id;
  });
}

function accountMatch<T extends Target>(
  account: Account,
  target: T,
  earlier: readonly EarlierMapping[],
): Match<T> | null {
  const known = earlierMatch(account.id, target, earlier);
  if (known !== null) return known;
  const found = (score: number, reason: ProposalReason) => ({ of: account.id, target, score, reason });
  const theirs = wordsOf(target.name);
  const digits = account.account_number?.match(/\d{4}$/)?.[0];
  if (digits !== undefined && theirs.some((word) => /^\d+$/.test(word) && word.endsWith(digits)))
    return found(SCORES.number, { by: 'number', digits });
  if (isOtherwise(account, theirs)) return null;
  const ours = wordsOf(account.name);
  if (isSame(ours, theirs)) return found(SCORES.sameName, { by: 'same_name' });
  const bank = wordsOf(account.institution.name);
  const also = [...ours, ...bank, ...TYPE_WORDS[account.type]];
  // Every word of the target has to say something about the account: it may have more words itself.
  if (theirs.length === 0 || !theirs.every((word) => has(also, word) || word === account.currency))
    return null;
  const shared = theirs.filter((word) => has(ours, word)).length;
  // Most people have several accounts to pay from: that one is for everyday use does not say which.
  const isByType = shared === 0 && !theirs.some((word) => has(bank, word));
  if (isByType && account.type === 'transaction') return null;
  return found(SCORES.similar + Math.min(shared, MOST_COUNTED), { by: isByType ? 'type' : 'similar_name' });
}

const MOST_COUNTED = 9;

/** Less than this share of the words in common, and two names are not alike. */
const LEAST_ALIKE = 0.6;

function categoryMatch<T extends Target>(
  { code, label }: ProviderCategory,
  target: T,
  claims: ReadonlyMap<string, string>,
  earlier: readonly EarlierMapping[],
): Match<T> | null {
  const known = earlierMatch(code, target, earlier);
  if (known !== null) return known;
  const found = (score: number, reason: ProposalReason) => ({ of: code, target, score, reason });
  const theirs = wordsOf(withoutGroup(target.name));
  const ours = wordsOf(label);
  if (isSame(ours, theirs)) return found(SCORES.sameName, { by: 'same_name' });
  const claiming = claims.get(code);
  if (claiming !== undefined && isSame(wordsOf(claiming), theirs))
    return found(SCORES.ownCategory, { by: 'own_category', name: claiming });
  const shared = theirs.filter((word) => has(ours, word)).length;
  const alike = (2 * shared) / (ours.length + theirs.length);
  return alike >= LEAST_ALIKE ? found(SCORES.similar + alike, { by: 'similar_name' }) : null;
}

/** By id at the same target; by name at another one, such as last year's budget. */
function earlierMatch<T extends Target>(
  of: string,
  target: T,
  earlier: readonly EarlierMapping[],
): Match<T> | null {
  const ours = earlier.filter((one) => one.of === of);
  const same = ours.find(({ to }) => to === target.id);
  const named = ours.find(({ toName }) => toName !== null && isSame(wordsOf(toName), wordsOf(target.name)));
  const one = same ?? named;
  if (one === undefined) return null;
  const score = same === undefined ? SCORES.earlierName : SCORES.history;
  return { of, target, score, reason: { by: 'history', sync: one.sync } };
}

/** Budgeting apps name a category behind its group. */
function withoutGroup(name: string): string {
  return name.slice(name.indexOf(': ') + 1);
}

const TYPE_WORDS: Readonly<Record<Account['type'], readonly string[]>> = {
  transaction: ['everyday', 'transaction', 'checking', 'cheque', 'current', 'spending'],
  savings: ['saving', 'saver'],
  'credit-card': ['credit', 'card', 'visa', 'mastercard', 'amex'],
  loan: ['loan', 'mortgage'],
  investment: ['investment', 'investing', 'share', 'brokerage'],
  'term-deposit': ['term', 'deposit'],
  other: [],
};

/** Currencies that people write into the names of accounts. */
const CURRENCIES: ReadonlySet<string> = new Set([
  'aud',
  'nzd',
  'usd',
  'eur',
  'gbp',
  'jpy',
  'chf',
  'cad',
  'sgd',
  'hkd',
]);

/** Whether the words say that the target is of another currency, or of another type and no other word is shared. */
function isOtherwise({ currency, type, name }: Account, theirs: readonly string[]): boolean {
  if (theirs.some((word) => CURRENCIES.has(word) && word !== currency)) return true;
  const ours = [...wordsOf(name), ...TYPE_WORDS[type]];
  const otherTypes = Object.entries(TYPE_WORDS).flatMap(([other, words]) => (other === type ? [] : words));
  return theirs.some((word) => otherTypes.includes(word) && !has(ours, word));
}

/** Words that say nothing about which account or category is meant. */
const FILLERS: ReadonlySet<string> = new Set([
  'a',
  'ac',
  'acc',
  'account',
  'acct',
  'and',
  'at',
  'bank',
  'for',
  'in',
  'limited',
  'ltd',
  'my',
  'of',
  'our',
  'pty',
  'the',
]);

/** The words of a name, without accents, capitals, plurals and fillers; each once, in their order. */
function wordsOf(name: string): readonly string[] {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.filter((word) => !FILLERS.has(word)).map(singular))];
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

/** Long words are the same if one begins with the other, as transport and transportation. */
const LONG = 6;

function has(words: readonly string[], word: string): boolean {
  return words.some(
    (one) =>
      one === word ||
      (Math.min(one.length, word.length) >= LONG && (one.startsWith(word) || word.startsWith(one))),
  );
}

function isSame(ours: readonly string[], theirs: readonly string[]): boolean {
  return ours.length > 0 && ours.length === theirs.length && theirs.every((word) => ours.includes(word));
}

/** The best match, if no other is as good. */
function best<T extends Target>(matches: readonly Match<T>[]): readonly Proposal<T>[] {
  const most = Math.max(...matches.map(({ score }) => score));
  const [first, second] = matches.filter(({ score }) => score === most);
  return first === undefined || second !== undefined ? [] : [proposalOf(first)];
}

/**
 * The best matches first. Where an account or a target has several that are equally good, all of them are left to the
 * person, and so is everything worse that has to do with them.
 */
function oneToOne<T extends Target>(matches: readonly Match<T>[]): readonly Proposal<T>[] {
  const taken = new Set<string>();
  const proposals: Proposal<T>[] = [];
  for (const score of [...new Set(matches.map((match) => match.score))].sort((a, b) => b - a)) {
    const level = matches.filter(
      (match) => match.score === score && !taken.has(`of ${match.of}`) && !taken.has(`to ${match.target.id}`),
    );
    for (const match of level) {
      const rivals = level.filter(({ of, target }) => of === match.of || target.id === match.target.id);
      if (rivals.length === 1) proposals.push(proposalOf(match));
    }
    for (const { of, target } of level) taken.add(`of ${of}`).add(`to ${target.id}`);
  }
  return proposals;
}

function proposalOf<T extends Target>({ of, target, reason }: Match<T>): Proposal<T> {
  return { of, target, reason };
}
