import {
  advance,
  type MigrationCourse,
  type MigrationProgress,
  type MigrationStep,
  nextStep,
  tokensMintedBy,
} from '@heirloom/core'

/** The transactions that are left of a migration, and the most gas that they take in all. */
export type MigrationCost = { readonly transactions: number; readonly gas: bigint }

/** Returns what is left to do, by going through the steps without taking them. */
export function costOf(
  course: MigrationCourse,
  progress: MigrationProgress,
  options: nextStep.Options,
): MigrationCost {
  let [done, transactions, gas] = [progress, 0, 0n]
  for (;;) {
    const step = nextStep(course, done, options)
    if (step === undefined) return { transactions, gas }
    const ids = tokensMintedBy(step)
    done = advance(course, done, { kind: 'done', step, ids })
    transactions += 1
    gas += gasOf(course, step)
  }
}

/** The most gas of each part of a transaction, the signature that the forwarder checks included. */
const gas = {
  transaction: 75_000n,
  mint: 105_000n,
  fork: 230_000n,
  rental: 130_000n,
  list: 75_000n,
}

function gasOf({ carried }: MigrationCourse, step: MigrationStep): bigint {
  switch (step.kind) {
    case 'mint':
      return gas.transaction + gas.mint * BigInt(step.tokens.length)
    case 'set-up': {
      const royalties = step.forks.map((id) => carried.get(id)?.royaltyBps)
      const changes = royalties.filter((it, index) => it !== royalties[index - 1]).length
      const offers = 2 + changes
      const acts = gas.fork * BigInt(step.forks.length) + gas.rental * BigInt(step.rentals.length)
      return gas.transaction + gas.list * BigInt(offers) + acts
    }
    case 'hand-over':
    case 'list':
      return gas.transaction + gas.list * BigInt(step.tokens.length)
  }
}
