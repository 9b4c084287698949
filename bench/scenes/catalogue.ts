import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sqlCatalogue } from '@heirloom/adapters/catalogue'
import { encodeAbiParameters, type Hex, keccak256, parseAbiParameters, toHex } from 'viem'
import type { Round, Scene } from '../figure.ts'
import { selectors } from '../parts/event-selectors.ts'

const events = 100_000
const perBlock = 50

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
    const chain = chainOf(history())
    const measured: Round[] = []
    await caughtUp(chain)
    for (let round = 0; round < rounds; round++) {
      measured.push({ yardstick: await inserted(), value: await caughtUp(chain) })
    }
    return { C1: measured }
  },
}

const contracts = { registry: address(1), marketplace: address(2) }

/** The events of tokens that are minted, listed, sold, rented and given away, by turns. */
function history(): readonly object[] {
  const { Transfer, Minted, Listed, Rented } = selectors
  const logs: object[] = []
  const add = (of: Hex, topics: readonly Hex[], data: Hex = '0x') => {
    const block = 1 + Math.floor(logs.length / perBlock)
    logs.push({
      ...{ address: of, topics, data, blockNumber: toHex(block), blockHash: hashOf(block) },
      ...{ logIndex: toHex(logs.length % perBlock), transactionHash: hashOf(logs.length) },
      blockTimestamp: toHex(1_800_000_000 + block),
    })
  }
  for (let id = 1; logs.length < events; id++) {
    const [token, owner, next] = [word(id), word(id % 1000), word((id + 7) % 1000)]
    add(contracts.registry, [Transfer, word(0), owner, token])
    add(contracts.registry, [Minted, token, owner, keccak256(token)], words(id, 0, 0))
    add(contracts.marketplace, [Listed, token, owner], words(id * 1000, id * 10, id * 100, 500))
    add(
      contracts.marketplace,
      [Rented, token, next, next],
      words(id % 1000, 2_000_000_000, 10 * id),
    )
    add(contracts.registry, [Transfer, owner, next, token])
  }
  return logs.slice(0, events)
}

type Asked = { readonly fromBlock?: Hex; readonly toBlock?: Hex }

function chainOf(logs: readonly object[]) {
  const last = Math.ceil(events / perBlock)
  const answers: Readonly<Record<string, (params: readonly Asked[]) => unknown>> = {
    eth_chainId: () => '0x1',
    eth_blockNumber: () => toHex(last),
    eth_getBlockByNumber: ([number]: readonly unknown[]) => ({
      ...{ number, hash: hashOf(Number(number)), parentHash: hashOf(Number(number) - 1) },
      timestamp: toHex(1_800_000_000 + Number(number)),
    }),
    eth_getLogs: ([{ fromBlock, toBlock } = {}]) =>
      logs.slice((Number(fromBlock) - 1) * perBlock, Number(toBlock) * perBlock),
  }
  return {
    stateVersion: () => 1,
    request: async ({ method, params }: { readonly method: string; readonly params?: unknown }) =>
      answers[method]?.(params as never),
  }
}

/** Returns how long a catalogue takes from nothing to the head, in milliseconds. */
async function caughtUp(chain: ReturnType<typeof chainOf>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-bench-'))
  const began = performance.now()
  const it = await sqlCatalogue({ chain, contracts, db: join(folder, 'catalogue.sqlite') })
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

function address(number: number): Hex {
  return toHex(number, { size: 20 })
}

function word(number: number): Hex {
  return toHex(number, { size: 32 })
}

function words(...numbers: readonly number[]): Hex {
  const types = parseAbiParameters(numbers.map(() => 'uint256').join(','))
  return encodeAbiParameters(types, numbers.map(BigInt) as never)
}

function hashOf(number: number): Hex {
  return keccak256(toHex(`block ${number}`))
}
