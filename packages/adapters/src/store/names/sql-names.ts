import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import {
  Failure,
  type HoldId,
  type HoldResult,
  instant,
  isFailure,
  type Names,
  type OwnedName,
  type Registry,
  type SaveRequest,
  type SealedVersion,
  tokenId,
} from '@heirloom/core'
import { registryId } from '../seal-notes.ts'
import type { Store } from '../store.ts'
import { decideHold, type FindMinted, type SavesByGrants } from './decide-hold.ts'
import { givenUp, moveName, refuseToken, releaseName } from './holds.ts'
import { listNames, listVersions } from './list-names.ts'
import { findName, findVersion, lastVersion, nameRecord } from './name-rows.ts'
import type { NameRow, NameVersionRow } from './name-tables.ts'
import { forgetName, renameName } from './rename-name.ts'
import { type TakenHold, takeHold } from './take-hold.ts'

export type { FindMinted, MintedContent, SavesByGrants } from './decide-hold.ts'

export declare namespace sqlNames {
  type Options = {
    readonly registry: Registry
    /** Finds the token of a mint whose job is gone, and of a seal. */
    readonly findMinted: FindMinted
    /** Decides of the saves by grants; absent where there are none. */
    readonly byGrants?: SavesByGrants | undefined
    /** The longest wait for another save, in milliseconds. */
    readonly patience?: number | undefined
  }
}

/** Names in a store, with a save that the mint of a seal ends. */
export type SqlNames = Names & {
  /** Holds a name as `hold` does, until the memory that was sealed under this id is minted. */
  readonly holdForSeal: (request: SaveRequest, seal: string) => Promise<HoldResult>
}

type Parts = decideHold.Parts & { readonly patience: number }

/** The longest wait for another save by default, in milliseconds. */
const longestWait = 30_000

/** Returns the names of a registry in a store. */
export function sqlNames(
  store: decideHold.Parts['store'],
  { registry, patience = longestWait, ...deciding }: sqlNames.Options,
): SqlNames {
  const place = { db: store.db, registry: registryId(registry) }
  const { registry: of } = place
  const parts = { ...deciding, store, registry: of, holder: randomUUID(), patience }
  const settled = (of: OwnedName) => settle(parts, of)
  const ofStore = guarded({
    hold: (request: SaveRequest) => hold(parts, request),
    holdForSeal: (request: SaveRequest, seal: string) => hold(parts, request, seal),
    note: (id: HoldId, sealed: SealedVersion) => note(store, id, sealed),
    move: (...[id, minted]: Parameters<Names['move']>) =>
      store.commit((trx) => moveName(trx, id, minted)),
    release: (...[id, refused]: Parameters<Names['release']>) =>
      store.commit(async (trx) => {
        await (refused === undefined ? releaseName(trx, id) : refuseToken(trx, id, refused))
      }),
    find: async (of: OwnedName) => {
      const row = await settled(of)
      return row && nameRecord(store.db, row)
    },
    list: (...[owner, page]: Parameters<Names['list']>) =>
      listNames({ ...place, owner, page, settle: (id) => decideById(parts, id) }),
    versions: async (...[of, page]: Parameters<Names['versions']>) =>
      listVersions(store.db, { of, page, row: await settled(of) }),
    versionOf: async (...[of, token]: Parameters<Names['versionOf']>) => {
      const row = await settled(of)
      return row && findVersion(store.db, row, token)
    },
    rename: async (...[of, to]: Parameters<Names['rename']>) => {
      await settled(of)
      await store.commit((trx) => renameName({ ...place, db: trx }, of, to))
    },
    forget: async (...[of, last]: Parameters<Names['forget']>) => {
      await settled(of)
      await store.commit((trx) => forgetName({ ...place, db: trx }, of, last))
    },
  })
  return ofStore
}

async function hold(parts: Parts, request: SaveRequest, seal?: string): Promise<HoldResult> {
  const { store, registry, holder } = parts
  // First of all, so that a save which ends meanwhile counts as one that was faster.
  const after = request.after ?? (await lastToken(parts, request))
  const until = performance.now() + parts.patience
  for (let wait = 5; ; wait = Math.min(2 * wait, 200)) {
    const input = { registry, request, after, holder, now: store.now(), seal }
    const taken = await store.commit((trx) => takeHold(trx, input))
    if (taken.kind !== 'taken') return taken
    if (await decideHold(parts, taken.by)) continue
    await refuseToWait(parts, request, taken, performance.now() > until)
    await pause(wait)
  }
}

/** Returns the last token of a name, also one that its wallet has minted and nobody noted so far. */
async function lastToken(parts: Parts, request: SaveRequest) {
  const row = await settle(parts, request, ['sealed'])
  return (row && (await lastVersion(parts.store.db, row)))?.tokenId ?? tokenId(0n)
}

const allStates: readonly NameVersionRow['state'][] = ['held', 'sealed', 'minting', 'saved']

/** Returns the row of a name after what holds it was decided, if it can be and has one of the states. */
async function settle(
  parts: Parts,
  of: OwnedName,
  states = allStates,
): Promise<NameRow | undefined> {
  const place = { db: parts.store.db, registry: parts.registry }
  const row = await findName(place, of)
  if (row === undefined || row.hold === null) return row
  await decideById(parts, row.hold, states)
  return findName(place, of)
}

/** Refuses to wait longer, and to wait at all for a wallet that may take hours to mint. */
async function refuseToWait(
  { store }: Parts,
  { name }: SaveRequest,
  { by }: TakenHold,
  isOver: boolean,
): Promise<void> {
  if (by.state !== 'sealed') {
    if (isOver) throw new Failure('name/held', { name })
    return
  }
  const seal = await store.db
    .selectFrom('seal')
    .select('expiresAt')
    .where('id', '=', by.seal)
    .executeTakeFirst()
  const until = seal && instant(Number(seal.expiresAt))
  throw new Failure('name/held', until === undefined ? { name } : { name, until })
}

/** Decides a hold if it can be; what cannot be decided now is decided later. */
async function decideById(parts: Parts, id: HoldId, states = allStates): Promise<void> {
  const row = await parts.store.db
    .selectFrom('nameVersion')
    .selectAll()
    .where('id', '=', id)
    .where('state', 'in', states)
    .executeTakeFirst()
  if (row !== undefined) await decideHold(parts, row).catch(() => false)
}

function note({ commit }: Pick<Store, 'commit'>, id: HoldId, sealed: SealedVersion): Promise<void> {
  // Lazily: the mint that follows is stored after it, so what loses the note loses the mint.
  return commit(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('nameVersion')
      .set(sealed)
      .where('id', '=', id)
      .where('state', 'in', ['held', 'sealed'])
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw await givenUp(trx, id)
  }, 'lazily')
}

type Methods = { readonly [method: string]: (...all: never[]) => Promise<unknown> }

/** Wraps methods so that the errors of a database become `name/unavailable`. */
function guarded<Of extends Methods>(methods: Of): Of {
  const wrapped = Object.entries(methods).map(([operation, run]) => {
    const guardedRun = (...all: never[]) =>
      run(...all).catch((cause: unknown) => {
        if (isFailure(cause)) throw cause
        throw new Failure('name/unavailable', { operation }, { cause })
      })
    return [operation, guardedRun]
  })
  return Object.fromEntries(wrapped)
}
