import assert from 'node:assert/strict'
import {
  type Account,
  type FailureCode,
  isFailure,
  type MemoryService,
  nobody,
} from '@heirloom/core'
import fc, { type Arbitrary, type AsyncCommand } from 'fast-check'
import type { Party, ServiceHarness } from '../harness.ts'
import { assertToken, assertWealth } from './invariants.ts'
import type { Model, ModelToken, Who } from './model.ts'

/** The recipient of a write; `undefined` is the payer itself, `nobody` is the zero address. */
export type Recipient = Who | 'nobody' | undefined

/** Runs a command on the model and the harness, and returns the token that it changed. */
export type Run = (model: Model, harness: ServiceHarness) => Promise<ModelToken | undefined>

/** The values that arbitraries draw, by their names. */
export type Drawn<Parts> = {
  readonly [name in keyof Parts]: Parts[name] extends Arbitrary<infer Value> ? Value : never
}

/** Creates commands that run with what their parts draw; a verb and the drawn values are the title. */
export function command<const Parts extends Readonly<Record<string, Arbitrary<unknown>>>>(
  verb: string,
  parts: Parts,
  run: (model: Model, harness: ServiceHarness, input: Drawn<Parts>) => ReturnType<Run>,
): Arbitrary<AsyncCommand<Model, ServiceHarness>> {
  // A record of arbitraries draws a value for each of them.
  return (fc.record(parts) as Arbitrary<Drawn<Parts>>).map((input) =>
    step(`${verb} ${JSON.stringify(input)}`, (model, harness) => run(model, harness, input)),
  )
}

/** Creates a command that runs and then asserts the invariants. */
export function step(title: string, run: Run): AsyncCommand<Model, ServiceHarness> {
  return {
    check: () => true,
    run: async (model, harness) => {
      const touched = await run(model, harness)
      await assertWealth(model, harness)
      if (touched !== undefined) await assertToken(model, harness, touched)
    },
    toString: () => title,
  }
}

/** Asserts that a call has the predicted outcome; returns its result if it succeeded. */
export async function agree<T>(
  model: Model,
  verb: string,
  predicted: FailureCode | undefined,
  call: Promise<T>,
): Promise<T | undefined> {
  const [outcome, output] = await call.then(
    (value) => ['success', value] as const,
    (error: unknown) => [codeOf(error), undefined] as const,
  )
  assert.equal(outcome, predicted ?? 'success', `${verb} has the outcome that the model predicts`)
  model.tally(`${verb}: ${outcome}`)
  return output
}

function codeOf(error: unknown): FailureCode {
  if (isFailure(error)) return error.code
  throw error
}

/** Returns the code of the first reason that is true. */
export function firstOf(
  ...reasons: readonly (readonly [boolean, FailureCode])[]
): FailureCode | undefined {
  return reasons.find(([holds]) => holds)?.[1]
}

/** Returns a party of the harness. */
export function partyOf({ parties }: ServiceHarness, who: Who): Party {
  const party = parties[who]
  assert.ok(party, 'a harness has four parties')
  return party
}

/** Returns the service that acts for a party. */
export function serviceOf({ services }: ServiceHarness, who: Who): MemoryService {
  const service = services[who]
  assert.ok(service, 'a harness has a service for each party')
  return service
}

/** Returns the input member that names a recipient; none when the payer is the recipient. */
export function recipientInput(
  harness: ServiceHarness,
  recipient: Recipient,
): { readonly recipient?: Account } {
  if (recipient === undefined) return {}
  if (recipient === 'nobody') return { recipient: nobody }
  return { recipient: partyOf(harness, recipient).ledger.agent }
}

/** Returns the party that receives the token or the rental. */
export function receiverOf(recipient: Recipient, payer: Who): Who {
  return typeof recipient === 'number' ? recipient : payer
}

/** The greatest difference between the chain's time and the harness's clock, in milliseconds. */
export const drift = 10 * 60_000

/** Waits until no rental ends within the drift, because the model cannot predict its state. */
export async function avoidRentalEnds({ tokens }: Model, harness: ServiceHarness): Promise<void> {
  const ends = tokens.flatMap(({ rentals }) => [...rentals.values()])
  while (ends.some((end) => Math.abs(end - harness.now()) <= drift)) await harness.wait(2 * drift)
}
