/** What a figure is, and what it is compared with. */
export type Figure = {
  readonly id: string
  readonly what: string
  /** What the yardstick is, which the value is divided by. */
  readonly against: string
  readonly unit: string
  readonly better: 'higher' | 'lower'
  /** The ratio that is promised, and the one that is hoped for. */
  readonly must: number
  readonly aim: number
}

/** What one round measured: the thing itself and its yardstick, one right after the other. */
export type Round = { readonly value: number; readonly yardstick: number }

/** A figure with what all rounds measured; of the value and of the yardstick the median. */
export type Result = Figure &
  Round & {
    readonly ratio: number
    /** The least and the greatest ratio of a single round: how much the machine's noise moves it. */
    readonly band: readonly [number, number]
    readonly rounds: number
  }

/** What `results.json` holds. */
export type Results = {
  readonly machine: Readonly<Record<string, string>>
  readonly figures: readonly Result[]
}

/** Measures some figures together. */
export type Scene = {
  readonly figures: readonly Figure[]
  measure(rounds: number): Promise<Readonly<Record<string, readonly Round[]>>>
}

/** Returns the middle one of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const [low, high] = [sorted[(sorted.length - 1) >> 1] ?? 0, sorted[sorted.length >> 1] ?? 0]
  return (low + high) / 2
}

/** Sums up the rounds of a figure. */
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

/** Tells whether a ratio is as good as a bound asks. */
export function reaches({ better, ratio }: Result, bound: number): boolean {
  return better === 'higher' ? ratio >= bound : ratio <= bound
}

/** Says how good a ratio is: it reaches the aim, or what it must, or neither. */
export function verdictOf(result: Result): 'aim' | 'must' | 'missed' {
  if (reaches(result, result.aim)) return 'aim'
  return reaches(result, result.must) ? 'must' : 'missed'
}
