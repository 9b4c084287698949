import type { ReadVersions, VersionOf } from '../api/named-version.ts'
import { type Account, noAccountError } from './access-proof.ts'
import type { Download, Memory } from './download.ts'
import { HeirloomError, isHeirloomError } from './heirloom-error.ts'
import type { LineOwner } from './line-owner.ts'
import { isNameMissing, type NameCalls } from './name-calls.ts'
import type { Reads } from './reads.ts'
import type {
  PageQuery,
  Recipient,
  SnapshotContent,
  SnapshotOptions,
  TokenIdInput,
} from './requests.ts'
import type {
  ForgottenName,
  Minted,
  NamedVersion,
  NamedVersions,
  RenamedName,
} from './responses.ts'
import { encodeDocument, snapshotBody } from './snapshot-body.ts'
import { refuseUnknown, writeOptions } from './transport/known-members.ts'
import { encodeTokenId, requireName } from './transport/request-line.ts'
import type { CallOptions, WriteOptions } from './transport/transport.ts'
import { decodeDocument } from './versions.ts'
import { type SendWrite, snapshotMembers } from './writes.ts'

/** The response of `save`. */
export type SavedVersion = Minted & { readonly version: number }

/** The memory to save to a name, and its options; its parent is the last version. */
export type SaveInput<Data extends object = object> = SnapshotContent<Data> &
  Omit<SnapshotOptions, 'parentTokenId'>

/** A memory to save to a name whose owner may be the wallet of the server. */
export type NamedSaveInput<Data extends object = object> = SnapshotContent<Data> &
  Omit<SnapshotOptions, 'parentTokenId' | 'recipient'> & {
    /**
     * The owner of the version, who alone opens it: the account of the client when absent, or `server`
     * for the wallet of the server.
     */
    readonly recipient?: SnapshotOptions['recipient'] | 'server'
  }

/** The options of `remove`. */
export type RemoveOptions = WriteOptions & Pick<NamedSaveInput, 'recipient'>

/** A memory under a private name. It saves only over the version that it has seen. */
export type NamedMemory<Data extends object = object> = {
  /**
   * Saves the next version, or none where the last one has the same bytes and owner: then that one is the
   * answer, with `unchanged`. Fails with `name/moved` when another version came after the one that this
   * object saved or read last: read `latest`, take over what it changed, and save again. Fails with
   * `client/no-account` where nobody is named who could open it, and with `access/denied` after a `last`
   * version of another account on a server without API keys.
   */
  readonly save: (memory: NamedSaveInput<Data>, options?: WriteOptions) => Promise<SavedVersion>
  /**
   * Downloads the last version, and remembers it as seen; `undefined` for a name without versions. Fails
   * with `memory/erased` for one whose memory was erased, which counts as seen.
   */
  readonly latest: (options?: CallOptions) => Promise<Memory<Data> | undefined>
  /**
   * Downloads a version: by its number, or the last one that was saved by the end of a day in UTC, such
   * as `2026-10-01`, or by a time, such as `2026-10-01T12:00:00Z`. Fails with `client/no-version` if
   * there is none.
   */
  readonly at: (version: VersionOf, options?: CallOptions) => Promise<Memory<Data>>
  /** Returns the record of a version, chosen as for `at`; that of the last one without a choice. */
  readonly find: (version?: VersionOf, options?: CallOptions) => Promise<NamedVersion>
  /**
   * Saves the next version without the value at a JSON Pointer, such as `/data/notes/3`: an item leaves
   * its list, a member its object, and every other byte stays. Earlier versions keep the value until
   * they are erased. Goes on from the version that this object saved or read last, or else from the last
   * one. Fails with `part/not-found`, and as `save` does.
   */
  readonly remove: (pointer: string, options?: RemoveOptions) => Promise<SavedVersion>
  /** Returns who saved what when, the newest first. */
  readonly log: (page?: PageQuery, options?: Pick<CallOptions, 'signal'>) => Promise<NamedVersions>
  /**
   * Gives the name with all its versions another text, and ends its grants; fails with
   * `name/taken` if that has versions.
   * This object stays with the earlier text: go on with `memory(to, { seen: last.tokenId })`.
   */
  readonly rename: (to: string, options?: Pick<CallOptions, 'signal'>) => Promise<RenamedName>
  /**
   * Forgets the name and the list of its versions, and ends its grants. The tokens and memories
   * stay. Fails with
   * `name/moved` when another version came after the one that this object saved or read last, and
   * where it did none, after the last one at the call.
   */
  readonly forget: (options?: Pick<CallOptions, 'signal'>) => Promise<ForgottenName>
}

/** A name as the caller knows it. */
export type MemoryOptions = {
  /**
   * The token that the caller has seen as its last version, 0 for none, which is the default; or
   * `last` to save after whatever is the last one when the server gets the request.
   */
  readonly seen?: TokenIdInput | 'last' | undefined
}

/** A name, and the version that the caller saw last; `undefined` to go on after whatever is the last. */
type Place = { readonly name: string; readonly seen: string | undefined }

type Parts = {
  readonly calls: Pick<NameCalls, 'versions' | 'renameName' | 'forgetName'>
  /** Returns the last version of a name. */
  readonly last: (name: string, options?: Pick<CallOptions, 'signal'>) => Promise<NamedVersion>
  /** Saves a version after the one that was seen. */
  readonly saveAt: (
    place: Place,
    memory: NamedSaveInput,
    options: WriteOptions | undefined,
  ) => Promise<SavedVersion>
  readonly download: Download
  /** Says more of a failure to open the last version of a name. */
  readonly explain?: (name: string) => (error: unknown) => Promise<never>
  /** Checks the form of a name, where the caller alone knows it. */
  readonly requireName?: (name: string) => void
}

/** Creates the calls of a name. */
export const createNamedMemory =
  ({ calls, last, saveAt, download, explain, requireName }: Parts) =>
  <Data extends object = object>(name: string, options: MemoryOptions = {}): NamedMemory<Data> => {
    refuseUnknown<MemoryOptions>('memory', options, { seen: 1 })
    const { seen: first = 0 } = options
    requireName?.(name)
    let seen = first === 'last' ? undefined : encodeTokenId(first, 'seen')
    const log: NamedMemory['log'] = async (page, options) => calls.versions(name, page, options)
    const find: NamedMemory['find'] = async (version, options) => {
      if (version === undefined) return last(name, options)
      return findNamed(name, version, (page) => log(page, options))
    }
    const save: NamedMemory<Data>['save'] = async (memory, options) => {
      const saved = await saveAt({ name, seen }, memory, options)
      seen = saved.tokenId
      return saved
    }
    return {
      log,
      save,
      remove: async (pointer, { recipient, ...options } = {}) => {
        refuseUnknown<WriteOptions>('remove', options, writeOptions)
        const { signal } = options
        const from = Number(seen ?? 0) > 0 ? seen : (await find(undefined, { signal })).tokenId
        const memory = await download(`${from}`, { signal, scan: 'never' })
        seen = from
        return save({ document: await removeFrom(memory, pointer), recipient }, options)
      },
      latest: async (options = {}) => {
        const found = await last(name, options).catch(ignoreMissing)
        if (found === undefined) return undefined
        const { tokenId, erasedAt } = found
        // Of an erased memory there is no more to see; a save goes on after it.
        if (erasedAt !== null) seen = tokenId
        const memory = await download<Data>(tokenId, options).catch(explain?.(name))
        seen = tokenId
        return memory
      },
      find,
      at: async (version, options) =>
        download<Data>((await find(version, options)).tokenId, options),
      rename: async (to, options) => calls.renameName(name, to, options),
      forget: async (options) => {
        const after = seen === '0' ? undefined : seen
        const forgotten = await calls.forgetName(name, { ...options, after })
        seen = '0'
        return forgotten
      },
    }
  }

const { parentTokenId: _, ...savedMembers } = snapshotMembers

type Saving = {
  readonly calls: NameCalls
  readonly write: SendWrite
  readonly readDeployment: Reads['deployment']
  /** Whether the names are those of all clients, since none has an API key. */
  readonly isKeyless: boolean
  /** The account that opens memories, which receives the versions that it saves. */
  readonly account: Account | undefined
}

/** Creates the calls of a name of the account, the API key or the operator. */
export const createOwnMemory = (parts: Saving & Pick<Parts, 'download'>) =>
  createNamedMemory({
    ...parts,
    last: async (name, options) => (await parts.calls.findName(name, options)).last,
    saveAt: async (place, memory, options) => {
      refuseUnknown<NamedSaveInput>('save', memory, savedMembers)
      refuseUnknown<WriteOptions>('save', options, writeOptions)
      const content = await encodeDocument(memory)
      const next = await nextOf({ ...place, given: memory.recipient }, parts, options?.signal)
      const body = snapshotBody(content, { ...memory, ...next, name: place.name })
      return parts.write(['snapshot'], body, options)
    },
    explain: explainShared,
    requireName,
  })

type Chosen = Place & { readonly given: LineOwner | undefined }

type Next = {
  /** The owner of the version; `undefined` for the wallet of the server. */
  readonly recipient: Recipient | undefined
  /** The version that it comes after; whatever is the last when absent. */
  readonly after?: string
}

async function nextOf(
  { name, given, seen }: Chosen,
  { account, isKeyless, calls, readDeployment: read }: Saving,
  signal: AbortSignal | undefined,
): Promise<Next> {
  const owner = given ?? account?.address
  if (owner === undefined) throw noAccountError('save without `recipient`')
  const recipient = owner === 'server' ? undefined : owner
  if (seen !== undefined) return { recipient, after: seen }
  if (!isKeyless) return { recipient }
  const line = await calls.findName(name, { signal }).catch(ignoreMissing)
  const { otherLine } = await import('./line-owner.ts')
  const denied = await otherLine(line, { owner, read })
  if (denied) throw new HeirloomError(denied)
  // What another saves meanwhile is not saved over.
  return { recipient, after: line?.last.tokenId ?? '0' }
}

/** Says of a version that the account may not open that another client saved it. */
const explainShared =
  (name: string) =>
  async (error: unknown): Promise<never> => {
    if (!isHeirloomError(error, 'access/denied')) throw error
    const { ofSharedName } = await import('./line-owner.ts')
    throw new HeirloomError(ofSharedName(error, name))
  }

/** Returns the text of a memory without the value at a pointer. @throws `part/not-found` */
async function removeFrom(memory: Pick<Memory, 'document'>, pointer: string): Promise<string> {
  const { removeValue } = await import('@heirloom/adapters/internal/diff/remove-value')
  const removal = removeValue(decodeDocument(memory), pointer)
  if (!('problem' in removal)) return removal.text
  const { problem } = removal
  throw new HeirloomError({
    code: 'part/not-found',
    facts: { pointer, problem },
    message: `There is no part at ${pointer} to remove: ${problem}.`,
  })
}

/**
 * Finds a version of a name, the last one by default.
 *
 * @throws `client/no-version`, and the failures of the read
 */
export async function findNamed(
  name: string,
  version: VersionOf | undefined,
  read: ReadVersions<NamedVersion>,
): Promise<NamedVersion> {
  const { findVersion, missingVersion } = await import('../api/named-version.ts')
  const found = await findVersion(read, version)
  if (found !== undefined) return found
  throw new HeirloomError(missingVersion(name, version))
}

function ignoreMissing(error: unknown): undefined {
  if (!isNameMissing(error)) throw error
}
