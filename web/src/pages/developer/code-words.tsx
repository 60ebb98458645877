import classes from './developer.module.css';

const PART = /`([^`]*)`|[^`]+/g;

/** Text in which what is between backticks is code, as the description of v2 writes it. */
export function CodeWords({ text }: { readonly text: string }) {
  return [...text.matchAll(PART)].map(({ 0: plain, 1: code, index }) =>
    code === undefined ? (
      plain
    ) : (
      <code key={index} className={classes.code}>
        {code}
      </code>
    ),
  );
}
