/** Reads an option that may be absent. */
export function readOptional<T>(
  reader: (name: string, text: string) => T,
  name: string,
  text: string | undefined,
): T | undefined {
  return text === undefined ? undefined : reader(name, text)
}
