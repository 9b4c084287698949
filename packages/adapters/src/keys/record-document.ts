/** Records that are stored together, as one commit wrote them. */
export type RecordDocument<Item> = {
  /** Grows by 1 with each commit; every record carries it. */
  readonly epoch: number
  readonly records: readonly Item[]
}

/** Encodes a document as text; `format` names what its records are, and their version. */
export const encodeRecords = (
  format: string,
  { epoch, records }: RecordDocument<unknown>,
): string => `${JSON.stringify({ format, epoch, records }, undefined, 2)}\n`

/** Parses a document; returns `undefined` when the text is none of that format. */
export function parseRecords<Item>(
  text: string,
  format: string,
  isRecord: (value: unknown) => value is Item,
): RecordDocument<Item> | undefined {
  const { format: found, epoch, records } = parseJson(text)
  if (found !== format || !isCount(epoch) || !Array.isArray(records)) return undefined
  return records.every(isRecord) ? { epoch, records } : undefined
}

function parseJson(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text))
  } catch {
    // The parser's error is dropped: it quotes the text.
    return {}
  }
}

/** Returns whether a value of a document is a whole number from 0 on. */
export const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0
