/** A string of the policy language. What it escapes otherwise than JSON does not occur in JSON's escapes. */
export function literal(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A word for a shell, in quotes if it has anything that a shell would read. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
