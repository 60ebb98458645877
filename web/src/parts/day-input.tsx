import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { PROBLEMS } from '../text/problems.ts';

interface DayInputProps {
  readonly label: string;
  readonly value: string;
  readonly min?: string;
  readonly max?: string;
  /** A complete day within the range, or undefined if the field was cleared. */
  readonly onChange: (day: string) => void;
}

/** While a year is typed digit by digit, a browser reports the years 2, 20 and 202. */
const EARLIEST = '1900-01-01';

/**
 * A day for filtering. Incomplete input stays in the field and changes nothing. The field shows what was typed until it
 * loses the focus: the address follows later, and resetting the field to the previous day would lose the digits.
 */
export function DayInput({ label, value, min = EARLIEST, max, onChange }: DayInputProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const [whole, setWhole] = useState(true);
  const [left, setLeft] = useState(false);
  return (
    <TextInput
      type="date"
      label={label}
      value={draft ?? value}
      min={min}
      max={max}
      error={left && !whole ? PROBLEMS.dayOutOfRange : undefined}
      onChange={({ currentTarget: { value: typed, validity } }) => {
        const fits = validity.valid && (typed === '' || typed >= EARLIEST);
        setLeft(false);
        setWhole(fits);
        setDraft(typed);
        if (fits && typed !== value) onChange(typed);
      }}
      onBlur={() => {
        const stays = !whole && draft !== '';
        if (!stays) setDraft(null);
        setWhole(!stays);
        setLeft(true);
      }}
    />
  );
}
