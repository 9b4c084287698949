type Results = { readonly routes: number; readonly guides: number; readonly search: string }

/** Describes how much of the reference a search finds, and what to try when that is nothing. */
export function describeResults({ routes, guides, search }: Results): string {
  return routes + guides === 0
    ? `Nothing matches “${search.trim()}”. A result has every word: try fewer words, or one such as “rent” or “restore”.`
    : `${count(routes, 'route')}, ${count(guides, 'guide')}`
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
