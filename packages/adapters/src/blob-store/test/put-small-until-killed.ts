import { hash } from 'node:crypto'
import { digest } from '@heirloom/core'
import { cidOf, rawCode } from '../cid.ts'
import { DurableBlockstore } from '../durable-blockstore.ts'
import { numberedBlob } from './numbered-blob.ts'

// Puts numbered small blocks into the given folder, which are moved all the time, and prints each
// number once its block is stored. Deletes some again, and says so before
// and afterwards.
const [folder = '', first = '0'] = process.argv.slice(2)
const store = await DurableBlockstore.open(folder, { files: 4, delay: 0 })

const cidAt = (number: number) =>
  cidOf(digest(`0x${hash('sha256', numberedBlob(number))}`), rawCode)

async function putOne(number: number): Promise<void> {
  await store.put(cidAt(number), numberedBlob(number))
  process.stdout.write(`put ${number}\n`)
}

for (let number = Number(first); ; number += 10) {
  await Promise.all(Array.from({ length: 9 }, (_, index) => putOne(number + index)))
  const deleted = number - 14
  if (deleted < Number(first)) continue
  process.stdout.write(`deleting ${deleted}\n`)
  await store.delete(cidAt(deleted))
  process.stdout.write(`deleted ${deleted}\n`)
}
