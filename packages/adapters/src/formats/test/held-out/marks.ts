/** A stretch of a text; `end` is exclusive. */
export type Stretch = readonly [start: number, end: number]

/**
 * A secret in a text: `core` has to vanish, `outer` may vanish with it (the address around a
 * password, the lines around a key), and nothing else may change.
 */
export type Label = { readonly core: Stretch; readonly outer: Stretch }

const marks = { outer: '\uE000', core: '\uE001', coreEnd: '\uE002', outerEnd: '\uE003' } as const

/** Marks a text as a secret; `before` and `after` may vanish with it. */
export function secret(core: string, before = '', after = ''): string {
  return `${marks.outer}${before}${marks.core}${core}${marks.coreEnd}${after}${marks.outerEnd}`
}

/** Returns the text without marks, and where the marked secrets are in it. */
export function takeMarks(marked: string): { text: string; labels: readonly Label[] } {
  const pieces = marked.split(/([\uE000-\uE003])/)
  const at: Record<string, number[]> = {}
  let text = ''
  for (const piece of pieces)
    if (/^[\uE000-\uE003]$/.test(piece)) at[piece] = [...(at[piece] ?? []), text.length]
    else text += piece
  const place = (mark: keyof typeof marks, index: number) => at[marks[mark]]?.[index] ?? 0
  const labels = (at[marks.outer] ?? []).map((_, index): Label => {
    const core = [place('core', index), place('coreEnd', index)] as const
    return { core, outer: [place('outer', index), place('outerEnd', index)] }
  })
  return { text, labels }
}
