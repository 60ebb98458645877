import { InvalidArguments } from '../invalid-arguments.ts';
import { findChargePrompt } from './find-charge.ts';
import { monthlySummaryPrompt } from './monthly-summary.ts';
import type { Prompt } from './prompt.ts';
import { setUpSyncPrompt } from './set-up-sync.ts';

/** Every prompt, in the order in which clients see them. */
export const PROMPTS: readonly Prompt[] = [monthlySummaryPrompt, findChargePrompt, setUpSyncPrompt];

const MOST_CHARACTERS = 500;

/** The text of a prompt. Raises InvalidArguments for a name or an argument that is not there, is missing or too long. */
export function promptText(
  name: string,
  args: Readonly<Record<string, string>>,
): { readonly prompt: Prompt; readonly text: string } {
  const prompt = PROMPTS.find((one) => one.name === name);
  if (prompt === undefined) throw new InvalidArguments('There is no prompt of this name.', 'name');
  const given = new Map(Object.entries(args));
  for (const [argument, text] of given) {
    if (!prompt.arguments.some((one) => one.name === argument)) {
      throw new InvalidArguments('The prompt has no argument of this name.', argument.slice(0, 100));
    }
    if (text.length > MOST_CHARACTERS) {
      throw new InvalidArguments(`${argument} has more than ${MOST_CHARACTERS} characters.`, argument);
    }
  }
  const missing = prompt.arguments.find((one) => one.required && !given.has(one.name));
  if (missing !== undefined) throw new InvalidArguments(`${missing.name} is required.`, missing.name);
  return { prompt, text: prompt.text(given) };
}
