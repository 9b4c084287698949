/** Returns the number of items with their noun: `2 tokens`. */
export const count = (items: readonly unknown[], noun: string): string =>
  `${items.length} ${noun}${items.length === 1 ? '' : 's'}`

/** Describes a page in one line. */
export const summarizePage = (
  { items, next }: { readonly items: readonly unknown[]; readonly next: string | null },
  noun: string,
): string => `${count(items, noun)}${next === null ? '' : '; more follow, read on with `after`'}.`
