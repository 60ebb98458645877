import { type NonEmpty, type Random, seededRandom, seedOf } from '../../shared/random.ts';
import { dateOf, onDay } from '../days.ts';
import { idOf, type Movement, movement } from '../movement.ts';

const HOLD_MS = 2 * 86_400_000;
const CENTS = 100;

interface Shop {
  readonly name: string;
  readonly category: string;
  /** In cents. */
  readonly from: number;
  readonly to: number;
  /** Of a day. */
  readonly chance: number;
}

const SHOPS: NonEmpty<Shop> = [
  { name: 'Fern & Daughters Grocers', category: 'groceries', from: 1_850, to: 14_200, chance: 0.5 },
  { name: 'Second Crack Coffee', category: 'restaurants-and-cafes', from: 450, to: 1_890, chance: 0.7 },
  { name: 'Harbour Tram', category: 'public-transport', from: 320, to: 960, chance: 0.5 },
  { name: 'Noodle Lane', category: 'takeaway', from: 1_490, to: 4_260, chance: 0.2 },
  { name: 'Paperbark Books', category: 'news-magazines-and-books', from: 1_499, to: 5_995, chance: 0.06 },
  { name: 'Northside Fuel', category: 'fuel', from: 4_000, to: 11_500, chance: 0.1 },
];

/** Foreign currencies, and what a hundred of their cents cost in ours. */
const RATES: NonEmpty<readonly [currency: string, rate: number]> = [
  ['USD', 152],
  ['JPY', 1],
  ['NZD', 92],
];

/** Accounts by purpose; null if a person has none of the kind. */
export interface Wallet {
  readonly owner: string;
  readonly spending: string;
  readonly saver: string | null;
  readonly homeLoan: string | null;
  /** Whether purchases abroad are made on most days. */
  readonly abroad: boolean;
}

/** One side of a day's movement, as booked by its account. */
export interface Booked {
  readonly account: string;
  readonly movement: Movement;
}

/** Everything that happens to a person on a day, in all of their accounts. */
export function dayOf(wallet: Wallet, day: number): readonly Booked[] {
  const random = seededRandom(seedOf(wallet.owner, day));
  const { date, weekday } = dateOf(day);
  return [
    ...purchases(wallet, day, random),
    ...(weekday === 4 && day % 14 < 7 ? [salary(wallet, day)] : []),
    ...(date === 3 ? [bill(wallet, day, 'Bluegum Energy', 'utilities', -14_275)] : []),
    ...(date === 11 ? [bill(wallet, day, 'Lyrebird Internet', 'internet', -7_900)] : []),
    ...(weekday === 5 ? transfer(wallet, day, wallet.saver, 15_000) : []),
    ...(date === 15 ? transfer(wallet, day, wallet.homeLoan, 182_340) : []),
    ...(date === 1 ? interest(wallet, day) : []),
    ...(wallet.abroad && random.chance(0.8) ? [foreign(wallet, day, random)] : []),
  ];
}

function purchases(wallet: Wallet, day: number, random: Random): Booked[] {
  return SHOPS.flatMap((shop, at) => {
    if (!random.chance(shop.chance)) return [];
    const cents = -random.int(shop.from, shop.to);
    const createdAt = onDay(day, 7 * 60 + at * 121 + random.int(0, 110));
    const over = -cents % CENTS;
    const roundUpCents = wallet.saver === null || over === 0 ? null : over - CENTS;
    const id = idOf(wallet.owner, day, 'shop', at);
    const bought = movement({
      id,
      createdAt,
      settlesAt: createdAt + HOLD_MS,
      cents,
      description: shop.name,
      rawText: `${shop.name.toUpperCase()} SYDNEY AU`,
      kind: 'Purchase',
      category: shop.category,
      byCard: true,
      roundUpCents,
    });
    const booked = [{ account: wallet.spending, movement: bought }];
    if (wallet.saver === null || roundUpCents === null) return booked;
    // The saver gets it at once; in the spending account it remains part of the purchase.
    const saved = movement({
      id: idOf(id, 'round-up'),
      createdAt,
      cents: -roundUpCents,
      description: 'Round Up',
      kind: 'Round Up',
      transferAccount: wallet.spending,
    });
    return [...booked, { account: wallet.saver, movement: saved }];
  });
}

function salary(wallet: Wallet, day: number): Booked {
  return {
    account: wallet.spending,
    movement: movement({
      id: idOf(wallet.owner, day, 'salary'),
      createdAt: onDay(day, 185),
      cents: 312_460,
      description: 'Wattle Works Pty Ltd',
      rawText: 'WATTLE WORKS PAYROLL',
      message: 'Salary',
      kind: 'Direct Credit',
    }),
  };
}

function bill(wallet: Wallet, day: number, name: string, category: string, cents: number): Booked {
  return {
    account: wallet.spending,
    movement: movement({
      id: idOf(wallet.owner, day, 'bill', name),
      createdAt: onDay(day, 540),
      cents,
      description: name,
      rawText: `${name.toUpperCase()} DD`,
      kind: 'Direct Debit',
      category,
    }),
  };
}

/** Both sides of money that a person moves. */
function transfer(wallet: Wallet, day: number, to: string | null, cents: number): Booked[] {
  if (to === null) return [];
  const createdAt = onDay(day, 1_215);
  const side = (account: string, other: string, amount: number, description: string): Booked => ({
    account,
    movement: movement({
      id: idOf(wallet.owner, day, 'transfer', account, to),
      createdAt,
      cents: amount,
      description,
      kind: 'Scheduled Transfer',
      transferAccount: other,
    }),
  });
  return [
    side(wallet.spending, to, -cents, 'Scheduled transfer'),
    side(to, wallet.spending, cents, 'Scheduled transfer'),
  ];
}

function interest(wallet: Wallet, day: number): Booked[] {
  const paid = (account: string, cents: number): Booked => ({
    account,
    movement: movement({
      id: idOf(wallet.owner, day, 'interest', account),
      createdAt: onDay(day, 30),
      cents,
      description: 'Interest',
      kind: 'Interest',
    }),
  });
  return [
    ...(wallet.saver === null ? [] : [paid(wallet.saver, 3_417)]),
    ...(wallet.homeLoan === null ? [] : [paid(wallet.homeLoan, -148_912)]),
  ];
}

function foreign(wallet: Wallet, day: number, random: Random): Booked {
  const createdAt = onDay(day, 660 + random.int(0, 500));
  const [currency, rate] = random.pick(RATES);
  const cents = random.int(900, 24_000);
  return {
    account: wallet.spending,
    movement: movement({
      id: idOf(wallet.owner, day, 'abroad'),
      createdAt,
      settlesAt: createdAt + HOLD_MS,
      cents: -Math.round((cents * rate) / CENTS) - 1,
      description: 'Old Harbour Inn',
      rawText: 'OLD HARBOUR INN',
      kind: 'International Purchase',
      category: 'holidays-and-travel',
      byCard: true,
      foreign: { currency, cents: -cents },
    }),
  };
}
