import type { Hex } from '@heirloom/core'
import { revokeAllText, revokeText } from '../api/signed-texts.ts'
import { type Account, noAccountError, type Prover } from './access-proof.ts'
import { createDownload, type Download } from './download.ts'
import type { Scans } from './memory-scan.ts'
import type { NameCalls } from './name-calls.ts'
import {
  createNamedMemory,
  findNamed,
  type MemoryOptions,
  type NamedMemory,
  type SavedVersion,
} from './named-memory.ts'
import { createParts, type Parts } from './parts.ts'
import type { ReadRecordedHash } from './recorded-hash.ts'
import type { PageQuery, SnapshotContent, SnapshotOptions, TokenIdInput } from './requests.ts'
import type {
  Deployment,
  Grant,
  GrantedVersions,
  GrantsPage,
  ReceivedGrantsPage,
} from './responses.ts'
import { encodeDocument, snapshotBody } from './snapshot-body.ts'
import { type Guards, guarded, writeOptions } from './transport/known-members.ts'
import { readsOver } from './transport/reads-over.ts'
import { encodeJson, encodeTokenId, malformedName, requestLine } from './transport/request-line.ts'
import type { Timers } from './transport/retries.ts'
import type { CallOptions, Transport, WriteOptions } from './transport/transport.ts'
import type { SendWrite } from './writes.ts'

/** The reads of the memories that another account granted, and the saves. */
export type GrantedMemories = Parts & {
  readonly download: Download
  /** Returns the versions of the name that the grant is of, the newest first, with its owner. */
  readonly log: (page?: PageQuery, options?: Options) => Promise<GrantedVersions>
  /**
   * Saves the next version of the name for its owner, where the grant lets the account save. Fails with
   * `name/moved` when another version came after `after`.
   */
  readonly save: (memory: GrantedSaveInput, options?: WriteOptions) => Promise<SavedVersion>
  /**
   * Returns the calls of the name that the grant is of, written with its owner: `0x…:ada`. They fail with
   * `name/malformed` for any other name, and when they rename or forget it, as only its owner does.
   */
  readonly memory: <Data extends object = object>(
    name: string,
    options?: MemoryOptions,
  ) => NamedMemory<Data>
}

/** The next version of a granted name. */
type GrantedSaveInput = SnapshotContent &
  Pick<SnapshotOptions, 'card' | 'accept'> & {
    /** The token that was seen as the last version; whatever is the last when absent. */
    readonly after?: TokenIdInput | undefined
  }

const guards: Guards<Pick<GrantedMemories, 'save'>> = {
  save: [{ data: 1, metadata: 1, document: 1, card: 1, accept: 1, after: 1 }, writeOptions],
}

type Options = Pick<CallOptions, 'signal'>

/** The calls on grants: of the account as a reader, and as an owner. */
export type GrantCalls = {
  /** Returns the reads and the saves by a grant of another account, which has its id. */
  readonly granted: (grant: Hex) => GrantedMemories
  /** Returns the grants of the account that count, the last signed first. */
  readonly grants: (page?: PageQuery, options?: Options) => Promise<GrantsPage>
  /** Returns the grants to the account that count here, of the owners that it accepted. */
  readonly receivedGrants: (page?: PageQuery, options?: Options) => Promise<ReceivedGrantsPage>
  /**
   * Has `receivedGrants` list what an owner grants to the account, now and later. Fails with
   * `grant/not-found` where the owner has granted it nothing here.
   */
  readonly acceptGrants: (owner: Hex, options?: Options) => Promise<void>
  /** Has `receivedGrants` list nothing of an owner any more. What it granted may be read still. */
  readonly ignoreGrants: (owner: Hex, options?: Options) => Promise<void>
  /**
   * Revokes a grant of the account, for good. One that was never deposited at this server needs the
   * grant itself.
   */
  readonly revokeGrant: (
    id: Hex,
    terms?: { readonly grant?: Grant | undefined },
    options?: Options,
  ) => Promise<void>
  /** Revokes every grant that the account signed until now, also those that nobody deposited. */
  readonly revokeGrants: (options?: Options) => Promise<void>
}

type Timed = { readonly timestamp: number }

type Signing = {
  readonly account: Account | undefined
  readonly transport: Pick<Transport, 'send'>
  readonly timers: Pick<Timers, 'now'>
  /** Sends a request that the account signs. */
  readonly send: Transport['send']
  readonly readDeployment: () => Promise<Deployment>
}

type Needed = Signing &
  Prover & {
    readonly transport: Transport
    readonly readRecordedHash: ReadRecordedHash
    readonly scans: Scans
    /** Sends a write that the account signs. */
    readonly write: SendWrite
    /** The calls for the names of the account. */
    readonly calls: NameCalls
  }

/** Creates the calls on grants. */
export const createGrants = (parts: Needed): GrantCalls => ({
  granted: (grant) => {
    const prover = { ...parts, grant }
    // What another saved is scanned, and no server says of it that it is one's own.
    const scans = { ...parts.scans, isOwn: async () => false }
    const download = createDownload({ ...prover, scans })
    const log: GrantedMemories['log'] = async (page, options) =>
      readsOver(parts.send)('grantedVersions', true)(grant, page, options)
    const { save } = guarded<Pick<GrantedMemories, 'save'>>(
      {
        save: async (memory, options) => {
          const after = memory.after === undefined ? undefined : encodeTokenId(memory.after)
          const body = snapshotBody(await encodeDocument(memory), { ...memory, after })
          return parts.write(['grantedSave', grant], body, options)
        },
      },
      guards,
    )
    const memory = createGrantedMemory({ calls: parts.calls, download, log, save })
    return { ...createParts(prover), download, log, save, memory }
  },
  ...createOwnGrants(parts),
})

type Granted = Pick<GrantedMemories, 'download' | 'log' | 'save'> & { readonly calls: NameCalls }

/** The name that a grant is of, and its owner. */
type OfGrant = Pick<GrantedVersions, 'owner' | 'name'>

/** Creates the calls of the name that a grant is of. */
function createGrantedMemory({ calls, download, log, save }: Granted): GrantedMemories['memory'] {
  /** The name of the grant, which never changes, once the server has named it. */
  let granted: OfGrant | undefined
  const requireSame = (given: string, of: OfGrant) => {
    granted = of
    const { owner, name } = of
    // The capital letters of the owner are a checksum.
    const plain = `${given}`.replace(/^.{42}/, (it) => it.toLowerCase())
    if (plain === `${owner.toLowerCase()}:${name}`) return
    throw malformedName(given, `is not that of the grant, which is ${owner}:${name}`)
  }
  const versions: NameCalls['versions'] = async (name, page, options) => {
    const found = await log(page, options)
    requireSame(name, found)
    return found
  }
  return createNamedMemory({
    calls: { ...calls, versions },
    last: (name, options) => findNamed(name, undefined, (page) => versions(name, page, options)),
    saveAt: async ({ name, seen: after }, memory, options) => {
      requireSame(name, granted ?? (await log({ limit: 1 }, { signal: options?.signal })))
      return save({ ...memory, after }, options)
    },
    download,
  })
}

/** Creates the calls on the grants that an account made or received. */
export function createOwnGrants(parts: Signing): Omit<GrantCalls, 'granted'> {
  const { transport, account, timers, readDeployment, send } = parts
  const read = readsOver(send)
  const choose =
    (name: 'acceptGrants' | 'ignoreGrants') =>
    async (owner: Hex, options: Options = {}) => {
      await send({ ...requestLine(name, owner), options })
    }
  const revoke = async (
    line: ReturnType<typeof requestLine>,
    textOf: (place: Deployment, owner: Hex) => string,
    {
      options = {},
      ...more
    }: {
      readonly options: Options | undefined
      readonly grant?: Grant | undefined
    } & Partial<Timed>,
  ) => {
    if (account === undefined) throw noAccountError('revocation')
    const { address: owner, signMessage } = account
    const signature = await signMessage({ message: textOf(await readDeployment(), owner) })
    const body = encodeJson({ owner, signature, ...more })
    await transport.send({ ...line, body, options })
  }
  return {
    grants: read('grants', true),
    receivedGrants: read('receivedGrants', true),
    acceptGrants: choose('acceptGrants'),
    ignoreGrants: choose('ignoreGrants'),
    revokeGrant: (id, { grant } = {}, options) =>
      revoke(
        requestLine('revokeGrant', id),
        (place, owner) => revokeText(place, { owner, grant: id }),
        { options, grant },
      ),
    revokeGrants: (options) => {
      const timestamp = Math.floor(timers.now() / 1000)
      return revoke(
        requestLine('revokeGrants'),
        (place, owner) => revokeAllText(place, { owner, timestamp }),
        { options, timestamp },
      )
    },
  }
}
