import { sqlGrants } from '@heirloom/adapters/internal/grants'
import { sqlNames } from '@heirloom/adapters/internal/names'
import { type JobStore, postgresJobStore } from '@heirloom/adapters/job-store'
import { type Clock, type Hex, maySaveStill } from '@heirloom/core'
import { memoryGrants, memoryNames } from '@heirloom/testkit'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { sqliteStore } from '../../packages/adapters/src/store/sqlite.ts'
import { deployment } from '../../packages/http/test/server-harness.ts'
import { partiesOn } from '../harness/grants/check.ts'
import { coreSubject } from '../harness/grants/core-subject.ts'
import { httpSubject } from '../harness/grants/http-subject.ts'
import { type Model, noTally, type Tally } from '../harness/grants/model.ts'
import { nameCommands } from '../harness/grants/name-commands.ts'
import type { Subject } from '../harness/grants/subject.ts'
import { mintFor, tokenCommands } from '../harness/grants/token-commands.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'
import { seedOfRun, tier, times } from '../tier.ts'

/**
 * Plays what may happen to grants of tokens and names, and asserts after each command that a memory was
 * given to those alone who may read it, and to each of them, and that a name has the versions of those
 * alone who may save to it. An account sees listed what the owners that it accepted grant it, and no more.
 */

/** Plays stories on subjects, and returns the numbers of all. */
async function play(open: () => Promise<Subject>): Promise<Tally> {
  const tally = noTally()
  const commands = [...tokenCommands, ...nameCommands]
  const sequences = fc.commands(commands, { maxCommands: 60, size: 'max' })
  const property = fc.asyncProperty(sequences, async (sequence) => {
    const subject = await open()
    const parties = partiesOn(subject.chain)
    const none = { tokens: [], lines: [], grants: [], accepted: new Map(), floors: new Map() }
    const model: Model = Object.assign(none, { parties, tally })
    try {
      for (const party of parties.slice(0, 2)) await mintFor(model, subject, party)
      await fc.asyncModelRun(() => ({ model, real: subject }), sequence)
    } finally {
      await subject.close()
    }
  })
  await fc.assert(property, { numRuns: times(7, 420), seed: seedOfRun })
  return tally
}

const least = times(60, 10_000)

async function expectNothingElse(open: () => Promise<Subject>): Promise<void> {
  const { commands: played, given, refused, saved, unsaved, listed, ...wrong } = await play(open)
  if (tier === 'long') {
    const numbers = { played, given, refused, saved, unsaved, listed, ...wrong }
    process.stderr.write(`${JSON.stringify(numbers)}\n`)
  }
  expect(wrong).toEqual({ bytesBeyond: 0, wronglyRefused: 0, wronglySaved: 0 })
  const reached = [given, refused, saved, unsaved, listed].map((it) => it > 0)
  expect([played >= least, ...reached]).toEqual(Array(6).fill(true))
}

let stories = 0
/** Returns a place of its own for each story in one database. */
const newPlace = () => ({ chainId: ++stories, address: deployment.registry })

/** Opens the stores of each server on a database, in a place of their own. */
const replicasOn = (stores: readonly JobStore[]) => async (clock: Clock) => {
  const registry = newPlace()
  return Promise.all(
    stores.map(async (store) => {
      const grants = await sqlGrants(store, registry)
      const isOwners = async () => true
      const byGrants = {
        maySave: (id: Hex, names: Parameters<typeof maySaveStill>[0]['names']) =>
          maySaveStill({ clock, grants, names, isOwners }, id),
      }
      const findMinted = async () => undefined
      return { grants, names: sqlNames(store, { registry, findMinted, byGrants }) }
    }),
  )
}

describe('whatever happens, a memory opens to those who may read it, and to nobody else', () => {
  const postgres = sharedPostgres()
  const opened: JobStore[] = []
  afterAll(() => Promise.all(opened.map((it) => it.close())))

  test('in memory', () =>
    expectNothingElse(coreSubject(async () => [{ grants: memoryGrants(), names: memoryNames() }])))

  test('in SQLite', async () => {
    const store = await sqliteStore(':memory:')
    await expectNothingElse(coreSubject(replicasOn([store])))
    await store.close()
  })

  test('in PostgreSQL, with two servers, each answering what the other was sent', async () => {
    await postgres.run('CREATE DATABASE model_grants')
    const url = new URL('/model_grants', postgres.url).href
    const stores = [await postgresJobStore(url), await postgresJobStore(url)]
    opened.push(...stores)
    await expectNothingElse(coreSubject(replicasOn(stores)))
  })

  test('over HTTP', () => expectNothingElse(httpSubject))
})
