import { addAbortSignal, type Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'

/** The objects below the prefix of a place, by the rest of their names. */
export type S3Objects = {
  /**
   * Stores an object, durably when it returns. The request names the sha256 of the bytes, so the
   * store refuses bytes that were altered on their way, and what it says to have is looked for.
   *
   * @throws ObjectStoreError
   */
  put(name: string, bytes: Uint8Array): Promise<void>
  /**
   * Returns an object, cut after `limit` bytes; `undefined` if the bucket has none of this name.
   *
   * @throws ObjectStoreError
   */
  get(name: string, limit: number): Promise<Uint8Array | undefined>
  /**
   * Removes an object, if there is one.
   *
   * @throws ObjectStoreError
   */
  remove(name: string): Promise<void>
  /**
   * Returns names in ascending order, at most `limit` of them, after a name that need not exist.
   *
   * @throws ObjectStoreError
   */
  list(after: string, limit: number): Promise<readonly string[]>
  /**
   * Returns the same names, each with the length of its object in bytes.
   *
   * @throws ObjectStoreError
   */
  lengths(after: string, limit: number): Promise<readonly (readonly [string, number])[]>
  /**
   * Returns whether the bucket keeps versions of what is removed; `undefined` if the store or the
   * rights of the credentials do not let it be known.
   */
  keepsVersions(): Promise<boolean | undefined>
  /** Returns by how many milliseconds the clock here was ahead of the store's when it answered last. */
  clockAhead(): number | undefined
  /** Closes the connections. */
  close(): void
}

export declare namespace s3Objects {
  type Options = {
    /** The time that a request with its retries may take, in milliseconds; 20 seconds by default. */
    readonly patience?: number | undefined
    /** The credentials; by default those that every AWS program finds. */
    readonly credentials?: S3Credentials | undefined
  }
}

/** An access key of an object store. */
export type S3Credentials = { readonly accessKeyId: string; readonly secretAccessKey: string }

const usualPatience = 20_000

/** The longest that a store may take to accept a connection, in milliseconds. */
const connectionLimit = 3000

/** The times that a request is sent before it fails. */
const attempts = 4

/**
 * Returns the objects of a place. Credentials come from where every AWS program finds them: the
 * environment, the shared files, or the identity of the machine. Sends nothing yet.
 */
export function s3Objects(place: S3Place, options: s3Objects.Options = {}): S3Objects {
  const { patience = usualPatience, credentials } = options
  const client = new S3Client({ ...settings(place, patience), ...(credentials && { credentials }) })
  const at = (name: string) => ({ Bucket: place.bucket, Key: place.prefix + name })
  const within = <T>(act: (signal: AbortSignal) => Promise<T>) =>
    act(AbortSignal.timeout(patience)).catch((error: unknown) => {
      throw new ObjectStoreError(error)
    })
  return {
    put: (name, bytes) =>
      within(async (abortSignal) => {
        const request = new PutObjectCommand({ ...at(name), Body: bytes })
        const { ETag, $metadata } = await client.send(request, { abortSignal })
        // Every store gives an ETag to what it has: a proxy may answer a page instead.
        if (ETag === undefined) throw asForeign('AnswerWithoutETag', $metadata)
        const head = new HeadObjectCommand(at(name))
        const length = await client.send(head, { abortSignal }).then(lengthOf, ifAbsent('NotFound'))
        if (length !== bytes.length) throw asForeign('AnswerWithoutObject', $metadata)
      }),
    get: (name, limit) => within((signal) => read(client, { ...at(name), limit, signal })),
    remove: (name) =>
      within(async (abortSignal) => {
        await client.send(new DeleteObjectCommand(at(name)), { abortSignal })
      }),
    list: (after, limit) =>
      within(async (signal) => {
        const page = await list(client, { place, after, limit, signal })
        return page.map(([name]) => name)
      }),
    lengths: (after, limit) => within((signal) => list(client, { place, after, limit, signal })),
    keepsVersions: () =>
      within(async (abortSignal) => {
        const request = new GetBucketVersioningCommand({ Bucket: place.bucket })
        return (await client.send(request, { abortSignal })).Status === 'Enabled'
      }).catch(() => undefined),
    clockAhead: watchClock(client),
    close: () => client.destroy(),
  }
}

const asForeign = (name: string, $metadata: ForeignError['$metadata']): Error =>
  Object.assign(new Error('The store does not have what it took.'), { name, $metadata })

const lengthOf = ({ ContentLength }: HeadObjectCommandOutput) => ContentLength

/**
 * Returns nothing for the error with which a store says that an object is absent, and throws any other. A
 * bucket that is gone, or the page of a proxy, is also a 404.
 */
const ifAbsent = (code: 'NoSuchKey' | 'NotFound') => (error: unknown) => {
  if (error instanceof Error && error.name === code) return undefined
  throw error
}

/** Returns how far the clock here was ahead of that in the newest response, in milliseconds. */
function watchClock({ middlewareStack }: S3Client): () => number | undefined {
  let ahead: number | undefined
  middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args)
      const date = Date.parse(Object(answer.response).headers?.date)
      if (!Number.isNaN(date)) ahead = Date.now() - date
      return answer
    },
    // The innermost step also sees the responses that are errors.
    { step: 'deserialize', priority: 'low', name: 'watchClock' },
  )
  return () => ahead
}

function settings({ endpoint, region, pathStyle }: S3Place, patience: number): S3ClientConfig {
  const usual = endpoint === undefined ? undefined : 'us-east-1'
  const chosen = region ?? process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION ?? usual
  const agent = { maxSockets: 32, keepAlive: true }
  const perAttempt = Math.ceil(patience / 2)
  return {
    ...(endpoint !== undefined && { endpoint }),
    ...(chosen !== undefined && { region: chosen }),
    forcePathStyle: pathStyle,
    maxAttempts: attempts,
    // The checksums that Amazon adds by default are unknown to many compatible stores. The signature
    // covers the sha256 of what is sent, and what is read is compared with its digest.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: Math.min(connectionLimit, perAttempt),
      requestTimeout: perAttempt,
      // Without this the client only prints a warning, and goes on waiting.
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
  }
}

type Read = {
  readonly Bucket: string
  readonly Key: string
  readonly limit: number
  readonly signal: AbortSignal
}

/** Reads an object. The client retries a request, but not a response that breaks off. */
async function read(
  client: S3Client,
  { limit, signal, ...object }: Read,
  left = attempts,
): Promise<Uint8Array | undefined> {
  const body = await send(client, object, signal)
  if (body === undefined) return undefined
  try {
    return await collect(addAbortSignal(signal, body), limit)
  } catch (error) {
    if (signal.aborted || left <= 1) throw error
    return read(client, { ...object, limit, signal }, left - 1)
  }
}

async function send(
  client: S3Client,
  object: Pick<Read, 'Bucket' | 'Key'>,
  abortSignal: AbortSignal,
): Promise<Readable | undefined> {
  const request = client.send(new GetObjectCommand(object), { abortSignal })
  return request.then(({ Body }) => Body as Readable, ifAbsent('NoSuchKey'))
}

/** Returns the bytes of a stream, cut after `limit`, so that no object can fill the memory. */
async function collect(body: Readable, limit: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body) {
    parts.push(part)
    length += part.length
    if (length >= limit) break
  }
  const whole = Buffer.concat(parts)
  return new Uint8Array(whole.buffer, whole.byteOffset, Math.min(length, limit))
}

type List = {
  readonly place: S3Place
  readonly after: string
  readonly limit: number
  readonly signal: AbortSignal
}

async function list(
  client: S3Client,
  { place: { bucket, prefix }, after, limit, signal }: List,
): Promise<readonly (readonly [string, number])[]> {
  const page = new ListObjectsV2Command({
    Bucket: bucket,
    Prefix: prefix,
    MaxKeys: limit,
    ...(after !== '' && { StartAfter: prefix + after }),
  })
  const { Contents = [] } = await client.send(page, { abortSignal: signal })
  return Contents.flatMap(({ Key, Size = 0 }) =>
    Key === undefined ? [] : [[Key.slice(prefix.length), Size] as const],
  )
}

/**
 * A request to an object store that was refused or not answered. Says nothing about the object, and
 * quotes no header: the errors of the client contain access keys and signatures.
 */
export class ObjectStoreError extends Error {
  override readonly name = 'ObjectStoreError'
  /** The answer of the store, such as `NoSuchBucket`, or the name of the error of the connection. */
  readonly reason: string

  constructor(error: unknown) {
    const { reason, status } = describe(error)
    super(status === undefined ? reason : `The store answered ${status} ${reason}.`)
    this.reason = reason
  }
}

function describe(error: unknown): { readonly reason: string; readonly status?: number } {
  if (!(error instanceof Error)) return { reason: 'Error' }
  const { $metadata, code, name } = error as Partial<ForeignError> & Error
  const status = $metadata?.httpStatusCode
  const reason = wordOf(code) ?? wordOf(name) ?? 'Error'
  return status === undefined ? { reason } : { reason, status }
}

type ForeignError = {
  readonly code: unknown
  readonly $metadata: { readonly httpStatusCode?: number }
}

/** Returns a text that is one word, as codes are; a message may quote what must not be logged. */
const wordOf = (text: unknown): string | undefined =>
  typeof text === 'string' && /^\w{1,64}$/.test(text) ? text : undefined

/** A place in an S3-compatible store. */
export type S3Place = {
  readonly bucket: string
  /** The first part of each object's name: empty, or a path with a slash at its end. */
  readonly prefix: string
  /** The URL of the store; absent for that of Amazon in the region. */
  readonly endpoint: string | undefined
  /** The region; absent for that of the AWS environment, or `us-east-1` at an `endpoint`. */
  readonly region: string | undefined
  /** Whether the bucket is a part of the path rather than of the host name. */
  readonly pathStyle: boolean
}
