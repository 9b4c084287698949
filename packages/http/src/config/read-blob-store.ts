import { resolve } from 'node:path'
import { type Environment, invalidVariable, readText } from './environment.ts'

/** A module that stores the blobs instead of IPFS blocks in the data folder. */
export type BlobStoreSource = {
  /** The absolute path of the module, or the name of a package. */
  readonly module: string
  /** The address that the module stores the blobs at; may contain a password. */
  readonly url: string | undefined
}

/**
 * Reads the module that stores the blobs; `undefined` for IPFS blocks in the data folder.
 *
 * @throws `config/invalid`
 */
export function readBlobStore(env: Environment): BlobStoreSource | undefined {
  const name = readText(env, 'BLOB_STORE')
  const url = readText(env, 'BLOB_URL')
  if (name === undefined || name === 'helia') {
    if (url === undefined) return undefined
    throw invalidVariable('BLOB_URL', 'needs BLOB_STORE, the module that stores the blobs there')
  }
  refusePeers(env)
  if (url !== undefined && !URL.canParse(url)) throw invalidVariable('BLOB_URL', 'must be a URL')
  return { module: readModule(name), url }
}

function refusePeers(env: Environment): void {
  for (const name of ['IPFS_LISTEN', 'IPFS_PEERS']) {
    if (readText(env, name) === undefined) continue
    throw invalidVariable(name, 'has no effect with BLOB_STORE; unset one of them')
  }
}

function readModule(name: string): string {
  if (isPath(name)) return resolve(name)
  if (isPackage(name)) return name
  throw invalidVariable(
    'BLOB_STORE',
    'must be helia, the path of a module or the name of a package',
  )
}

const isPath = (name: string): boolean => /^\.{0,2}\//.test(name)

/** Matches the name of a package, or of one of its entrances. */
const isPackage = (name: string): boolean =>
  /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(\/[\w./-]+)?$/.test(name)
