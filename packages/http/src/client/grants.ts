import type { Hex } from '@heirloom/core'
import { revokeAllText, revokeText } from '../api/signed-texts.ts'
import {
  type Account,
  noAccountError,
  type Prover,
  type SignCall,
  sendCalls,
} from './access-proof.ts'
import { createDownload, type Download } from './download.ts'
import type { Scans } from './memory-scan.ts'
import type { SavedVersion } from './named-memory.ts'
import { createParts, type Parts } from './parts.ts'
import type { ReadRecordedHash } from './recorded-hash.ts'
import type { PageQuery, SnapshotContent, SnapshotOptions, TokenIdInput } from './requests.ts'
import type { Deployment, Grant, GrantedVersions, GrantsPage } from './responses.ts'
import { encodeDocument, snapshotBody } from './snapshot-body.ts'
import { decodeResponse } from './transport/decode-response.ts'
import { type Guards, guarded, writeOptions } from './transport/known-members.ts'
import { encodeJson, encodeTokenId, requestLine } from './transport/request-line.ts'
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
  readonly signed: SignCall
  readonly readDeployment: () => Promise<Deployment>
}

type Needed = Signing &
  Prover & {
    readonly transport: Transport
    readonly readRecordedHash: ReadRecordedHash
    readonly scans: Scans
    /** Sends a write that the account signs. */
    readonly write: SendWrite
  }

/** Creates the calls on grants. */
export const createGrants = (parts: Needed): GrantCalls => ({
  granted: (grant) => {
    const prover = { ...parts, grant }
    // What another saved is scanned, and no server says of it that it is one's own.
    const scans = { ...parts.scans, isOwn: async () => false }
    return {
      ...createParts(prover),
      download: createDownload({ ...prover, scans }),
      log: async (page, options = {}) =>
        decodeResponse(
          await sendCalls(parts)({ ...requestLine('grantedVersions', grant), page, options }),
        ),
      ...guarded<Pick<GrantedMemories, 'save'>>(
        {
          save: async (memory, options) => {
            const after = memory.after === undefined ? undefined : encodeTokenId(memory.after)
            const body = snapshotBody(await encodeDocument(memory), { ...memory, after })
            return parts.write(['grantedSave', grant], body, options)
          },
        },
        guards,
      ),
    }
  },
  ...createOwnGrants(parts),
})

/** Creates the calls on the grants that an account made. */
export function createOwnGrants(parts: Signing): Omit<GrantCalls, 'granted'> {
  const { transport, account, timers, readDeployment } = parts
  const revoke = async (
    line: ReturnType<typeof requestLine>,
    textOf: (place: Deployment, owner: Hex) => string,
    {
      options = {},
      ...more
    }: { readonly options: Options | undefined; readonly grant?: Grant } & Partial<Timed>,
  ) => {
    const { address: owner, signMessage } = requireAccount(account)
    const signature = await signMessage({ message: textOf(await readDeployment(), owner) })
    const body = encodeJson({ owner, signature, ...more })
    await transport.send({ ...line, body, options })
  }
  return {
    grants: async (page, options = {}) =>
      decodeResponse(await sendCalls(parts)({ ...requestLine('grants'), page, options })),
    revokeGrant: (id, { grant } = {}, options) =>
      revoke(
        requestLine('revokeGrant', id),
        (place, owner) => revokeText(place, { owner, grant: id }),
        { options, ...(grant && { grant }) },
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

function requireAccount(account: Account | undefined): Account {
  if (account === undefined) throw noAccountError('revocation')
  return account
}
