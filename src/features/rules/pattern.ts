import { RE2JS, RE2JSException } from 're2js';
import type { Limits } from '../../vocabulary/limits.ts';
import { currencyExponent } from '../../vocabulary/money.ts';
import { invalidParameter } from '../../vocabulary/service-error.ts';

export type PatternLimits = Pick<Limits, 'rule_pattern_characters' | 'rule_pattern_steps'>;

/** For rules that were validated when they were saved, so that lowering a limit does not stop runs. */
export function validatedPatternLimits(limits: Pick<Limits, 'row_text_characters'>) {
  const { row_text_characters } = limits;
  return { rule_pattern_characters: Infinity, rule_pattern_steps: Infinity, row_text_characters };
}

/** Whether a text contains a match. */
export type TextTest = (text: string) => boolean;

/**
 * A pattern in RE2 syntax, whose matching time is linear in the text (decision 0006). Raises `parameter_invalid`
 * (`param`) with the engine's reason if it is invalid, too long, or compiles to too many steps: `a{1000}` is short but
 * large.
 */
export function compilePattern(
  pattern: string,
  caseSensitive: boolean,
  limits: PatternLimits,
  param: string,
): TextTest {
  if (pattern.length > limits.rule_pattern_characters) {
    throw invalidParameter(
      param,
      `${param} is longer than ${limits.rule_pattern_characters} characters; shorten the pattern.`,
    );
  }
  const compiled = compiledOrRefused(pattern, caseSensitive, param);
  if (compiled.programSize() > limits.rule_pattern_steps) {
    throw invalidParameter(
      param,
      `${param} compiles to ${compiled.programSize()} steps, and ${limits.rule_pattern_steps} is the maximum; ` +
        'use smaller repeat counts or fewer alternatives.',
    );
  }
  return (text) => compiled.test(text);
}

/** How many steps a pattern that was validated compiles to. */
export function patternSteps(pattern: string, caseSensitive: boolean): number {
  return compiledOrRefused(pattern, caseSensitive, 'value').programSize();
}

function compiledOrRefused(pattern: string, caseSensitive: boolean, param: string): RE2JS {
  try {
    return RE2JS.compile(pattern, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw invalidParameter(param, `${param}: ${error.message}.`);
  }
}

const UNSIGNED = /^(\d{1,15})(?:\.(\d{1,8}))?$/;

/** Whether the text is an amount as conditions accept it: digits, at most 8 decimals, no sign and no exponent. */
export function isUnsignedDecimal(text: string): boolean {
  return UNSIGNED.test(text);
}

/** Compares whole minor units of a currency with a decimal: negative when less, 0 when equal, positive when more. */
export type Comparison = (minorUnits: number, currency: string) => number;

/**
 * Exact in every currency, without floating point: the decimal is truncated to whole minor units, and a remainder means
 * that the amount cannot be equal to it.
 */
export function decimalThreshold(text: string): Comparison {
  const [, units = '0', fraction = ''] = UNSIGNED.exec(text) ?? [];
  const byExponent = [0, 1, 2, 3, 4].map((exponent) => {
    const shown = fraction.slice(0, exponent).padEnd(exponent, '0');
    return { whole: Number(`${units}${shown}`), rest: /[1-9]/.test(fraction.slice(exponent)) };
  });
  return (minorUnits, currency) => {
    const threshold = byExponent[currencyExponent(currency)];
    if (threshold === undefined) throw new TypeError(`no minor unit of ${currency}`);
    // Above the largest safe integer the threshold may be rounded, but every amount is certainly less.
    if (minorUnits === threshold.whole) return threshold.rest ? -1 : 0;
    return minorUnits < threshold.whole ? -1 : 1;
  };
}
