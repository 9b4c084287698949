import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { programFolder } from '../package-folder.ts'

/** A content coding that files are sent in. */
export type Coding = 'br' | 'gzip' | 'identity'

/** A file of the page, in memory. */
export type PageFile = {
  readonly type: string
  /** A weak tag: the bodies have one meaning, but not the same bytes. */
  readonly etag: string
  readonly bodies: Readonly<Record<Coding, Buffer>>
}

/** The page for people: its document and the assets that the document loads. */
export type Page = {
  readonly document: PageFile
  readonly assets: ReadonlyMap<string, PageFile>
  /** Its content security policy, where it may read more than its own server. */
  readonly policy?: string | undefined
}

const typeOf: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

// Beside the packed program; for the sources, in the folder of that program.
const folders = ['page', '../dist/page'].map((it) => join(programFolder, it))

/** Reads the built page; returns `undefined` when it was not built. */
export function readPage(candidates: readonly string[] = folders): Page | undefined {
  const folder = candidates.find((it) => existsSync(join(it, 'index.html')))
  if (folder === undefined) return undefined
  const names = readdirSync(join(folder, 'assets')).filter((name) => extname(name) in typeOf)
  return {
    document: readPageFile(join(folder, 'index.html'), etagOf),
    // The name of an asset changes with its content, so nothing has to be hashed at a start.
    assets: new Map(
      names.map((name) => [name, readPageFile(join(folder, 'assets', name), () => `W/"${name}"`)]),
    ),
  }
}

// The best quality takes 7 ms for any text, however short.
const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/**
 * Encodes the document of one request as a file of the page. A coding is computed when it is read,
 * since anyone can request any number of documents, and each is sent in one coding or in none.
 */
export function encodePageFile(type: string, text: string): PageFile {
  const identity = Buffer.from(text)
  const bodies = {
    identity,
    get br() {
      return brotliCompressSync(identity, fast)
    },
    get gzip() {
      return gzipSync(identity)
    },
  }
  return { type, etag: etagOf(identity), bodies }
}

const etagOf = (bytes: Buffer): string =>
  `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`

function readPageFile(path: string, tagOf: (identity: Buffer) => string): PageFile {
  const identity = readFileSync(path)
  return {
    type: typeOf[extname(path)] ?? 'application/octet-stream',
    etag: tagOf(identity),
    bodies: { identity, br: readFileSync(`${path}.br`), gzip: readFileSync(`${path}.gz`) },
  }
}
