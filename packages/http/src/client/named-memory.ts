import type { Download, Memory } from './download.ts'
import { HeirloomError, isHeirloomError } from './heirloom-error.ts'
import type { PageQuery, SnapshotContent, SnapshotOptions, TokenIdInput } from './requests.ts'
import type { Minted, NamedVersion, NamedVersions, Page, SavedName } from './responses.ts'
import { encodeDocument, snapshotBody } from './snapshot-body.ts'
import { decodeResponse } from './transport/decode-response.ts'
import { encodeName } from './transport/encode-name.ts'
import { encodeTokenId } from './transport/encode-values.ts'
import type { CallOptions, Transport, WriteOptions } from './transport/transport.ts'
import { withQuery } from './transport/with-query.ts'
import type { SendWrite } from './writes.ts'

/** The response of `save`. */
export type SavedVersion = Minted & { readonly version: number }

/** The memory to save to a name, and its options; its parent is the last version. */
export type SaveInput<Data extends object = object> = SnapshotContent<Data> &
  Omit<SnapshotOptions, 'parentTokenId'>

/** A memory under a private name. It saves only over the version that it has seen. */
export type NamedMemory<Data extends object = object> = {
  /**
   * Saves the next version. Fails with `name/moved` when another version came after the one that this
   * object saved or read last: read `latest`, take over what it changed, and save again.
   */
  readonly save: (memory: SaveInput<Data>, options?: WriteOptions) => Promise<SavedVersion>
  /**
   * Downloads the last version, and remembers it as seen; `undefined` for a name without versions. Fails
   * with `memory/erased` for one whose memory was erased, which counts as seen.
   */
  readonly latest: (options?: CallOptions) => Promise<Memory<Data> | undefined>
  /** Downloads a version by its number; fails with `client/no-version` if there is none. */
  readonly at: (version: number, options?: CallOptions) => Promise<Memory<Data>>
  /** Returns the record of a version by its number; that of the last one without a number. */
  readonly find: (version?: number, options?: CallOptions) => Promise<NamedVersion>
  /** Returns who saved what when, the newest first. */
  readonly log: (page?: PageQuery, options?: Pick<CallOptions, 'signal'>) => Promise<NamedVersions>
}

/** A name as the caller knows it. */
export type MemoryOptions = {
  /**
   * The token that the caller has seen as its last version, 0 for none, which is the default; or
   * `last` to save after whatever is the last one when the server gets the request.
   */
  readonly seen?: TokenIdInput | 'last' | undefined
}

type Parts = {
  readonly transport: Transport
  readonly write: SendWrite
  readonly download: Download
}

/** Creates the calls of a name. */
export const createNamedMemory =
  ({ transport, write, download }: Parts) =>
  <Data extends object = object>(
    name: string,
    { seen: first = 0 }: MemoryOptions = {},
  ): NamedMemory<Data> => {
    let seen = first === 'last' ? undefined : encodeTokenId(first, 'seen')
    const path = `/api/names/${encodeName(name)}`
    const read = async <T extends object>(of: string, { signal }: CallOptions): Promise<T> =>
      decodeResponse<T>(await transport.send({ method: 'GET', path: of, options: { signal } }))
    const log: NamedMemory['log'] = async (page, options = {}) =>
      read<NamedVersions>(withQuery(`${path}/versions`, page), options)
    const find: NamedMemory['find'] = async (version, options = {}) => {
      if (version === undefined) return (await read<SavedName>(path, options)).last
      const { items } = await log({ after: `${version + 1}`, limit: 1 }, options)
      const found = items.find((it) => it.version === version)
      if (found !== undefined) return found
      throw noVersion(name, version)
    }
    return {
      log,
      save: async (memory, options) => {
        const after = seen === undefined ? {} : { after: seen }
        const body = snapshotBody(encodeDocument(memory), { ...memory, name, ...after })
        const saved = await write<SavedVersion>('/api/memory/snapshot', body, options)
        seen = saved.tokenId
        return saved
      },
      latest: async (options = {}) => {
        const found = await read<SavedName>(path, options).catch(ignoreMissing)
        if (found === undefined) return undefined
        const { tokenId, erasedAt } = found.last
        // Of an erased memory there is no more to see; a save goes on after it.
        if (erasedAt !== null) seen = tokenId
        const memory = await download<Data>(tokenId, options)
        seen = tokenId
        return memory
      },
      find,
      at: async (version, options) =>
        download<Data>((await find(version, options)).tokenId, options),
    }
  }

/** Returns the failure for a version that a name does not have. */
export const noVersion = (name: string, version: number): HeirloomError<'client/no-version'> =>
  new HeirloomError({
    code: 'client/no-version',
    facts: { name, version },
    message: `The name ${name} has no version ${version}; its log lists the versions.`,
  })

function ignoreMissing(error: unknown): undefined {
  if (isHeirloomError(error) && error.code === 'name/not-found') return undefined
  throw error
}

/** Creates the call that lists the names of the caller. */
export const createNames =
  ({ send }: Transport) =>
  async (page?: PageQuery, options: Pick<CallOptions, 'signal'> = {}): Promise<Page<SavedName>> =>
    decodeResponse(await send({ method: 'GET', path: withQuery('/api/names', page), options }))
