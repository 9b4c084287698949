import assert from 'node:assert/strict'
import {
  type Account,
  type FailureCode,
  instant,
  isFailure,
  type MemoryService,
  nobody,
} from '@heirloom/core'
import type { AsyncCommand } from 'fast-check'
import type { Party, World } from '../harness.ts'
import { assertToken, assertWealth } from './invariants.ts'
import type { Model, ModelToken, Who } from './model.ts'

/** A party that acquires something; `undefined` is the payer itself, `nobody` can hold nothing. */
export type Recipient = Who | 'nobody' | undefined

/** What a command does: plays its part in the model and the world, and returns what it touched. */
export type Play = (model: Model, world: World) => Promise<ModelToken | undefined>

/** Returns a command that plays, then looks whether everything that must hold still does. */
export function step(title: string, play: Play): AsyncCommand<Model, World> {
  return {
    check: () => true,
    run: async (model, world) => {
      const touched = await play(model, world)
      await assertWealth(model, world)
      if (touched !== undefined) await assertToken(model, world, touched)
    },
    toString: () => title,
  }
}

/** Asserts that a call ends as predicted; returns what it returned, if it succeeded. */
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
  assert.equal(outcome, predicted ?? 'success', `${verb} ends as the model predicts`)
  model.tally(`${verb}: ${outcome}`)
  return output
}

function codeOf(error: unknown): FailureCode {
  if (isFailure(error)) return error.code
  throw error
}

/** Returns the first failure whose reason holds. */
export function firstOf(
  ...reasons: readonly (readonly [boolean, FailureCode])[]
): FailureCode | undefined {
  return reasons.find(([holds]) => holds)?.[1]
}

/** Returns a party of the world. */
export function partyOf({ parties }: World, who: Who): Party {
  const party = parties[who]
  assert.ok(party, 'a world has four parties')
  return party
}

/** Returns the service that acts for a party. */
export function serviceOf({ services }: World, who: Who): MemoryService {
  const service = services[who]
  assert.ok(service, 'a world has a service for each party')
  return service
}

/** Returns the input member that names a recipient: none, when the payer is meant. */
export function recipientInput(
  world: World,
  recipient: Recipient,
): { readonly recipient?: Account } {
  if (recipient === undefined) return {}
  if (recipient === 'nobody') return { recipient: nobody }
  return { recipient: partyOf(world, recipient).ledger.agent }
}

/** Returns who acquires what the payer pays for; `nobody` never does. */
export function heirOf(recipient: Recipient, payer: Who): Who {
  return typeof recipient === 'number' ? recipient : payer
}

/** How far a chain's time may be from the world's clock; the model predicts nothing within it. */
export const drift = 10 * 60_000

/** Waits until no rental is about to end or has just ended. */
export async function leaveEdges({ tokens }: Model, world: World): Promise<void> {
  const ends = tokens.flatMap(({ rentals }) => [...rentals.values()])
  while (ends.some((end) => Math.abs(end - world.now()) <= drift)) await world.wait(2 * drift)
}

/** Returns a moment some way from now. */
export const fromNow = (world: World, milliseconds: number) => instant(world.now() + milliseconds)
