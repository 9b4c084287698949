/** The things that some work needs and only a request shows, such as the nodes of a chain. */
export type Means = {
  /** Returns whether they have left every question without an answer for some seconds. */
  readonly areSilent: () => boolean
  /** Asks them now, and returns whether they answer soon. */
  readonly answer: () => Promise<boolean>
}

/** The means of work that needs nothing. */
export const noMeans: Means = { areSilent: () => false, answer: async () => true }
