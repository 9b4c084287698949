/** The definition of a figure. */
export type Figure = {
  readonly id: string
  readonly what: string
  /** The yardstick by which the value is divided. */
  readonly against: string
  readonly unit: string
  readonly better: 'higher' | 'lower'
  /** The required ratio; `aim` is the goal. */
  readonly must: number
  readonly aim: number
}

/** The measurements of one round: the value and the yardstick, taken one right after the other. */
export type Round = { readonly value: number; readonly yardstick: number }

/** A figure with its results: the medians of the value and of the yardstick over all rounds. */
export type Result = Figure &
  Round & {
    readonly ratio: number
    /** The lowest and the highest ratio of a round, which show the noise of the machine. */
    readonly band: readonly [number, number]
    readonly rounds: number
    /** The time that its benchmark took, in seconds; absent in results of before. */
    readonly seconds?: number
  }

/** The content of `results.json`. */
export type Results = {
  readonly machine: Readonly<Record<string, string>>
  readonly figures: readonly Result[]
}

/** A benchmark that measures some figures. */
export type Benchmark = {
  readonly figures: readonly Figure[]
  measure(rounds: number): Promise<Readonly<Record<string, readonly Round[]>>>
}

/** Returns the median of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const [low, high] = [sorted[(sorted.length - 1) >> 1] ?? 0, sorted[sorted.length >> 1] ?? 0]
  return (low + high) / 2
}

/** Summarises the rounds of a figure. */
export function resultOf(figure: Figure, rounds: readonly Round[]): Result {
  const value = median(rounds.map((round) => round.value))
  const yardstick = median(rounds.map((round) => round.yardstick))
  const ratios = rounds.map((round) => round.value / round.yardstick)
  return {
    ...figure,
    ratio: value / yardstick,
    band: [Math.min(...ratios), Math.max(...ratios)],
    value,
    yardstick,
    rounds: rounds.length,
  }
}

/** Returns whether a ratio reaches a bound. */
export function reaches({ better, ratio }: Result, bound: number): boolean {
  return better === 'higher' ? ratio >= bound : ratio <= bound
}

/** Returns the verdict on a ratio: it reaches the aim, only the required bound, or neither. */
export function verdictOf(result: Result): 'aim' | 'must' | 'missed' {
  if (reaches(result, result.aim)) return 'aim'
  return reaches(result, result.must) ? 'must' : 'missed'
}
