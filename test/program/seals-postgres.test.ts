import { countSeals, hasSealFor, sealNotes } from '@heirloom/adapters/internal/seal-notes'
import { postgresJobStore } from '@heirloom/adapters/job-store'
import { account, type Hex, isFailure, type MemoryService, memoryService } from '@heirloom/core'
import {
  memoryBlobStore,
  memoryChain,
  memoryCipher,
  stoppedClock,
  wallets,
} from '@heirloom/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sealingOver, sealSettings } from '../../packages/http/test/sealing-over.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'

const postgres = sharedPostgres()
let databases = 0
const creator = account(wallets[1].address)
const bodyDigest = `0x${'ab'.repeat(32)}` as Hex
const request = { creator, client: 'here', timestamp: 1, bodyDigest, idempotencyKey: undefined }
const bundle = { data: {}, metadata: { category: 'research' } }

/** Opens the sealing of several servers that share a database. */
async function openServers(count: number, settings = sealSettings) {
  const name = `seals_${databases++}`
  await postgres.run(`CREATE DATABASE ${name}`)
  const url = new URL(postgres.url)
  url.pathname = name
  const clock = stoppedClock()
  const blobStore = memoryBlobStore()
  const ledger = memoryChain({ clock }).ledger(account(wallets[0].address))
  const service: MemoryService = memoryService({ blobStore, cipher: memoryCipher(), clock, ledger })
  const open = async () => {
    const store = await postgresJobStore(url.href)
    onTestFinished(store.close)
    const parts = { service, clock, settings, registry: ledger.registry }
    return { store, notes: sealNotes(store, ledger.registry), ...sealingOver(store, parts) }
  }
  return Promise.all(Array.from({ length: count }, open))
}

describe('servers that share a database', () => {
  test('seal once for a proof, and each returns the same', async () => {
    const servers = await openServers(3)
    const answers = await Promise.allSettled(servers.map((it) => it.seal({ ...request, bundle })))
    for (const answer of answers) {
      const isBusy = answer.status === 'rejected' && isFailure(answer.reason, 'service/busy')
      expect(answer.status === 'fulfilled' || isBusy).toBe(true)
    }
    const sealed = await Promise.all(servers.map((it) => it.seal({ ...request, bundle })))
    expect(new Set(sealed.map((it) => JSON.stringify(it))).size).toBe(1)
    const [{ store, notes }] = servers as [(typeof servers)[number]]
    expect(await countSeals(store)).toMatchObject({ unminted: { seals: 1 }, storing: { seals: 0 } })
    const [note] = await notes.unmintedOf(creator, sealed[0]?.contentHash ?? ('' as never))
    expect([note?.digest, note?.expiresAt]).toEqual([sealed[0]?.digest, sealed[0]?.expiresAt])
    expect(await notes.unminted(Number.MAX_SAFE_INTEGER, 9)).toHaveLength(1)
    const ends = await Promise.all(servers.map((it) => it.notes.end(note?.id ?? '', 'minted')))
    expect(ends.toSorted()).toEqual([false, false, true])
    expect(await hasSealFor(store, sealed[0]?.digest ?? ('' as never))).toBe(true)
  })

  test('count the seals of all of them', async () => {
    const bound = { seals: 2, bytes: 0 }
    const none = { seals: 0, bytes: 0 }
    const bounds = { perAccount: bound, perClient: none, inAll: none }
    const [one, other] = await openServers(2, { ...sealSettings, bounds })
    for (const [server, timestamp] of [
      [one, 1],
      [other, 2],
    ] as const) {
      await server?.seal({ ...request, timestamp, bundle })
    }
    for (const server of [one, other]) {
      const late = { ...request, timestamp: 3 }
      await expect(server?.admit(late)).rejects.toMatchObject({ code: 'seal/too-many' })
      await expect(server?.seal({ ...late, bundle })).rejects.toMatchObject({
        code: 'seal/too-many',
      })
      await server?.admit({ ...request, timestamp: 1 })
    }
  })
})
