import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { heliaBlobStorage } from '@heirloom/adapters/blob-store'
import { sqliteJobStore } from '@heirloom/adapters/job-store'
import type { Digest } from '@heirloom/core'
import { packServer, packWorld } from './pack-server.ts'
import { mintedFile, readMinted } from './save-until-killed.ts'

// Saves versions into the given folder; notes each that is minted, and prints a line for it.
const [folder = ''] = process.argv.slice(2)
const world = packWorld()
world.now = Date.now()
for (const root of readMinted(folder)) world.minted.add(root)
const jobs = await sqliteJobStore(join(folder, 'jobs.sqlite'))
const storage = heliaBlobStorage({ folder: join(folder, 'blobs') })
const server = await packServer(world, storage, jobs)
let previous: Digest | undefined = [...world.minted].at(-1)
for (let number = world.minted.size; ; number += 1) {
  // Every third one is big, every fourth one is never minted, and one in five begins anew.
  const text = `${number % 3 === 0 ? 'big ' : ''}${number}`
  const root = await server.save({ text, previous: number % 5 === 0 ? undefined : previous })
  if (root === undefined) continue
  if (number % 4 === 3) {
    world.pending.delete(root)
    await server.remove(root)
    continue
  }
  appendFileSync(mintedFile(folder), `${root}\n`)
  world.minted.add(root)
  world.pending.delete(root)
  previous = root
  process.stdout.write(`${number} ${root}\n`)
}
