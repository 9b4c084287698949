/**
 * Returns the text of a module for BLOB_STORE: JavaScript with its own copy of the failures, as a
 * packed module may have. It stores blobs in memory, by their url and prefix, and notes by their
 * folder. `keyOf` is the expression of the place.
 */
export const blobModule = (keyOf = 'url + prefix'): string => `
import { createHash } from 'node:crypto'

class Failure extends Error {
  name = 'Failure'
  constructor(code, facts) {
    super(code)
    Object.assign(this, { code, facts })
  }
}

const places = new Map()
const notes = new Map()
const at = (map, key, empty) => map.get(key) ?? map.set(key, empty).get(key)

class Store {
  constructor(blobs, unclaimed) {
    this.local = this
    this.blobs = blobs
    this.unclaimed = unclaimed
    this.orphans = [...unclaimed]
  }
  async put(bytes) {
    const name = '0x' + createHash('sha256').update(bytes).digest('hex')
    this.blobs.set(name, Uint8Array.from(bytes))
    this.unclaimed.add(name)
    return name
  }
  async get(digest) {
    if (!this.blobs.has(digest)) throw new Failure('blob/not-found', { digest })
    return this.blobs.get(digest)
  }
  head(digest) { return this.get(digest) }
  async remove(digest) {
    this.blobs.delete(digest)
    this.unclaimed.delete(digest)
  }
  async claim(digest) { this.unclaimed.delete(digest) }
  async sweep(isReferenced) {
    for (const name of this.orphans) {
      this.unclaimed.delete(name)
      if (!(await isReferenced(name))) this.blobs.delete(name)
    }
  }
  async close() {}
}

class Storage {
  constructor({ folder, url, prefix }) {
    this.key = ${keyOf}
    this.folder = folder
  }
  async open() {
    return new Store(at(places, this.key, new Map()), at(notes, this.folder, new Set()))
  }
}
export const blobStorage = (place) => new Storage(place)
`
