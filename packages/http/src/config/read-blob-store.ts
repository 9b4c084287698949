import { resolve } from 'node:path'
import type { S3Place } from '@heirloom/adapters/blob-store/s3'
import { type Environment, invalidVariable, readText, wrongValue } from './environment.ts'
import { isModulePath, isPackageName } from './module-name.ts'
import { readS3Url } from './read-s3-url.ts'

/** A place outside the data folder that stores the blobs. */
export type BlobStoreSource =
  | {
      readonly kind: 'module'
      /** The absolute path of the module, or the name of a package. */
      readonly module: string
      /** The address that the module stores the blobs at; may contain a password. */
      readonly url: string | undefined
    }
  | { readonly kind: 's3'; readonly place: S3Place }

/**
 * Reads the place that stores the blobs: a bucket, or what a module makes of BLOB_URL; `undefined`
 * for IPFS blocks in the data folder.
 *
 * @throws `config/invalid`
 */
export function readBlobStore(env: Environment): BlobStoreSource | undefined {
  const name = readText(env, 'BLOB_STORE')
  const url = readText(env, 'BLOB_URL')
  if (name !== undefined && name !== 'helia') {
    refusePeers(env, 'BLOB_STORE')
    if (url !== undefined && !URL.canParse(url)) throw invalidVariable('BLOB_URL', 'must be a URL')
    return { kind: 'module', module: readModule(name), url }
  }
  if (url === undefined) return undefined
  if (!/^s3:/i.test(url)) {
    throw invalidVariable(
      'BLOB_URL',
      'must begin with s3://, unless BLOB_STORE names a module for it',
    )
  }
  if (name !== undefined) {
    throw invalidVariable('BLOB_URL', 'has no effect with BLOB_STORE=helia; unset one of them')
  }
  refusePeers(env, 'BLOB_URL')
  return { kind: 's3', place: readS3Url('BLOB_URL', url) }
}

const peerVariables = [
  ...['IPFS_LISTEN', 'IPFS_PEERS', 'IPFS_PEER_KEY'],
  ...['BLOB_COPIES', 'BLOB_BYTES_PER_PEER'],
]

function refusePeers(env: Environment, other: string): void {
  for (const name of peerVariables) {
    if (readText(env, name) === undefined) continue
    throw invalidVariable(name, `has no effect with ${other}; unset one of them`)
  }
}

function readModule(name: string): string {
  if (isModulePath(name)) return resolve(name)
  if (isPackageName(name)) return name
  throw wrongValue(
    'BLOB_STORE',
    'must be helia, the path of a module or the name of a package',
    name,
  )
}
