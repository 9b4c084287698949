import {
  CreateBucketCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import type { S3Place } from '@heirloom/adapters/blob-store/s3'
import { afterAll, beforeAll, vi } from 'vitest'
import { type Ceph, startCeph } from './ceph.ts'

/** A bucket of a real object store, for all tests of a file; it exists once they run. */
export type SharedBucket = {
  /**
   * The bucket as BLOB_URL, and the access key, for a server in a process of its own. A command in this
   * process reads the key where every AWS program does.
   */
  readonly environment: { readonly BLOB_URL: string } & Readonly<Record<string, string>>
  readonly place: S3Place
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  /** Stores an object, unknown to an adapter. */
  readonly overwrite: (name: string, bytes: Uint8Array) => Promise<void>
  readonly read: (name: string) => Promise<Buffer>
  /** Returns the names of the objects below a prefix, without it, in ascending order. */
  readonly list: (prefix: string) => Promise<readonly string[]>
  /** Turns on the versioning of the bucket. */
  readonly keepVersions: () => Promise<void>
}

/** Starts an object store with a bucket before the tests of a file, and ends it after them. */
export function sharedBucket(Bucket = 'memories'): SharedBucket {
  let ceph: Ceph
  let client: S3Client
  beforeAll(async () => {
    ceph = await startCeph()
    client = clientOf(ceph)
    await client.send(new CreateBucketCommand({ Bucket }))
    for (const [name, value] of Object.entries(ceph.environment)) vi.stubEnv(name, value)
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    client?.destroy()
    await ceph?.stop()
  })
  return {
    get environment() {
      return { ...ceph.environment, BLOB_URL: `s3://${Bucket}?endpoint=${ceph.url}` }
    },
    get place() {
      const usual = { prefix: '', region: undefined, pathStyle: true }
      return { ...usual, bucket: Bucket, endpoint: ceph.url }
    },
    get credentials() {
      return credentialsOf(ceph)
    },
    overwrite: async (Key, Body) => {
      await client.send(new PutObjectCommand({ Bucket, Key, Body }))
    },
    read: async (Key) => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }))
      return Buffer.from((await Body?.transformToByteArray()) ?? [])
    },
    list: async (Prefix) => {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix }))
      return Contents.map(({ Key = '' }) => Key.slice(Prefix.length))
    },
    keepVersions: async () => {
      const VersioningConfiguration = { Status: 'Enabled' } as const
      await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }))
    },
  }
}

const credentialsOf = ({ environment }: Ceph) => ({
  accessKeyId: environment.AWS_ACCESS_KEY_ID,
  secretAccessKey: environment.AWS_SECRET_ACCESS_KEY,
})

function clientOf(ceph: Ceph): S3Client {
  const credentials = credentialsOf(ceph)
  return new S3Client({
    endpoint: ceph.url,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
}
