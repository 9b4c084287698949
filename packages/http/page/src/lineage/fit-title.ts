const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** A width, and the function that measures a text in the same units. */
export type TitleSpace = {
  readonly width: number
  readonly measure: (text: string) => number
}

/** The part of the shown letters that is the end of the title. */
const endShare = 0.5

/** Shortens a title in its middle to a width, because titles often differ in their ends only. */
export function fitTitle(title: string, { width, measure }: TitleSpace): string {
  if (measure(title) <= width) return title
  const all = [...letters.segment(title)].map(({ segment }) => segment)
  let [fits, most] = [0, all.length - 1]
  while (fits < most) {
    const count = Math.ceil((fits + most) / 2)
    if (measure(shorten(all, count)) <= width) fits = count
    else most = count - 1
  }
  return shorten(all, fits)
}

/** Returns as many letters of a title as given, from its start and its end, without separators between them. */
function shorten(all: readonly string[], count: number): string {
  const atEnd = Math.floor(count * endShare)
  const start = all.slice(0, count - atEnd).join('')
  const end = all.slice(all.length - atEnd).join('')
  return `${start.trimEnd()}…${end.replace(/^[\s\p{P}]+/u, '')}`
}
