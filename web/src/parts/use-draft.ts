import { useState } from 'react';

interface Draft {
  /** The value as this field last knew it. */
  readonly seen: string;
  /** What the field said and has not seen in the value yet, oldest first. */
  readonly said: readonly string[];
  /** What is being typed; null where the field shows the value. */
  readonly text: string | null;
}

/**
 * What is being typed in a field whose value is in the address. The address follows a moment later, and often skips
 * steps, so what the field said itself leaves the text alone; any other value came from outside and replaces it.
 */
export function useDraft(value: string, onChange: (value: string) => void) {
  const [draft, setDraft] = useState<Draft>({ seen: value, said: [], text: null });
  if (draft.seen !== value) {
    const at = draft.said.indexOf(value);
    setDraft({ seen: value, said: draft.said.slice(at + 1), text: at < 0 ? null : draft.text });
  }
  return {
    text: draft.text,
    /** Keeps what was typed, and says its value where it has one. */
    type: (text: string, said: string | null) => {
      setDraft({ ...draft, text, said: said === null ? draft.said : [...draft.said, said] });
      if (said !== null) onChange(said);
    },
    /** The field was left: the next change comes from outside. */
    leave: () => setDraft({ ...draft, said: [] }),
  };
}
