import { heliaBlobStore } from '../helia.ts'
import { numberedBlob } from './numbered-blob.ts'

// Puts numbered blobs into the given folder, and prints each digest once its blob is stored.
const [folder = '', first = '0'] = process.argv.slice(2)
const store = await heliaBlobStore({ folder })
for (let number = Number(first); ; number += 1) {
  const digest = await store.put(numberedBlob(number))
  process.stdout.write(`${number} ${digest}\n`)
}
