import { gunzipSync } from 'node:zlib'

const block = 512

/** Returns the paths and texts of all files in an npm tarball. */
export function filesOf(tarball: Uint8Array): ReadonlyMap<string, string> {
  const bytes = gunzipSync(tarball)
  const text = (from: number, length: number) =>
    bytes.toString('utf8', from, from + length).replace(/\0.*$/s, '')
  const files = new Map<string, string>()
  for (let at = 0; bytes[at] !== 0; ) {
    const length = Number.parseInt(text(at + 124, 12), 8)
    files.set(text(at, 100), bytes.toString('utf8', at + block, at + block + length))
    at += block + Math.ceil(length / block) * block
  }
  return files
}

/** Returns the text of one file in an npm tarball. */
export function fileOf(tarball: Uint8Array, path: string): string {
  return filesOf(tarball).get(`package/${path}`) ?? ''
}
