import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sqlCatalogue } from '@heirloom/adapters/catalogue'
import { keccak256 } from 'viem'
import type { Benchmark, Round } from '../figure.ts'
import { eventSelectors } from '../parts/event-selectors.ts'
import {
  type SyntheticEvent,
  syntheticChain,
  syntheticContracts,
  word,
  words,
} from '../parts/synthetic-chain.ts'

const events = 100_000

/** Measures how fast a catalogue on disk indexes 100,000 events of a chain in memory. */
export const catalogue: Benchmark = {
  figures: [
    {
      id: 'C1',
      what: 'a catalogue catches up 100,000 events',
      against: 'insert of as many rows into SQLite',
      unit: 'ms',
      better: 'lower',
      must: 20,
      aim: 10,
    },
  ],
  measure: async (rounds) => {
    const chain = syntheticChain(history())
    const measured: Round[] = []
    await catchUp(chain)
    for (let round = 0; round < rounds; round++) {
      measured.push({ yardstick: await insertRows(), value: await catchUp(chain) })
    }
    return { C1: measured }
  },
}

/** Returns the events of tokens that are minted, listed, rented and transferred. */
function history(): readonly SyntheticEvent[] {
  const { Transfer, Minted, Listed, Rented } = eventSelectors
  const { registry, marketplace } = syntheticContracts
  const all: SyntheticEvent[] = []
  for (let id = 1; all.length < events; id++) {
    const [token, owner, next] = [word(id), word(id % 1000), word((id + 7) % 1000)]
    const rental = words(id % 1000, 2_000_000_000, 10 * id)
    const terms = words(id * 1000, id * 10, id * 100, 500)
    all.push(
      { of: registry, topics: [Transfer, word(0), owner, token] },
      { of: registry, topics: [Minted, token, owner, keccak256(token)], data: words(id, 0, 0) },
      { of: marketplace, topics: [Listed, token, owner], data: terms },
      { of: marketplace, topics: [Rented, token, next, next], data: rental },
      { of: registry, topics: [Transfer, owner, next, token] },
    )
  }
  return all.slice(0, events)
}

/** Indexes a chain from the beginning; returns the time in milliseconds. */
async function catchUp(chain: ReturnType<typeof syntheticChain>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-bench-'))
  const began = performance.now()
  const it = await sqlCatalogue({
    chain,
    contracts: syntheticContracts,
    db: join(folder, 'catalogue.sqlite'),
  })
  await it.caughtUp()
  const took = performance.now() - began
  await it.close()
  rmSync(folder, { recursive: true })
  return took
}

/** Inserts as many rows without an index; returns the time in milliseconds. */
async function insertRows(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-bench-'))
  const file = new DatabaseSync(join(folder, 'plain.sqlite'))
  file.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  file.exec('CREATE TABLE event (id integer PRIMARY KEY, said text NOT NULL)')
  const began = performance.now()
  file.exec('BEGIN')
  const insert = file.prepare('INSERT INTO event VALUES (?, ?)')
  for (let id = 0; id < events; id++) insert.run(id, `{"kind":"transfer","tokenId":${id}}`)
  file.exec('COMMIT')
  const took = performance.now() - began
  file.close()
  rmSync(folder, { recursive: true })
  return took
}
