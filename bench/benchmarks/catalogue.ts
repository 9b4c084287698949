import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sqlCatalogue } from '@heirloom/adapters/catalogue'
import { keccak256 } from 'viem'
import type { Round, Scene } from '../figure.ts'
import { selectors } from '../parts/event-selectors.ts'
import { type MadeUp, madeUpChain, madeUpContracts, word, words } from '../parts/synthetic-chain.ts'

const events = 100_000

/** How fast a catalogue catches up: a chain in memory, 100,000 events behind, into a file. */
export const catalogue: Scene = {
  figures: [
    {
      ...{ id: 'C1', what: 'a catalogue catches up 100,000 events' },
      ...{ against: 'insert of as many rows into SQLite', unit: 'ms', better: 'lower' },
      ...{ must: 20, aim: 10 },
    },
  ],
  measure: async (rounds) => {
    const chain = madeUpChain(history())
    const measured: Round[] = []
    await caughtUp(chain)
    for (let round = 0; round < rounds; round++) {
      measured.push({ yardstick: await inserted(), value: await caughtUp(chain) })
    }
    return { C1: measured }
  },
}

/** The events of tokens that are minted, listed, sold, rented and given away, by turns. */
function history(): readonly MadeUp[] {
  const { Transfer, Minted, Listed, Rented } = selectors
  const { registry, marketplace } = madeUpContracts
  const all: MadeUp[] = []
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

/** Returns how long a catalogue takes from nothing to the head, in milliseconds. */
async function caughtUp(chain: ReturnType<typeof madeUpChain>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-bench-'))
  const began = performance.now()
  const it = await sqlCatalogue({
    chain,
    contracts: madeUpContracts,
    db: join(folder, 'catalogue.sqlite'),
  })
  await it.caughtUp()
  const took = performance.now() - began
  await it.close()
  rmSync(folder, { recursive: true })
  return took
}

/** Returns how long as many rows take that nothing is done with, in milliseconds. */
async function inserted(): Promise<number> {
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
