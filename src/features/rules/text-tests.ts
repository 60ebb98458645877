import type { RuleLeaf } from '../../vocabulary/rules.ts';
import { composed, folded } from '../../vocabulary/text-folding.ts';
import type { TextTest } from './pattern.ts';

/**
 * The test of a leaf over one text, for the operators that compare texts. Case does not count unless the leaf says so;
 * composed and decomposed characters are the same.
 */
export function textTest(leaf: RuleLeaf, matches: TextTest | null): TextTest {
  const form = leaf.case_sensitive ? composed : folded;
  const values = (typeof leaf.value === 'string' ? [leaf.value] : (leaf.value ?? [])).map(form);
  const [value = ''] = values;
  switch (leaf.operator) {
    case 'equals':
    case 'not_equals':
      return (text) => form(text) === value;
    case 'contains':
    case 'not_contains':
      return (text) => form(text).includes(value);
    case 'starts_with':
      return (text) => form(text).startsWith(value);
    case 'ends_with':
      return (text) => form(text).endsWith(value);
    case 'in':
    case 'not_in': {
      const known = new Set(values);
      return (text) => known.has(form(text));
    }
    case 'matches':
      if (matches === null) throw new TypeError('a pattern is compiled before its test is made');
      return matches;
    default:
      throw new TypeError(`${leaf.operator} compares no texts`);
  }
}
