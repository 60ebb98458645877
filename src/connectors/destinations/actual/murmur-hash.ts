/** MurmurHash3 for 32 bits with the seed 0 (Appleby, public domain), as a signed number. For text of ASCII alone. */
export function murmurHash(text: string): number {
  let hash = 0;
  const whole = text.length - (text.length % 4);
  for (let at = 0; at < whole; at += 4) {
    hash ^= mixed(wordAt(text, at, 4));
    hash = (hash << 13) | (hash >>> 19);
    hash = Math.imul(hash, 5) + 0xe6546b64;
  }
  if (whole < text.length) hash ^= mixed(wordAt(text, whole, text.length - whole));
  hash ^= text.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function wordAt(text: string, at: number, count: number): number {
  let word = 0;
  for (let byte = 0; byte < count; byte++) word |= (text.charCodeAt(at + byte) & 0xff) << (8 * byte);
  return word;
}

function mixed(word: number): number {
  const spread = Math.imul(word, 0xcc9e2d51);
  return Math.imul((spread << 15) | (spread >>> 17), 0x1b873593);
}
