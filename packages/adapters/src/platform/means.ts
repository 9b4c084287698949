/** The things that some work needs and only a request shows, such as the nodes of a chain. */
export type Means = {
  /** Returns whether they have left every question without an answer for some seconds. */
  readonly areSilent: () => boolean
  /** Asks them now, and returns whether they answer soon. */
  readonly answer: () => Promise<boolean>
}

/** Returns the means of work that needs all of some means; they are asked in turn until one is silent. */
export const allMeans = (means: readonly Means[]): Means => ({
  areSilent: () => means.some((it) => it.areSilent()),
  answer: async () => {
    for (const it of means) if (!(await it.answer())) return false
    return true
  },
})

/** The means of work that needs nothing. */
export const noMeans: Means = allMeans([])
