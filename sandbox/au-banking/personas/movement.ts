import { centsText } from '../../shared/decimal.ts';
import type { JsonObject } from '../../shared/json.ts';
import { type Random, seededRandom, seedOf } from '../../shared/random.ts';
import { type Moment, utcMoment } from '../rows/moment.ts';
import {
  NO_FACTS,
  NOTHING_SHOWN,
  type Row,
  type RowCategory,
  type RowFacts,
  type RowType,
} from '../rows/row.ts';
import { atLocalMidnight, type Day, onDay } from './calendar.ts';
import type { Merchant } from './merchants.ts';

const HOUR_MS = 3_600_000;

/** Something that happens to an account on a day. Cents are signed, negative = out. */
export type Movement = {
  readonly minutes: number;
  readonly cents: number;
  readonly type: RowType;
  readonly description: string;
  readonly reference?: string;
  readonly category?: RowCategory;
  readonly merchant?: Merchant;
  readonly biller?: { readonly code: string; readonly name: string; readonly crn: string };
  readonly apcaNumber?: string;
  readonly extendedData?: JsonObject;
  /** Card purchases are first pending for a while; booked rows appear posted. */
  readonly card?: boolean;
  /** Dated at local midnight with an offset instead of a UTC time. */
  readonly midnight?: boolean;
};

/** What an account does on a day. Must depend only on its arguments. */
export type Habit = (day: Day, random: Random) => readonly Movement[];

export type PendingHours = readonly [from: number, to: number];
const USUAL_PENDING: PendingHours = [20, 68];

/**
 * The rows of a habit over a range of days. Each day has its own seed, so the same date has the same rows and ids
 * whenever the sandbox is started.
 */
export function rowsOf(
  scope: string,
  seed: number,
  currency: string,
  days: readonly Day[],
  habit: Habit,
  pendingHours: PendingHours = USUAL_PENDING,
): readonly Row[] {
  return days.flatMap((day) => {
    const random = seededRandom(seedOf(seed, scope, day.iso));
    return habit(day, random).map((movement, ordinal) =>
      rowOf(`${day.iso}.${ordinal}`, day, movement, currency, random, pendingHours),
    );
  });
}

function rowOf(
  key: string,
  day: Day,
  movement: Movement,
  currency: string,
  random: Random,
  hours: PendingHours,
): Row {
  const execution = movement.midnight ? atLocalMidnight(day) : onDay(day, movement.minutes);
  const facts = factsOf(key, movement, currency, execution);
  if (!movement.card) return { key, facts, posting: execution, pending: null, visibleFrom: execution.at };
  const until = execution.at + random.int(hours[0] * 60, hours[1] * 60) * 60_000;
  const posting = utcMoment(until);
  return {
    key,
    facts: { ...facts, value: random.chance(0.5) ? posting : null },
    posting,
    visibleFrom: execution.at,
    pending: {
      from: execution.at,
      until,
      fate: random.chance(0.03) ? 'vanishes' : 'posts',
      shown: random.chance(0.7) ? { ...NOTHING_SHOWN, execution } : NOTHING_SHOWN,
      firstAmount: random.chance(0.08)
        ? { amount: centsText(Math.min(-100, movement.cents + 150)), until: execution.at + 6 * HOUR_MS }
        : null,
    },
  };
}

function factsOf(key: string, movement: Movement, currency: string, execution: Moment): RowFacts {
  return {
    ...NO_FACTS,
    transactionId: `T${key.replaceAll(/\D/g, '')}`,
    amount: centsText(movement.cents),
    currency,
    type: movement.type,
    description: movement.description,
    reference: movement.reference ?? '',
    execution,
    merchantName: movement.merchant?.name ?? null,
    merchantCategoryCode: movement.merchant?.mcc ?? null,
    billerCode: movement.biller?.code ?? null,
    billerName: movement.biller?.name ?? null,
    crn: movement.biller?.crn ?? null,
    apcaNumber: movement.apcaNumber ?? null,
    category: movement.category ?? movement.merchant?.category ?? null,
    extendedData: movement.extendedData ?? null,
  };
}

/** A card purchase; `unit` is 100 for currencies without cents, so that amounts stay whole. */
export function purchase(merchant: Merchant, random: Random, unit = 1): Movement {
  const cents = random.int(merchant.from, merchant.to) * unit;
  return {
    minutes: random.int(7 * 60, 22 * 60),
    cents: -cents,
    type: 'PAYMENT',
    description: merchant.statement,
    reference: random.chance(0.3) ? `CARD ${random.int(1000, 9999)}` : '',
    merchant,
    card: true,
  };
}

/** A category that the vendor is sure of. */
export function category(
  primary: string,
  detail: string,
  confidence: RowCategory['confidence_level'] = 'VERY_HIGH',
): RowCategory {
  return {
    primary_category: primary,
    secondary_category: `${primary}_${detail}`,
    confidence_level: confidence,
  };
}

/** A fast payment with its payload, in the shape of the newer versions. */
export function fastPayment(payer: string, text: string, reference: string): JsonObject {
  return {
    payer,
    extension_u_type: 'nppPayload',
    npp_payload: {
      extended_description: text,
      end_to_end_id: reference,
      purpose_code: 'CBFF',
      service: 'X2P1',
      service_version: '01',
    },
  };
}
