import classes from './reference.module.css';

const MOST_LINES = 24;

/** Text of any length. A field scrolls by keyboard, which a block of text does not. */
export function JsonText({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <textarea
      className={classes.json}
      aria-label={label}
      readOnly
      spellCheck={false}
      rows={Math.min(text.split('\n').length, MOST_LINES)}
      value={text}
    />
  );
}
