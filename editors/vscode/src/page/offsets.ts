/**
 * Where each byte of the UTF-8 of `text` stands in `text` itself, whose places are UTF-16 units. The function takes a place in
 * bytes; one within a character is the place where the character begins, one behind the end is the end.
 */
export function unitOfByte(text: string): (byte: number) => number {
  // Most commands are ASCII, where both count alike.
  if (/^[\0-\x7f]*$/.test(text)) return (byte) => Math.min(byte, text.length);
  const units: number[] = [];
  let unit = 0;
  for (const character of text) {
    for (let byte = bytes(character.codePointAt(0) ?? 0); byte > 0; byte--) units.push(unit);
    unit += character.length;
  }
  return (byte) => units[byte] ?? text.length;
}

/** How many bytes a character takes. Half a surrogate pair is sent as U+FFFD, which takes three. */
function bytes(character: number): number {
  if (character < 0x80) return 1;
  if (character < 0x800) return 2;
  return character < 0x10000 ? 3 : 4;
}
