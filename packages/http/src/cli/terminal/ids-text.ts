/** The most ids that one line names. */
const mostIds = 20

/** Returns ids as one line, of many only the first ones and how many more there are. */
export function idsText(ids: readonly (bigint | string)[]): string {
  const shown = ids.slice(0, mostIds).join(', ')
  return ids.length > mostIds ? `${shown} and ${ids.length - mostIds} more` : shown
}
